package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.bytes.MalformedBytesException;

/**
 * The pump and queue of the rows of an outbox, stored with the outbox. It never changes, since another queue would get the rows
 * from row 0 again.
 *
 * @param pump the name of the pump, which is the queue's producer
 * @param queue the name of the queue
 * @param queueBirth the birth of the queue
 * @param birth of this target; drawn when it is made, and stored in the queue
 */
public record OutboxTarget(String pump, String queue, String queueBirth, String birth) {

    /** The text of one column of a sink's store. */
    public String toText() {
        return pump + " " + queue + " " + queueBirth + " " + birth;
    }

    /**
     * Parses the text of {@link #toText}.
     *
     * @throws MalformedBytesException if the text has another form
     */
    public static OutboxTarget ofText(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 4) {
            throw new MalformedBytesException(
                    "This version of the program does not recognise the target of an outbox: '" + text
                            + "'. Upgrade it");
        }
        return new OutboxTarget(parts[0], parts[1], parts[2], parts[3]);
    }
}
