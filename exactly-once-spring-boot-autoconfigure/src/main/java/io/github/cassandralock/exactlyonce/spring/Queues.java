package io.github.cassandralock.exactlyonce.spring;

import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.Registers;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** The queues of the application by their names, in the layouts of {@code exactly-once.queues}. Thread-safe; does no I/O. */
public final class Queues {

    private final Registers registers;
    private final Function<String, Layout> layouts;
    private final ConcurrentMap<String, MessageQueue> queues = new ConcurrentHashMap<>();

    /**
     * Queues of one store.
     *
     * @param registers where they live
     * @param layouts the layout of the queue with a name
     */
    public Queues(Registers registers, Function<String, Layout> layouts) {
        this.registers = registers;
        this.layouts = layouts;
    }

    /**
     * Returns the queue with this name. Always returns the same object, which remembers how far the queue is.
     *
     * @param name letters, digits, dots, underscores, colons, hyphens; never used again for another queue
     * @return the queue
     * @throws IllegalArgumentException if the name is bad
     */
    public MessageQueue named(String name) {
        return queues.computeIfAbsent(name, this::created);
    }

    /**
     * Returns the queue with this name, for one use, if no bean has requested it. Such a queue is a new object each time, and
     * {@link #getNames} does not contain it. Requests from outside may have any number of names.
     *
     * @param name letters, digits, dots, underscores, colons, hyphens
     * @return the queue; the object of {@link #named} if there is one
     * @throws IllegalArgumentException if the name is bad
     */
    public MessageQueue forOneUse(String name) {
        MessageQueue requested = queues.get(name);
        return requested == null ? created(name) : requested;
    }

    /**
     * Returns the names of the queues that were requested.
     *
     * @return a copy
     */
    public Set<String> getNames() {
        return new TreeSet<>(queues.keySet());
    }

    private MessageQueue created(String name) {
        return new MessageQueue(name, layouts.apply(name), registers);
    }
}
