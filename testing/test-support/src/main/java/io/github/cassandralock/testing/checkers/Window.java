package io.github.cassandralock.testing.checkers;

/** A time, on the monotonic clock, in which locks may be lost, and attempts fail, without a safety violation. */
public record Window(long from, long to) {

    /** Whether any part of the time from the one to the other is in it. */
    public boolean meets(long begin, long end) {
        return begin <= to && end >= from;
    }
}
