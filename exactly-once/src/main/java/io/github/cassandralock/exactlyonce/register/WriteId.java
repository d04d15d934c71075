package io.github.cassandralock.exactlyonce.register;

import java.util.UUID;

/**
 * Names one write. It stays with the version that the write has made.
 *
 * @param process drawn at random when the process starts
 * @param counter counts the writes of the process; no number is used twice
 */
public record WriteId(UUID process, long counter) {}
