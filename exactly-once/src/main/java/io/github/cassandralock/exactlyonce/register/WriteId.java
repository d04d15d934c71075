package io.github.cassandralock.exactlyonce.register;

import java.util.UUID;

/**
 * The identity of one write. It is kept with the version that the write made.
 *
 * @param process drawn at random when the process starts
 * @param counter of the writes of the process; no number is used twice
 */
public record WriteId(UUID process, long counter) {}
