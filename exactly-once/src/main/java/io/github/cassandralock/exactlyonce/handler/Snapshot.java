package io.github.cassandralock.exactlyonce.handler;

/**
 * A committed state, which was read, or which a compare-and-set has written or shown. Other copies may have changed it since.
 *
 * @param version of the register
 * @param state at that version
 */
record Snapshot(long version, HandlerState state) {}
