package io.github.cassandralock.benchmarks.worker;

/**
 * The last part of some work, which ends with it. Instants are of the monotonic clock.
 *
 * @param from grants count that enter from here on
 * @param until nobody stops before
 * @param atLeast nobody stops before having counted so many grants
 * @param noted whether grants count at all
 */
record Part(long from, long until, int atLeast, boolean noted) {

    /** The end, at once, of work that does not count. */
    static Part end(long now) {
        return new Part(now, now, 0, false);
    }

    boolean counts(long enteredAt) {
        return noted && enteredAt - from >= 0;
    }

    boolean isOver(long now, int counted) {
        return now - until >= 0 && counted >= (noted ? atLeast : 0);
    }
}
