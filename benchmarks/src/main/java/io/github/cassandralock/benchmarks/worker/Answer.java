package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.testing.statistics.Grant;
import java.util.List;

/**
 * A line on a worker's standard output, one for each order.
 *
 * @param grants what was taken
 * @param requests what was sent to the lock service meanwhile
 * @param heap how many bytes of heap are in use, if that was asked
 */
record Answer(List<Grant> grants, long requests, long heap) {

    static final Answer NOTHING = new Answer(List.of(), 0, 0);

    Answer(List<Grant> grants, long requests) {
        this(grants, requests, 0);
    }
}
