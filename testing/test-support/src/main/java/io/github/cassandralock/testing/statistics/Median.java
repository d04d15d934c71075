package io.github.cassandralock.testing.statistics;

import java.util.Collection;

/** The median of some values. */
public final class Median {

    private Median() {}

    /**
     * Of an even number of values, the mean of the two in the middle.
     *
     * @throws IllegalArgumentException if there is no value
     */
    public static double of(Collection<? extends Number> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("Nothing has no median");
        }
        double[] sorted =
                values.stream().mapToDouble(Number::doubleValue).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
