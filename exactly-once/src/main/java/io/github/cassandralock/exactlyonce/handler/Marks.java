package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.ConsumerMark;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reports to the input queues how far the handler is, by committed states only. Used by one thread. */
final class Marks {

    /** The last report to each input queue. */
    private final Map<String, ConsumerMark> marks = new LinkedHashMap<>();

    Marks(HandlerDefinition<?> definition) {
        for (MessageQueue queue : definition.inputs.values()) {
            marks.put(queue.getName(), new ConsumerMark(queue, definition.name));
        }
    }

    /** For a busy handler, so that producers to a ring need not wait until it is idle. */
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
     * Reports to all queues in any case.
     *
     * @throws io.github.cassandralock.exactlyonce.queue.UnknownConsumerException if the handler is not registered at one
     */
    void requireRegistered(Snapshot committed) throws InterruptedException {
        for (Map.Entry<String, ConsumerMark> mark : marks.entrySet()) {
            mark.getValue().raise(committed.state().input(mark.getKey()).index());
        }
    }
}
