package io.github.cassandralock.benchmarks.measurement;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.cassandralock.testing.statistics.Figures;
import io.github.cassandralock.testing.statistics.Turn;
import java.util.List;

/**
 * A row of {@code scaling.json}.
 *
 * @param experiment what grows
 * @param at how much of it
 * @param algorithm who gave the locks
 * @param figures what a grant cost then
 * @param handOverMs from one hold to the next that waited for it; not a number if no holder waited
 */
public record ScalingResult(
        String experiment,
        long at,
        String algorithm,
        @JsonUnwrapped Figures figures,
        double handOverMs) {

    public static ScalingResult of(String experiment, long at, String algorithm, List<Turn> turns) {
        return new ScalingResult(experiment, at, algorithm, Figures.of(turns), Figures.handOverMs(turns));
    }
}
