package io.github.cassandralock.benchmarks.measurement;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * A row of {@code scaling.json}.
 *
 * @param experiment what grows
 * @param at how much of it
 * @param figures what a grant cost then
 * @param handOverMs from one hold to the next that waited for it; not a number where nobody waited
 */
public record ScalingResult(
        String experiment, long at, @JsonUnwrapped Figures figures, double handOverMs) {

    public static ScalingResult of(String experiment, long at, List<Stretch> stretches) {
        return new ScalingResult(experiment, at, Figures.of(stretches), Figures.handOverMs(stretches));
    }
}
