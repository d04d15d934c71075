package io.github.cassandralock.internal.store;

/**
 * The columns of a session's row that transactions compare.
 *
 * @param beat the last renewal
 * @param alive whether the session is alive; once false, it stays false
 */
public record SessionState(Beat beat, boolean alive) {}
