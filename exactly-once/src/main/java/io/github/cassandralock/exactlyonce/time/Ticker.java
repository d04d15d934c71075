package io.github.cassandralock.exactlyonce.time;

/** A monotonic clock of this process. It measures durations, and says nothing about other machines. Thread-safe. */
@FunctionalInterface
public interface Ticker {

    /** Nanoseconds since an arbitrary moment; only differences mean anything. */
    long nanos();

    /** {@link System#nanoTime()}. */
    static Ticker system() {
        return System::nanoTime;
    }
}
