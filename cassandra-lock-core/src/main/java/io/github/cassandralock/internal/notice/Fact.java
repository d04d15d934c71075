package io.github.cassandralock.internal.notice;

import io.github.cassandralock.internal.store.SlotId;
import java.util.OptionalLong;

/**
 * What is final about the attempts of one slot of one lock (notices, section 1). The two numbers belong together: a fact is never
 * made of the numbers of two facts.
 *
 * @param slot whose attempts
 * @param attempt every attempt of the slot with a lower number is over: it holds nothing, and will not
 * @param ticket if present, the session promised that this attempt begins with RETICKET and has this ticket. If empty, the slot's
 *     next attempt begins with W1, whatever its number
 */
public record Fact(SlotId slot, long attempt, OptionalLong ticket) {

    /** The slot's next attempt begins with W1. */
    public static Fact over(SlotId slot, long attempt) {
        return new Fact(slot, attempt, OptionalLong.empty());
    }

    /** The slot's attempt of this number begins with RETICKET and has this ticket. */
    public static Fact promised(SlotId slot, long attempt, long ticket) {
        return new Fact(slot, attempt, OptionalLong.of(ticket));
    }

    /** Whether this fact includes another about its slot. */
    public boolean covers(Fact other) {
        return attempt > other.attempt || (attempt == other.attempt && (ticket.isEmpty() || other.ticket.isPresent()));
    }
}
