package io.github.cassandralock.internal.ticket.slot;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The only way from the state of a slot to the rest of the lock: questions, changes of other state, and effects. No effect comes back to
 * the slot in the same event. Used in the lock's mailbox alone.
 */
public interface LockView {

    // Questions

    TicketContext context();

    String lockId();

    /** Whether the process ends. */
    boolean isClosing();

    /** Whether a request of this process waits, or another slot is about to get the lock, in a mode that conflicts. */
    boolean isRequestedHere(LockMode mode);

    /** Whether another session has sent WAITING for the slot's present attempt. */
    boolean isRequestedElsewhere();

    // Changes of other state

    /** Takes the next request in this mode out of the waiting list, unless one that conflicts came before it and still waits. */
    Optional<TicketRequest> takeNext(LockMode mode);

    /** Puts requests back into the waiting list, to their places. */
    void requeue(List<TicketRequest> requests);

    /** A hold by what was acquired, without a grant. */
    SlotHold hold(Outcome.Acquired acquired);

    // Effects

    /** Starts an attempt for the request. W1 replaces the row from an earlier use, if there is one. */
    SlotAttempt start(TicketRequest request, Optional<OwnRow> replaced);

    /** Does the same after the longest pause between polls. */
    SlotAttempt startAfterPause(TicketRequest request, Optional<OwnRow> replaced);

    /** Starts an attempt for the request by RETICKET with the row that was promised. */
    SlotAttempt startReturning(TicketRequest request, OwnRow promised);

    /** Stops an attempt that another one replaces. */
    void abandon(SlotAttempt attempt);

    /** Stops an attempt that nobody needs any longer. Dead sessions ahead of it are still evicted. */
    void cancel(SlotAttempt attempt);

    /** Grants the request by its own handle of the hold. */
    void grant(TicketRequest request, SlotHold hold);

    void refuse(TicketRequest request);

    void fail(TicketRequest request, Throwable cause);

    /** Fails the requests without a slot that have waited for a lease or longer. */
    void failLongWaiting(Throwable cause);

    /** The row's attempt is over: those that wait for it receive that, unless its session is lost. Only W1 may follow. */
    void sendOver(OwnRow row);

    /** The row's attempt is over, and another one is promised in its place: those that wait receive its number and its ticket. */
    OwnRow promise(OwnRow over);

    /** Writes that the row is released, again and again until that is acknowledged or the slot has another state. */
    void release(SlotState.Releasing releasing);

    /** After this time {@link SlotState#unreserved} is called, unless the slot has another state by then. */
    void startTimer(Duration time, SlotState since);
}
