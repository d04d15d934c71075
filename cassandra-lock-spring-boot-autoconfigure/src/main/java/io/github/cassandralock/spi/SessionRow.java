package io.github.cassandralock.spi;

/**
 * What is known to all of a session.
 *
 * @param beat raised by each renewal
 * @param alive false is final
 */
public record SessionRow(long beat, boolean alive) {}
