package io.github.cassandralock.internal.store;

import java.util.UUID;

/**
 * One session's row in a lock's partition. Always written as a whole.
 *
 * @param session its owner; other sessions may only delete it
 * @param attempt names one acquisition of this session; a later one has a higher number
 * @param phase how far that acquisition has come
 * @param mode how the session wants the lock
 * @param ticket its place in the queue; 0 while it has none
 */
public record Slot(UUID session, long attempt, SlotPhase phase, SlotMode mode, long ticket) {}
