package io.github.cassandralock.spi;

import java.time.Duration;
import java.util.Optional;

/** What keeps an attempt from its grant, as far as this process knows, for messages. */
public sealed interface Obstacle {

    /** The store does not answer, or refuses: since the last of the attempt's steps that succeeded, none has. */
    record StoreFails(Throwable last) implements Obstacle {}

    /**
     * Somebody has the lock, or goes first.
     *
     * @param who host and process, or a thread of this process; empty if nobody has told yet
     * @param atLeast for how long this process has seen it so
     */
    record Taken(Optional<String> who, Duration atLeast) implements Obstacle {}
}
