package io.github.cassandralock.internal.notice;

import io.github.cassandralock.internal.store.Contact;
import java.util.Optional;
import java.util.UUID;

/**
 * Carries notices between this process's sessions and the sessions of others. Notices are authentic. The sender is the session
 * that the notice names, or a process that may read the sessions' table. No method blocks, waits or throws; what cannot be sent
 * is dropped. Thread-safe.
 */
public interface NoticeChannel {

    /** For a process that exchanges no notices. */
    NoticeChannel OFF = new NoticeChannel() {

        @Override
        public Optional<Contact> open(UUID session) {
            return Optional.empty();
        }

        @Override
        public void receiveBy(Receiver receiver) {}

        @Override
        public boolean mayReach(UUID session) {
            return false;
        }

        @Override
        public void send(UUID from, UUID to, Notice notice) {}

        @Override
        public void answer(UUID from, UUID to, Notice notice) {}
    };

    /** Receives notices. Called by one thread at a time per sender; must not block. */
    @FunctionalInterface
    interface Receiver {

        /**
         * @param from the sender's session
         * @param to a session of this process
         */
        void received(UUID from, UUID to, Notice notice);
    }

    /**
     * Begins to accept notices for a new session of this process.
     *
     * @return where others reach it, to be published in the session's row; empty if this process exchanges no notices
     */
    Optional<Contact> open(UUID session);

    /** Sets the receiver of all notices from now on. Called once. */
    void receiveBy(Receiver receiver);

    /**
     * Whether a notice to this session is likely to arrive. False if the session published no contact or could not be reached
     * lately. True while that is unknown; the call then begins to read the contact.
     */
    boolean mayReach(UUID session);

    /**
     * Sends a notice, or drops it.
     *
     * @param from a session of this process that was opened here
     */
    void send(UUID from, UUID to, Notice notice);

    /**
     * Sends a notice as the answer to one that has just arrived, or drops it. A session gets a bounded number of answers in a
     * second.
     *
     * @param from a session of this process that was opened here
     */
    void answer(UUID from, UUID to, Notice notice);
}
