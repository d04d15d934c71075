package io.github.cassandralock.internal.ticket.process;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether notices arrive in this process: of the waits that a notice should have ended, how many it ended. Determines how long a
 * waiter may rely on notices (notices, section 3). Thread-safe.
 */
public final class NoticeHealth {

    /** After a notice that did not arrive, so many have to arrive before waiters rely on them again. */
    private static final int SUSPICION = 64;

    /** After so many missing notices in a row, waiters assume that none arrives. */
    private static final int DEAF = 4;

    /** How far a process may rely on the notices of others. */
    public enum Trust {
        /** None has arrived, and no loss has been noticed. */
        UNKNOWN,
        /** All have arrived lately: to ask again, or to wait for a late notice, is cheaper than a read. */
        ARRIVING,
        /** At least one of the last ones did not arrive. */
        LOST_LATELY
    }

    /**
     * @param suspicion how many notices have to arrive before waiters rely on them
     * @param before what that was before the last one that did not arrive
     * @param missedInRow how many waits in a row have ended by a read
     * @param any whether any notice has ever arrived
     */
    private record State(int suspicion, int before, int missedInRow, boolean any) {}

    private final AtomicReference<State> state = new AtomicReference<>(new State(0, 0, 0, false));

    /** A notice ended a wait. */
    public void arrived() {
        state.updateAndGet(now -> new State(Math.max(0, now.suspicion() - 1), Math.max(0, now.before() - 1), 0, true));
    }

    /** A read ended a wait that a notice should have ended. */
    public void missed() {
        state.updateAndGet(
                now -> new State(SUSPICION, now.suspicion(), Math.min(DEAF, now.missedInRow() + 1), now.any()));
    }

    /** A notice came after a read had shown its fact. It was not lost, so there is no suspicion. */
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
