package io.github.cassandralock.internal.exhaustive;

/** The world's time. It passes only when a timer ends, or not at all. */
final class SmallTime {

    private final boolean stands;
    private long now;

    SmallTime(boolean stands) {
        this.stands = stands;
    }

    long now() {
        return now;
    }

    /** A timer may end late, never early. */
    void advanceTo(long instant) {
        now = stands ? now : Math.max(now, instant);
    }
}
