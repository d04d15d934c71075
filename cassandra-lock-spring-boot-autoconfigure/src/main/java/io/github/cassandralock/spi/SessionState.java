package io.github.cassandralock.spi;

/**
 * The part of a session's row that is compared and set.
 *
 * @param beat the last renewal
 * @param alive false is final
 */
public record SessionState(Beat beat, boolean alive) {}
