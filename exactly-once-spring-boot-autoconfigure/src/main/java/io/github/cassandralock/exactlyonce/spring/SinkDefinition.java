package io.github.cassandralock.exactlyonce.spring;

import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.sink.TransactionalSink;
import java.util.function.Supplier;

/**
 * A bean of this type is a transactional sink. The application runs a copy of it, like a copy of each handler. All
 * instances use equal definitions.
 *
 * @param name of the sink, and of the queue's consumer that it is; never used again for another one
 * @param queue to take messages from
 * @param opening opens the sink, such as by {@link io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink#open}. Called
 *     by the thread of the copy, so it may do I/O; called again after a pause if it throws
 *     {@link io.github.cassandralock.exactlyonce.register.RegisterUnavailableException}. What else it throws ends the
 *     copy
 */
public record SinkDefinition(String name, MessageQueue queue, Supplier<? extends TransactionalSink> opening) {

    /**
     * Checks the name.
     *
     * @param name of the sink
     * @param queue to take messages from
     * @param opening opens the sink
     * @throws IllegalArgumentException if it is bad
     */
    public SinkDefinition {
        Names.checked("sink", name);
    }
}
