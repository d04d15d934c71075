package io.github.cassandralock.internal.store;

import java.util.UUID;

/**
 * One session's row in a lock's partition. Always written as a whole.
 *
 * @param session its owner; other sessions write it only to evict it
 * @param attempt names one acquisition of this session; a later one has a higher number
 * @param phase how far that acquisition is
 * @param mode what it wants
 * @param ticket its place; 0 while it has none
 */
public record Slot(UUID session, long attempt, SlotPhase phase, SlotMode mode, long ticket) {}
