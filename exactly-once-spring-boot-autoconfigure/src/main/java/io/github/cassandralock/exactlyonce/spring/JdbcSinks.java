package io.github.cassandralock.exactlyonce.spring;

import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcEffect;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcOutbox;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Declares sinks in the application's database, and pumps from their outboxes. The effect of a message runs in a transaction of
 * that database's {@code PlatformTransactionManager}. Repositories, JPA, jOOQ and templates take part in the transaction.
 * Thread-safe; does no I/O.
 */
public final class JdbcSinks {

    private final Supplier<? extends DataSource> source;
    private final JdbcSinkSettings settings;
    private final boolean createTables;

    /**
     * Sinks in one database.
     *
     * @param source returns the data source; called for each sink and pump that is declared
     * @param settings name the tables
     * @param createTables whether the tables are created if they do not exist
     */
    public JdbcSinks(Supplier<? extends DataSource> source, JdbcSinkSettings settings, boolean createTables) {
        this.source = source;
        this.settings = settings;
        this.createTables = createTables;
    }

    /**
     * Declares a sink. The copy of the sink creates the tables and opens it, after databases were initialized.
     *
     * @param name of the sink, and of the queue's consumer that it is; never used again for another one
     * @param queue to take messages from
     * @param effect what a message does to the database. It runs in a transaction that is open. What it commits in a transaction of
     *     its own (REQUIRES_NEW) may take effect several times
     * @return a definition, to be a bean
     * @throws IllegalArgumentException if the name is bad
     */
    public SinkDefinition named(String name, MessageQueue queue, JdbcEffect effect) {
        return new SinkDefinition(name, queue, new Opening(source.get(), name, settings, createTables, effect));
    }

    /**
     * Declares a pump from the outbox of a sink to a queue.
     *
     * @param name of the pump, which is the name of the queue's producer; never used again for another one
     * @param sink the name of the sink whose effects send the rows
     * @param queue to push the rows to; nobody else pushes to it
     * @return a definition, to be a bean
     * @throws IllegalArgumentException if the name is bad
     */
    public PumpDefinition pump(String name, String sink, MessageQueue queue) {
        return new PumpDefinition(name, queue, new OutboxOpening(source.get(), sink, settings, createTables));
    }

    /**
     * How a sink is opened.
     *
     * @param source the database
     * @param name of the sink
     * @param settings name the tables
     * @param createTables whether the tables are created if they do not exist
     * @param effect what a message does
     */
    public record Opening(
            DataSource source, String name, JdbcSinkSettings settings, boolean createTables, JdbcEffect effect)
            implements Supplier<JdbcSink> {

        @Override
        public JdbcSink get() {
            JdbcSinks.create(source, settings, createTables);
            return JdbcSink.open(source, name, settings, effect);
        }
    }

    /**
     * How an outbox is opened.
     *
     * @param source the database
     * @param sink the name of the sink whose effects send the rows
     * @param settings name the tables
     * @param createTables whether the tables are created if they do not exist
     */
    public record OutboxOpening(DataSource source, String sink, JdbcSinkSettings settings, boolean createTables)
            implements Supplier<JdbcOutbox> {

        @Override
        public JdbcOutbox get() {
            create(source, settings, createTables);
            return JdbcOutbox.open(source, sink, settings);
        }
    }

    private static void create(DataSource source, JdbcSinkSettings settings, boolean createTables) {
        if (createTables) {
            JdbcSink.createTables(source, settings);
        }
    }
}
