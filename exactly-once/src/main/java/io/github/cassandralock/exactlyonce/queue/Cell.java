package io.github.cassandralock.exactlyonce.queue;

/** What a reader finds at an index. */
public sealed interface Cell {

    /**
     * A message is there. This is final, even if an old read has shown it.
     *
     * @param message that is there
     */
    record Full(Message message) implements Cell {}

    /**
     * Nothing was there at the time of the read, which may be old, so this is only a hint. A reader never passes an absent cell.
     */
    record Absent() implements Cell {}

    /** A message was there, all registered consumers have taken it, and the cell was cleaned. The reader's state is old. */
    record Gone() implements Cell {}
}
