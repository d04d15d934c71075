package io.github.cassandralock.internal.inspect;

import java.util.List;
import java.util.OptionalLong;

/**
 * The slots of one lock, as one read shows them.
 *
 * @param lastToken the highest fencing token that a holder so far may have shown; empty if none was requested
 */
public record InspectedSlots(List<InspectedSlot> slots, OptionalLong lastToken) {}
