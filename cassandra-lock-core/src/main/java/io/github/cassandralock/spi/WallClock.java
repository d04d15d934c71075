package io.github.cassandralock.spi;

/**
 * The wall clock of this machine. It is never compared across machines to decide who holds a lock. A bean of this type
 * replaces the system's clock. Thread-safe.
 */
@FunctionalInterface
public interface WallClock {

    /**
     * The time of day as this machine believes it to be.
     *
     * @return microseconds since 1970-01-01T00:00Z; may jump, in both directions
     */
    long micros();
}
