package io.github.cassandralock.faults.judge;

/** A time, on the monotonic clock, in which locks may be lost, and attempts fail, without a lie. */
public record Window(long from, long to) {

    boolean meets(long begin, long end) {
        return begin <= to && end >= from;
    }
}
