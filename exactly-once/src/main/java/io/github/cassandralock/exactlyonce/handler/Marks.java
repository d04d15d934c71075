package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import java.util.HashMap;
import java.util.Map;

/** Tells the input queues how far the handler is: by committed states only. Used by one thread. */
final class Marks {

    private final HandlerDefinition<?> definition;

    /** Input queue → the index of the last mark, and whether nothing was left to be done then. */
    private final Map<String, Marked> marked = new HashMap<>();

    private record Marked(long index, boolean complete) {}

    Marks(HandlerDefinition<?> definition) {
        this.definition = definition;
    }

    /** For a handler that always has something to do, so that producers to a ring need not wait for it to be idle. */
    void raiseThoseFarBehind(Snapshot committed) throws InterruptedException {
        for (MessageQueue queue : definition.inputs.values()) {
            long index = committed.state().input(queue.name()).index();
            Marked last = marked.get(queue.name());
            if (index - (last == null ? 0 : last.index()) >= queue.layout().indexesBetweenMarks()) {
                raise(queue, index);
            }
        }
    }

    void raiseAll(Snapshot committed) throws InterruptedException {
        for (MessageQueue queue : definition.inputs.values()) {
            if (committed.state().inputs().containsKey(queue.name())) {
                long index = committed.state().input(queue.name()).index();
                if (!new Marked(index, true).equals(marked.get(queue.name()))) {
                    raise(queue, index);
                }
            }
        }
    }

    /**
     * Asks all queues.
     *
     * @throws io.github.cassandralock.exactlyonce.queue.UnknownConsumerException if the handler is not registered at one
     */
    void requireRegistered(Snapshot committed) throws InterruptedException {
        for (MessageQueue queue : definition.inputs.values()) {
            raise(queue, committed.state().input(queue.name()).index());
        }
    }

    private void raise(MessageQueue queue, long index) throws InterruptedException {
        marked.put(queue.name(), new Marked(index, queue.raiseMark(definition.name, index)));
    }
}
