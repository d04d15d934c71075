package io.github.cassandralock.spi;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The wall clock of this machine. Mutual exclusion does not depend on it. The algorithms derive the following from it: {@code
 * ticket} the lowest fencing token of a new lock, {@code queue} the order of arrival, {@code shadow} the timestamps of its cells.
 * A bean of this type replaces the clock of the operating system. Thread-safe.
 */
@FunctionalInterface
public interface WallClock {

    /**
     * Returns the time of day.
     *
     * @return microseconds since 1970-01-01T00:00Z; may jump forwards and backwards
     */
    long readMicros();

    /**
     * Returns the clock of the operating system.
     *
     * @return the clock
     */
    static WallClock system() {
        return () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
