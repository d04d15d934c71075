package io.github.cassandralock.exactlyonce.spring;

import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.sink.Outbox;
import java.util.function.Supplier;

/**
 * A bean of this type is a pump from an outbox to a queue. The application runs a copy of it, like a copy of each handler.
 * All instances use equal definitions.
 *
 * @param name of the pump, which is the name of the queue's producer; never used again for another one
 * @param queue to push the rows to; nobody else pushes to it
 * @param opening opens the outbox, such as by {@link io.github.cassandralock.exactlyonce.sink.jdbc.JdbcOutbox#open}.
 *     Called by the thread of the copy, so it may do I/O; called again after a pause if it throws
 *     {@link io.github.cassandralock.exactlyonce.register.RegisterUnavailableException}. What else it throws ends the
 *     copy
 */
public record PumpDefinition(String name, MessageQueue queue, Supplier<? extends Outbox> opening) {

    /**
     * Checks the name.
     *
     * @param name of the pump
     * @param queue to push the rows to
     * @param opening opens the outbox
     * @throws IllegalArgumentException if it is bad
     */
    public PumpDefinition {
        Names.checked("pump", name);
    }
}
