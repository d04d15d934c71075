package io.github.cassandralock.internal.ticket.slot;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The only way from a slot's state to the rest of the lock: questions, changes of other state, and effects. Nothing here calls
 * the slot again before its decision is made. Used in the lock's mailbox alone.
 */
public interface LockAccess {

    // Questions

    TicketContext context();

    String lockId();

    /** Whether the process is closing its locks. */
    boolean isClosing();

    /** Whether this process requests the lock in a conflicting mode, by a waiting request or another slot. */
    boolean isRequestedHere(LockMode mode);

    /** Whether another session has sent WAITING for the slot's present attempt. */
    boolean isRequestedElsewhere();

    /** For a conversion, whether no sharer of the handle's slots conflicts with it. True for other requests. */
    boolean areSharersGone(TicketRequest request);

    // Changes of other state

    /**
     * Takes the next request in this mode and with these permits out of the waiting list. Empty if a conflicting one came before
     * it and still waits.
     */
    Optional<TicketRequest> takeNext(LockMode mode, int permits);

    /** Takes out a waiting request that inherits the attempt of a cancelled request. A request that only tries inherits none. */
    Optional<TicketRequest> takeHeir(TicketRequest cancelled);

    /** Puts requests back into the waiting list, to their places. */
    void requeue(List<TicketRequest> requests);

    /** Returns a hold of the acquired slot, without a grant yet. */
    SlotHold hold(Outcome.Acquired acquired);

    // Effects

    /** Starts an attempt for the request. W1 replaces the row from an earlier use, if there is one. */
    SlotAttempt start(TicketRequest request, Optional<OwnRow> replaced);

    /**
     * Returns an attempt that only pauses, for the longest pause between polls. The request then begins again with another
     * attempt, whose W1 replaces the given row.
     */
    SlotAttempt startAfterPause(TicketRequest request, Optional<OwnRow> replaced);

    /** Starts an attempt for the request by RETICKET with the row that was promised. */
    SlotAttempt startWithReticket(TicketRequest request, OwnRow promised);

    /** Stops an attempt. Its requests continue with another attempt, or have failed. */
    void abandon(SlotAttempt attempt);

    /** Stops an attempt that nobody needs any longer. Dead sessions ahead of it are still evicted. */
    void cancel(SlotAttempt attempt);

    /** Grants the request by a new handle of the hold. */
    void grant(TicketRequest request, SlotHold hold);

    void refuse(TicketRequest request);

    void fail(TicketRequest request, Throwable cause);

    /** Fails the requests without a slot that have waited for a lease or longer. */
    void failLongWaiting(Throwable cause);

    /** Sends OVER for the row's attempt to all that wait for it, unless the session is lost. The slot's next attempt begins with W1. */
    void sendOver(OwnRow row);

    /**
     * Ends the row's attempt and promises the next one. All that wait receive OVER with the number and the ticket of the promise.
     */
    OwnRow promise(OwnRow over);

    /** Writes the row as released. Repeats the write until it is acknowledged or the slot has another state. */
    void release(SlotState.Releasing releasing);

    /** After this time {@link SlotState#reservationEnded} is called, unless the slot has another state by then. */
    void startTimer(Duration time, SlotState since);

    /**
     * Reports and writes the hold's mode, which was lowered. The write is repeated until it is acknowledged or the slot is over.
     */
    void modeLowered(SlotHold hold);

    /** Reports to conversions that fewer threads use the slot, or need a weaker mode of it. */
    void sharersChanged();

    /** Drops the listeners of a hold that no handle uses any more. */
    void endContention(SlotHold hold);

    /**
     * Writes that the row stays taken for at least this long. Its session outlives the process. Fails the requests without a
     * slot. If the write fails, the row exists until its present life ends.
     */
    void leaveBehind(OwnRow row, Duration atLeast);

    // Events of other slots, which follow when this decision is made

    /** Gives the hold to the handle of the conversion that has acquired it. */
    void completeConversion(TicketRequest conversion, SlotHold hold);

    /** Ends these handles, which withdraws all their slots. */
    void lose(List<TicketHandle> handles, LockLoss loss);
}
