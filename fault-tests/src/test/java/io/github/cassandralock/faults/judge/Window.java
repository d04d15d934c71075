package io.github.cassandralock.faults.judge;

/** A time, on the monotonic clock, in which locks may be lost, and attempts fail, without a lie. */
public record Window(long from, long to) {

    /** Whether any part of the time from the one to the other is in it. */
    public boolean meets(long begin, long end) {
        return begin <= to && end >= from;
    }
}
