package io.github.cassandralock.exactlyonce.table;

import io.github.cassandralock.exactlyonce.bytes.Bytes;

/**
 * A message as a transaction has read and locked it.
 *
 * @param id never used again in its table
 * @param payload what was pushed
 * @param failures how often its effect has failed
 */
public record TableMessage(long id, Bytes payload, int failures) {}
