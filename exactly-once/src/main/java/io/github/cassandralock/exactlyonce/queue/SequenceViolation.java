package io.github.cassandralock.exactlyonce.queue;

/**
 * A message does not follow the last message of its producer. A store has forgotten what it had acknowledged, or two programs use
 * the name of one producer.
 *
 * @param queue its name
 * @param index of the message
 * @param expected the sequence that should follow
 * @param found the message that is there
 */
public record SequenceViolation(String queue, long index, long expected, MessageId found) {

    /** Whether this message, or another with its sequence, was there before. */
    public boolean isDouble() {
        return found.sequence() < expected;
    }

    @Override
    public String toString() {
        return "Queue " + queue + " has " + found + " at index " + index + " where " + found.producer() + "#" + expected
                + " should be: " + (isDouble() ? "it is there twice" : "messages are missing")
                + ". A store has forgotten acknowledged writes, or two programs use this producer's name";
    }
}
