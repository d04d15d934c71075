package io.github.cassandralock.exactlyonce.queue;

/** What a reader finds at an index. */
public sealed interface Cell {

    /**
     * A message is there. That is final, whatever read has shown it.
     *
     * @param message that is there
     */
    record Full(Message message) implements Cell {}

    /** Nothing was there when this was read. A hint only: the read may be old. A reader never goes past an absent cell. */
    record Absent() implements Cell {}

    /** A message was there, all registered consumers have taken it, and the cell was cleaned. The reader's state is old. */
    record Gone() implements Cell {}
}
