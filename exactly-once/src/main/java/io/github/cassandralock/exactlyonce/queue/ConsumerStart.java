package io.github.cassandralock.exactlyonce.queue;

/**
 * Where a consumer begins that has taken nothing.
 *
 * @param index of the first message that it takes
 * @param check the last sequences of the messages before that index
 */
public record ConsumerStart(long index, SequenceCheck check) {}
