package io.github.cassandralock.internal.ticket;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether notices arrive in this process: of the waits that a notice should have ended, how many it did. Says how long a
 * waiter may rely on being told (notices, section 3). Thread-safe.
 */
final class NoticeArrivals {

    /** After a notice that did not arrive, so many have to arrive before waiters rely on them again. */
    private static final int SUSPICION = 64;

    /** After so many in a row that did not arrive, waiters take it that none does. */
    private static final int DEAF = 4;

    /** How many notices have to arrive before waiters rely on them. */
    private final AtomicInteger suspicion = new AtomicInteger();

    /** How many waits in a row have ended by a read. */
    private final AtomicInteger missedInRow = new AtomicInteger();

    /** A notice ended a wait. */
    void arrived() {
        suspicion.updateAndGet(before -> Math.max(0, before - 1));
        missedInRow.set(0);
    }

    /** A read ended a wait that a notice should have ended. */
    void missed() {
        suspicion.set(SUSPICION);
        missedInRow.updateAndGet(before -> Math.min(DEAF, before + 1));
    }

    /** Whether all notices have arrived lately. */
    boolean areReliable() {
        return suspicion.get() == 0;
    }

    /** Whether no notice has arrived lately. */
    boolean areMissing() {
        return missedInRow.get() >= DEAF;
    }
}
