package io.github.cassandralock.testing.workload;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.cassandralock.LockMode;

/** What a thread that uses locks records, step by step. Times are of the monotonic clock that all processes here share. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Event.Asked.class, name = "asked"),
    @JsonSubTypes.Type(value = Event.Converted.class, name = "converted"),
    @JsonSubTypes.Type(value = Event.Entered.class, name = "entered"),
    @JsonSubTypes.Type(value = Event.Left.class, name = "left"),
    @JsonSubTypes.Type(value = Event.Ended.class, name = "ended")
})
public sealed interface Event {

    /** Unique in its process. */
    String thread();

    /** Counts the thread's attempts to get a lock. */
    long attempt();

    long at();

    /**
     * It asks for a lock, or to convert one that it holds: the time in each mode counts as an attempt of its own.
     *
     * @param handle the attempt by which the lock was taken: this one, or the one whose lock is to be converted
     */
    record Asked(String thread, long attempt, long at, String lockId, LockMode mode, long handle) implements Event {}

    /**
     * It has converted its lock, which kept writers out all the time.
     *
     * @param at before the counter was read for the first time
     * @param before the counter's value before the conversion
     * @param after the counter's value after the conversion, at a time when the lock was still held
     */
    record Converted(String thread, long attempt, long at, long before, long after) implements Event {}

    /**
     * It has the lock, and has yet to change anything.
     *
     * @param at before the lock was asked whether it is held, and said so
     * @param token {@link #NO_TOKEN} if the algorithm has none
     * @param read the counter's value
     * @param workNanos for how long it means to keep the lock
     */
    record Entered(String thread, long attempt, long at, long token, long read, long workNanos) implements Event {}

    /**
     * It has done its work.
     *
     * @param at after the counter was written, or read again, and before the lock was asked whether it is still held
     * @param heldUntil before the last time that the lock said during the work that it is held
     * @param value the counter's value as it was written, or read again
     * @param held what the lock said
     * @param tokenRefused whether the register had seen a higher token
     */
    record Left(String thread, long attempt, long at, long heldUntil, long value, boolean held, boolean tokenRefused)
            implements Event {}

    /**
     * This attempt is over.
     *
     * @param detail what to tell people; may be empty
     */
    record Ended(String thread, long attempt, long at, Outcome outcome, String detail) implements Event {}

    long NO_TOKEN = 0;
}
