package io.github.cassandralock.internal.time;

/** Monotonic time of this process: the only time that decisions about leases may use. Thread-safe. */
@FunctionalInterface
public interface Ticker {

    /** Nanoseconds since an arbitrary origin; only differences mean something. */
    long nanos();

    /** {@link System#nanoTime()}. */
    static Ticker system() {
        return System::nanoTime;
    }
}
