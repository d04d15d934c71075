package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.SequenceCheck;

/**
 * How far a handler has taken an input queue.
 *
 * @param index of the next message
 * @param check the last sequences of its producers
 */
record InputPosition(long index, SequenceCheck check) {

    /** @param mostProducers how many producers are remembered */
    InputPosition after(MessageId id, int mostProducers) {
        return new InputPosition(index + 1, check.after(index, id, mostProducers));
    }

    InputPosition withoutProducers() {
        return new InputPosition(index, check.withoutProducers(index));
    }
}
