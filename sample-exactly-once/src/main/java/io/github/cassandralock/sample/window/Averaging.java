package io.github.cassandralock.sample.window;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcEffect;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.sink.jdbc.SinkTransaction;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.sample.window.surroundings.Streams;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What the starter runs a copy of: a handler from the two streams to two queues, and for each of these a sink in the
 * database. Streams, queues and the state are in Cassandra.
 */
@Configuration(proxyBeanMethods = false)
class Averaging {

    static final String AVERAGES = "averages";
    static final String INCREMENTS = "increments";

    @Bean
    HandlerDefinition<Window> window(
            HandlerBuilders handlers, Queues queues, WindowProperties properties, ObjectMapper mapper) {
        return handlers.named(
                        "window",
                        new SlidingAverage(properties, mapper),
                        StateCodec.of(new Json<>(mapper, Window.class)),
                        Window::empty)
                .input(queues.named(Streams.FIRST))
                .input(queues.named(Streams.SECOND))
                .exclusiveOutput(queues.named(AVERAGES))
                .exclusiveOutput(queues.named(INCREMENTS))
                .build();
    }

    /** Keeps the averages, in the order in which they come. */
    @Bean
    SinkDefinition archive(Queues queues, DataSource database, ObjectMapper mapper) {
        Json<Average> averages = new Json<>(mapper, Average.class);
        return sink("archive", queues, AVERAGES, database, (transaction, message) -> {
            for (byte[] payload : message.payloads()) {
                insert(transaction, averages.decode(payload));
            }
        });
    }

    private static void insert(SinkTransaction transaction, Average average) throws SQLException {
        try (PreparedStatement insert = transaction
                .connection()
                .prepareStatement("INSERT INTO averages (step, average, numbers, increments, written_at)"
                        + " VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)")) {
            insert.setLong(1, average.step());
            insert.setDouble(2, average.average());
            insert.setInt(3, average.numbers());
            insert.setLong(4, average.increments());
            insert.executeUpdate();
        }
    }

    /** Raises the counter, which knows no steps by itself: raised twice, it would be wrong for ever. */
    @Bean
    SinkDefinition counter(Queues queues, DataSource database, ObjectMapper mapper) {
        Json<Long> steps = new Json<>(mapper, Long.class);
        return sink("counter", queues, INCREMENTS, database, (transaction, message) -> {
            for (byte[] payload : message.payloads()) {
                increment(transaction, steps.decode(payload));
            }
        });
    }

    private static void increment(SinkTransaction transaction, long step) throws SQLException {
        try (PreparedStatement update =
                transaction.connection().prepareStatement("UPDATE counter SET n = n + 1, last_step = ?")) {
            update.setLong(1, step);
            update.executeUpdate();
        }
    }

    private static SinkDefinition sink(
            String name, Queues queues, String queue, DataSource database, JdbcEffect effect) {
        JdbcSinkSettings settings = JdbcSinkSettings.defaults();
        return new SinkDefinition(name, queues.named(queue), () -> {
            JdbcSink.createTables(database, settings);
            return JdbcSink.open(database, name, settings, effect);
        });
    }
}
