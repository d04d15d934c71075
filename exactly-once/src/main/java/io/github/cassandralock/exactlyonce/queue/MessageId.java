package io.github.cassandralock.exactlyonce.queue;

/**
 * The identity of a message of a queue. Ids are compared, and contents never are, since two messages may have equal contents.
 *
 * @param producer a stable name, or a random one if {@code anonymous}
 * @param sequence counts 0, 1, 2, … for each pair of producer and queue, without a gap
 * @param anonymous whether only one process uses the name, and never again; then its last sequence is not kept
 */
public record MessageId(String producer, long sequence, boolean anonymous) {

    /**
     * @throws IllegalArgumentException if the name is not allowed, or the sequence negative
     */
    public MessageId {
        Names.checked("producer", producer);
        if (sequence < 0) {
            throw new IllegalArgumentException("Sequences count from 0; this sequence is " + sequence);
        }
    }

    /**
     * An id of a producer with a stable name.
     *
     * @param producer the name
     * @param sequence of the message
     * @return the id
     */
    public static MessageId of(String producer, long sequence) {
        return new MessageId(producer, sequence, false);
    }

    @Override
    public String toString() {
        return producer + "#" + sequence;
    }
}
