package io.github.cassandralock.spi;

import java.time.Duration;
import java.util.Optional;

/** What keeps an attempt from its grant, as far as this process knows. It is for messages only. */
public sealed interface Obstacle {

    /**
     * The store does not answer, or it refuses: no step of the attempt has succeeded since the last one that did.
     *
     * @param last the failure of the latest step
     */
    record StoreFails(Throwable last) implements Obstacle {}

    /**
     * Somebody else holds the lock, or is before this attempt in the queue.
     *
     * @param who host and process, or a thread of this process; empty if it is not known yet
     * @param atLeast for how long this process has seen it so
     */
    record Taken(Optional<String> who, Duration atLeast) implements Obstacle {}
}
