package io.github.cassandralock.exactlyonce.queue;

import java.util.List;

/**
 * What one cell of a queue holds: a group of payloads that is there as a whole or not at all.
 *
 * @param id of the message
 * @param payloads what it says; the arrays are shared, so nobody may change them
 */
public record Message(MessageId id, List<byte[]> payloads) {

    /** Makes the list unmodifiable. */
    public Message {
        payloads = List.copyOf(payloads);
    }

    /**
     * A message with one payload.
     *
     * @param id of the message
     * @param payload what it says
     * @return the message
     */
    public static Message of(MessageId id, byte[] payload) {
        return new Message(id, List.of(payload));
    }

    @Override
    public String toString() {
        return "message " + id + " with " + payloads.size() + " payloads";
    }
}
