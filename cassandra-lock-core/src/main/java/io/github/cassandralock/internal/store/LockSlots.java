package io.github.cassandralock.internal.store;

import java.util.List;
import java.util.OptionalLong;

/**
 * A lock's partition as one quorum read shows it.
 *
 * @param slots the rows, one per slot
 * @param lastToken the highest fencing token that a holder may have shown; empty if none was requested, or it has expired
 */
public record LockSlots(List<Slot> slots, OptionalLong lastToken) {}
