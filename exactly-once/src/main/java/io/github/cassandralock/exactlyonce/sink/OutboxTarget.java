package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.bytes.MalformedBytesException;

/**
 * Where the rows of an outbox go, kept with the outbox. It never changes: in another queue they would begin at row 0 again.
 *
 * @param pump the name of the pump, which is the queue's producer
 * @param queue the name of the queue
 * @param queueBirth the birth of the queue
 * @param birth of this target: drawn when it is made, and told to the queue
 */
public record OutboxTarget(String pump, String queue, String queueBirth, String birth) {

    /** As one column of a sink's store. */
    public String toText() {
        return pump + " " + queue + " " + queueBirth + " " + birth;
    }

    /** Of the text that {@link #toText} made. */
    public static OutboxTarget ofText(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 4) {
            throw new MalformedBytesException(
                    "The target of an outbox is not known to this version of the program: '" + text + "'. Upgrade it");
        }
        return new OutboxTarget(parts[0], parts[1], parts[2], parts[3]);
    }
}
