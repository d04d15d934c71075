package io.github.cassandralock.internal.store;

/**
 * The part of a session's row that is compared and set.
 *
 * @param beat the last renewal
 * @param alive false is final
 */
public record SessionState(Beat beat, boolean alive) {}
