package io.github.cassandralock.internal.time;

/** The monotonic clock of this process. Decisions about leases may use no other clock. Thread-safe. */
@FunctionalInterface
public interface Ticker {

    /** Returns nanoseconds since an arbitrary origin. Only differences have a meaning. */
    long nanos();

    /** {@link System#nanoTime()}. */
    static Ticker system() {
        return System::nanoTime;
    }
}
