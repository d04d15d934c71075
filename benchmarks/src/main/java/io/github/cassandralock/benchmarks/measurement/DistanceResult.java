package io.github.cassandralock.benchmarks.measurement;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.cassandralock.testing.statistics.Figures;

/**
 * A row of {@code distance.json}.
 *
 * @param oneWayMs how long a message takes at least, from a contender to a node or to the other contender, or back
 * @param algorithm who gave the locks
 * @param handOverMs from the end of one hold to the begin of the next one, which had been waited for
 * @param figures what a grant cost
 */
public record DistanceResult(
        long oneWayMs,
        String algorithm,
        double handOverMs,
        @JsonUnwrapped Figures figures) {}
