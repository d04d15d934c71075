package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.bytes.MalformedBytesException;

/**
 * Which queue a sink's position counts, kept beside it. It never changes: an index means nothing in another queue.
 *
 * @param queue the name of the queue
 * @param queueBirth the birth of the queue: a queue that is made afresh under its name has another
 * @param birth of the position: drawn when it is made, and told to the queue
 */
public record SinkOrigin(String queue, String queueBirth, String birth) {

    private static final SinkOrigin OF_OLDER_VERSION = new SinkOrigin("", "", "");

    /** That of a position which a version of the program has written that kept no origin. */
    public static SinkOrigin ofOlderVersion() {
        return OF_OLDER_VERSION;
    }

    /** Whether the position says which queue it counts. */
    public boolean isKnown() {
        return !equals(OF_OLDER_VERSION);
    }

    /** As one column of a sink's store. */
    public String toText() {
        return queue + " " + queueBirth + " " + birth;
    }

    /** Of the text that {@link #toText} made. */
    public static SinkOrigin ofText(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 3) {
            throw new MalformedBytesException(
                    "The origin of a sink's position is not known to this version of the program: '" + text
                            + "'. Upgrade it");
        }
        return new SinkOrigin(parts[0], parts[1], parts[2]);
    }
}
