package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.ConsumerMark;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import java.util.LinkedHashMap;
import java.util.Map;

/** Tells the input queues how far the handler is: by committed states only. Used by one thread. */
final class Marks {

    /** Input queue → what it was told. */
    private final Map<String, ConsumerMark> marks = new LinkedHashMap<>();

    Marks(HandlerDefinition<?> definition) {
        for (MessageQueue queue : definition.inputs.values()) {
            marks.put(queue.name(), new ConsumerMark(queue, definition.name));
        }
    }

    /** For a handler that always has something to do, so that producers to a ring need not wait for it to be idle. */
    void raiseThoseFarBehind(Snapshot committed) throws InterruptedException {
        for (Map.Entry<String, ConsumerMark> mark : marks.entrySet()) {
            mark.getValue()
                    .raiseIfFarBehind(committed.state().input(mark.getKey()).index());
        }
    }

    void raiseAll(Snapshot committed) throws InterruptedException {
        for (Map.Entry<String, ConsumerMark> mark : marks.entrySet()) {
            if (committed.state().inputs().containsKey(mark.getKey())) {
                mark.getValue()
                        .raiseIfHigher(committed.state().input(mark.getKey()).index());
            }
        }
    }

    /**
     * Asks all queues.
     *
     * @throws io.github.cassandralock.exactlyonce.queue.UnknownConsumerException if the handler is not registered at one
     */
    void requireRegistered(Snapshot committed) throws InterruptedException {
        for (Map.Entry<String, ConsumerMark> mark : marks.entrySet()) {
            mark.getValue().raise(committed.state().input(mark.getKey()).index());
        }
    }
}
