package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.internal.ticket.table.SlotRelease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the state of a slot may ask about the rest of the lock, and what it may order. No order comes back to the slot in the same event.
 * Used in the lock's mailbox alone.
 */
interface LockView {

    TicketContext context();

    String lockId();

    /** Whether the process ends. */
    boolean isClosing();

    /** Whether a request of this process waits, or another slot is about to get the lock, in a mode that conflicts. */
    boolean isRequestedHere(LockMode mode);

    /** Whether another session has sent WAITING for the slot's present attempt. */
    boolean isRequestedElsewhere();

    /** Takes the next request in this mode out of the waiting list, unless one that conflicts came before it and still waits. */
    Optional<TicketRequest> takeNext(LockMode mode);

    /** Puts requests back into the waiting list, to their places. */
    void requeue(List<TicketRequest> requests);

    /** Fails the requests without a slot that have waited for a lease or longer. */
    void failLongWaiting(Throwable cause);

    /** An attempt for the request, which has yet to begin. W1 replaces the row from an earlier use, if there is one. */
    SlotAttempt attempt(TicketRequest request, Optional<OwnRow> replaced);

    /** An attempt for the request that begins by RETICKET with the row that was promised, and has yet to begin. */
    SlotAttempt returningAttempt(TicketRequest request, OwnRow promised);

    SlotHold hold(Outcome.Acquired acquired);

    /** Grants the request by its own handle of the hold. */
    void grant(TicketRequest request, SlotHold hold);

    /** The row's attempt is over: those that wait for it receive that, unless its session is lost. Only W1 may follow. */
    void sendOver(OwnRow row);

    /** The row's attempt is over, and another one is promised in its place: those that wait receive its number and its ticket. */
    OwnRow promise(OwnRow over);

    /** Begins to write that the row is released. The action runs when that was tried once. */
    SlotRelease release(OwnRow row, Runnable tried);

    /** After this time {@link SlotState#unreserved} is called, unless the slot has another state by then. */
    void startTimer(Duration time, SlotState since);
}
