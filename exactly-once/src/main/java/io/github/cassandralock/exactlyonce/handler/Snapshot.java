package io.github.cassandralock.exactlyonce.handler;

/**
 * A state that is committed: it was read, or a compare-and-set has written or shown it. Others may have changed it since.
 *
 * @param version of the register
 * @param state at that version
 */
record Snapshot(long version, HandlerState state) {}
