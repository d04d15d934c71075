package io.github.cassandralock.internal.inspect;

import io.github.cassandralock.internal.store.Slot;
import java.time.Duration;
import java.util.Optional;

/**
 * A slot, and how long its row has yet to live.
 *
 * @param left to a second, by the servers' clocks; empty if the store does not say
 */
public record InspectedSlot(Slot slot, Optional<Duration> left) {}
