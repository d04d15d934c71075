package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.bytes.MalformedBytesException;

/**
 * The queue that a sink's position counts, stored beside the position. It never changes, since an index has no meaning in another
 * queue.
 *
 * @param queue the name of the queue
 * @param queueBirth the birth of the queue; a queue that is made again with its name has another
 * @param birth of the position; drawn when it is made, and stored in the queue
 */
public record SinkOrigin(String queue, String queueBirth, String birth) {

    private static final SinkOrigin OF_OLDER_VERSION = new SinkOrigin("", "", "");

    /** The origin of a position of a program version that stored no origin. */
    public static SinkOrigin ofOlderVersion() {
        return OF_OLDER_VERSION;
    }

    /** Whether a queue is recorded. */
    public boolean isKnown() {
        return !equals(OF_OLDER_VERSION);
    }

    /** The text of one column of a sink's store. */
    public String toText() {
        return queue + " " + queueBirth + " " + birth;
    }

    /**
     * Parses the text of {@link #toText}.
     *
     * @throws MalformedBytesException if the text has another form
     */
    public static SinkOrigin ofText(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 3) {
            throw new MalformedBytesException(
                    "This version of the program does not recognise the origin of a sink's position: '" + text
                            + "'. Upgrade it");
        }
        return new SinkOrigin(parts[0], parts[1], parts[2]);
    }
}
