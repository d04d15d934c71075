package io.github.cassandralock.benchmarks.worker;

import org.jspecify.annotations.Nullable;

/**
 * A line on a worker's standard output, one for each order.
 *
 * @param number what was asked: grants, requests or bytes of heap
 * @param file with the grants, if they were asked
 */
record Answer(long number, @Nullable String file) {

    static final Answer NOTHING = new Answer(0, null);

    static Answer of(long number) {
        return new Answer(number, null);
    }
}
