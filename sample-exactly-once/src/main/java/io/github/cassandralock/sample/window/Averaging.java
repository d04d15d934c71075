package io.github.cassandralock.sample.window;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.JdbcSinks;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.github.cassandralock.sample.window.surroundings.Streams;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

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

    /** Keeps the averages, in the order in which they come. The database has the index of the queue in the same transaction. */
    @Bean
    SinkDefinition archive(JdbcSinks sinks, Queues queues, JdbcTemplate database, ObjectMapper mapper) {
        Json<Average> averages = new Json<>(mapper, Average.class);
        return sinks.named("archive", queues.named(AVERAGES), (transaction, message) -> {
            for (byte[] payload : message.payloads()) {
                Average average = averages.decode(payload);
                database.update(
                        "INSERT INTO averages (step, average, numbers, increments, written_at)"
                                + " VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)",
                        average.step(),
                        average.average(),
                        average.numbers(),
                        average.increments());
            }
        });
    }

    /** Raises the counter, which knows no steps by itself: raised twice, it would be wrong for ever. */
    @Bean
    SinkDefinition counter(JdbcSinks sinks, Queues queues, JdbcTemplate database, ObjectMapper mapper) {
        Json<Long> steps = new Json<>(mapper, Long.class);
        return sinks.named("counter", queues.named(INCREMENTS), (transaction, message) -> {
            for (byte[] payload : message.payloads()) {
                database.update("UPDATE counter SET n = n + 1, last_step = ?", steps.decode(payload));
            }
        });
    }
}
