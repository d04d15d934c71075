package io.github.cassandralock.internal.ticket.process;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether notices arrive in this process: of the waits that a notice should have ended, how many it did. Says how long a
 * waiter may rely on being told (notices, section 3). Thread-safe.
 */
public final class NoticeHealth {

    /** After a notice that did not arrive, so many have to arrive before waiters rely on them again. */
    private static final int SUSPICION = 64;

    /** After so many in a row that did not arrive, waiters take it that none does. */
    private static final int DEAF = 4;

    /** What a process knows about the notices that it is to get. */
    public enum Trust {
        /** None has arrived, and none is known to be lost. */
        UNKNOWN,
        /** All have arrived lately: it is cheaper to ask again, or to wait for a late one, than to look. */
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

    /** A notice came that a read was quicker than. It was not lost, so nothing is to be suspected. */
    public void arrivedLate() {
        state.updateAndGet(now -> new State(now.before(), now.before(), 0, true));
    }

    /** How far a waiter may rely on being told. */
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
