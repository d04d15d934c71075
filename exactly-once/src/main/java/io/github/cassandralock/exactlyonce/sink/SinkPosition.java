package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.queue.SequenceCheck;

/**
 * How far a transactional sink has taken a queue. Both parts are in one row of the sink's store, written together.
 *
 * @param index of the next message
 * @param check the last sequence of each producer; {@link SequenceCheck#toBytes} returns the column
 */
public record SinkPosition(long index, SequenceCheck check) {}
