package io.github.cassandralock.internal.notice;

import io.github.cassandralock.LockMode;
import java.util.List;

/**
 * A message from one session to another about one lock (notices, section 2). A notice may be lost, late by any time, doubled, or
 * overtake others.
 */
public sealed interface Notice {

    /** The lock of the notice. */
    String lockId();

    /**
     * WAITING: the sender waits for this attempt of the receiver.
     *
     * @param slot the number of the receiver's slot
     * @param attempt of the receiver
     * @param senderSlot the number of the slot with which the sender waits
     * @param ticket of the sender
     */
    record Waiting(String lockId, int slot, long attempt, int senderSlot, long ticket) implements Notice {}

    /**
     * TICKET: the sender has drawn this ticket in this attempt.
     *
     * @param slot the number of the sender's slot
     * @param attempt of the sender
     * @param ticket of the sender
     */
    record Ticket(String lockId, int slot, long attempt, long ticket) implements Notice {}

    /**
     * MODE: the sender's attempt has another mode now.
     *
     * @param slot the number of the sender's slot
     * @param attempt of the sender
     * @param mode that the attempt has now
     */
    record Mode(String lockId, int slot, long attempt, LockMode mode) implements Notice {}

    /** OVER: facts about the sender, and about others that the sender has received. */
    record Over(String lockId, List<Fact> facts) implements Notice {

        public Over {
            facts = List.copyOf(facts);
        }
    }

    /**
     * {@code ASK}: the sender tries to get the lock, and this attempt of the receiver is in its way.
     *
     * @param slot the number of the receiver's slot
     * @param attempt of the receiver
     * @param question a number that the sender uses once
     */
    record Ask(String lockId, int slot, long attempt, long question) implements Notice {}

    /**
     * HELD: the answer to {@code ASK} by a session whose thread holds the lock.
     *
     * @param question the number in {@code ASK}
     */
    record Held(String lockId, long question) implements Notice {}
}
