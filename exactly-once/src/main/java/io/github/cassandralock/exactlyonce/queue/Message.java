package io.github.cassandralock.exactlyonce.queue;

import java.util.List;

/**
 * The content of one cell of a queue: a group of payloads, which is there as a whole or not.
 *
 * @param id of the message
 * @param payloads of the message; the arrays are shared and must not be changed
 */
public record Message(MessageId id, List<byte[]> payloads) {

    public Message {
        payloads = List.copyOf(payloads);
    }

    /**
     * A message with one payload.
     *
     * @param id of the message
     * @param payload shared, must not be changed
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
