package io.github.cassandralock.spi;

import java.time.Duration;
import java.util.Optional;

/** Why an attempt has no grant yet, as seen by this process. For messages only. */
public sealed interface Obstacle {

    /**
     * Requests to the store fail.
     *
     * @param last the most recent failure
     */
    record StoreFails(Throwable last) implements Obstacle {}

    /**
     * Another holder has the lock, or another waiter is ahead in the queue.
     *
     * @param who host and process of the other, or a thread of this process; empty if unknown
     * @param atLeast how long this process has observed this
     */
    record Taken(Optional<String> who, Duration atLeast) implements Obstacle {}
}
