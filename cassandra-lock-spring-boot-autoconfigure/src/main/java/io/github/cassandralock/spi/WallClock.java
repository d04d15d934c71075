package io.github.cassandralock.spi;

/** The calendar as this machine believes it to be. Never compared across machines to decide who holds a lock. */
@FunctionalInterface
public interface WallClock {

    /** Microseconds since 1970-01-01T00:00Z. May jump, in both directions. */
    long micros();
}
