package io.github.cassandralock.internal.inspect;

import io.github.cassandralock.internal.store.Slot;
import java.time.Duration;
import java.util.Optional;

/**
 * A slot, and how long its row still lives.
 *
 * @param left to a second, by the servers' clocks; empty if the store does not supply it
 */
public record InspectedSlot(Slot slot, Optional<Duration> left) {}
