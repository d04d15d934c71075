package io.github.cassandralock.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Whether a rate has stopped rising: it was about the same in three windows of time in a row. For one thread. */
final class Steadiness {

    private static final int WINDOWS = 3;

    /** The lowest rate is at least this part of the highest one. */
    private static final double WITHIN = 0.95;

    private final List<Double> rates = new ArrayList<>();

    /** Adds the rate of the next window, and returns whether the last ones are about the same. */
    boolean isReachedWith(double rate) {
        rates.add(rate);
        List<Double> last = rates.subList(Math.max(0, rates.size() - WINDOWS), rates.size());
        return last.size() == WINDOWS
                && Collections.max(last) > 0
                && Collections.min(last) >= WITHIN * Collections.max(last);
    }
}
