package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.store.Slot;

/** What an attempt has done by a step of its own. */
public sealed interface Report {

    /** The attempt has drawn its ticket, and continues. */
    record TicketDrawn(Slot row) implements Report {}

    /** The pause of an attempt that only pauses is over. */
    record PauseOver() implements Report {}

    /** The attempt has ended. Reported at most once, and never if the attempt is abandoned, or has returned an outcome. */
    record Ended(Outcome outcome) implements Report {}
}
