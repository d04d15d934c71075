package io.github.cassandralock.benchmarks.measurement;

import java.util.Collection;

/** The median of some values. */
public final class Median {

    private Median() {}

    /**
     * Of an even number, the higher one of the two in the middle.
     *
     * @param values one at least
     */
    public static <T extends Comparable<T>> T of(Collection<T> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
