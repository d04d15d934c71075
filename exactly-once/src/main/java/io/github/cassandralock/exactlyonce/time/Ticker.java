package io.github.cassandralock.exactlyonce.time;

/** A monotonic clock of this process, for durations. Its values have no meaning on other machines. Thread-safe. */
@FunctionalInterface
public interface Ticker {

    /** Nanoseconds since an arbitrary moment; only differences have a meaning. */
    long readNanos();

    /** {@link System#nanoTime()}. */
    static Ticker system() {
        return System::nanoTime;
    }
}
