package io.github.cassandralock.internal.ticket.process;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts the waits that a notice should have ended, and those that a notice did end. Decides how far a waiter may rely on notices
 * (notices, section 3). Thread-safe.
 */
public final class NoticeHealth {

    /** After a missing notice, this number of notices has to arrive before waiters rely on notices again. */
    private static final int SUSPICION = 64;

    /** After this number of missing notices in a row, waiters assume that no notice arrives at all. */
    private static final int DEAF = 4;

    /** How far a process may rely on the notices of others. */
    public enum Trust {
        /** No notice has arrived, and no loss was noticed. */
        UNKNOWN,
        /** All recent notices have arrived. A second request, or the wait for a late notice, costs less than a read. */
        ARRIVING,
        /** At least one of the recent notices did not arrive. */
        LOST_LATELY
    }

    /**
     * @param suspicion how many notices have to arrive before waiters rely on them
     * @param before the value of {@code suspicion} before the last notice that did not arrive
     * @param missedInRow how many waits in a row have ended by a read
     * @param any whether any notice has ever arrived
     */
    private record State(int suspicion, int before, int missedInRow, boolean any) {}

    private final AtomicReference<State> state = new AtomicReference<>(new State(0, 0, 0, false));

    /** Records that a notice ended a wait. */
    public void arrived() {
        state.updateAndGet(now -> new State(Math.max(0, now.suspicion() - 1), Math.max(0, now.before() - 1), 0, true));
    }

    /** Records that a read ended a wait that a notice should have ended. */
    public void missed() {
        state.updateAndGet(
                now -> new State(SUSPICION, now.suspicion(), Math.min(DEAF, now.missedInRow() + 1), now.any()));
    }

    /**
     * Records that a notice came after a read had shown its fact. The notice was late and not lost, so the former suspicion
     * counts again.
     */
    public void arrivedLate() {
        state.updateAndGet(now -> new State(now.before(), now.before(), 0, true));
    }

    /** How far a waiter may rely on notices. */
    public Trust trust() {
        State now = now();
        if (now.suspicion() > 0) {
            return Trust.LOST_LATELY;
        }
        return now.any() ? Trust.ARRIVING : Trust.UNKNOWN;
    }

    /** Whether no notice has arrived lately. */
    public boolean isBroken() {
        return now().missedInRow() >= DEAF;
    }

    private State now() {
        return Objects.requireNonNull(state.get());
    }
}
