package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcOutbox;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.spring.JdbcSinks;
import io.github.cassandralock.exactlyonce.spring.PumpDefinition;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.spring.SinkDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sinks and pumps as beans, whose database is not there at first. */
class SinksAndPumpsTest extends ExactlyOnceApplicationTest {

    @Configuration(proxyBeanMethods = false)
    static class WithDatabase {

        @Bean
        DataSource dataSource() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1");
            return source;
        }
    }

    /** Takes the outputs into a database that is not there at first, and pumps them back to a queue. */
    @Configuration(proxyBeanMethods = false)
    static class WithSinkAndPump {

        @Bean
        AtomicBoolean databaseIsThere() {
            return new AtomicBoolean();
        }

        @Bean
        SinkDefinition sink(Queues queues, DataSource source, AtomicBoolean databaseIsThere) {
            return new SinkDefinition("sink", queues.named("out"), () -> {
                requireDatabase(databaseIsThere);
                JdbcSink.createTables(source, JdbcSinkSettings.defaults());
                return JdbcSink.open(
                        source,
                        "sink",
                        JdbcSinkSettings.defaults(),
                        (transaction, message) -> transaction.send(message.payloads()));
            });
        }

        @Bean
        PumpDefinition pump(Queues queues, DataSource source, AtomicBoolean databaseIsThere) {
            return new PumpDefinition("pump", queues.named("pumped"), () -> {
                requireDatabase(databaseIsThere);
                JdbcSink.createTables(source, JdbcSinkSettings.defaults());
                return JdbcOutbox.open(source, "sink", JdbcSinkSettings.defaults());
            });
        }

        private static void requireDatabase(AtomicBoolean databaseIsThere) {
            if (!databaseIsThere.get()) {
                throw new RegisterUnavailableException("the database is down", new IllegalStateException());
            }
        }
    }

    @Test
    void sinksAndPumpsRunAsHandlersDoAndWaitForTheirDatabase() {
        application
                .withUserConfiguration(WithDatabase.class, WithHandler.class, WithSinkAndPump.class, WithMeters.class)
                .withPropertyValues("exactly-once.store=jdbc", "exactly-once.queues.pumped.cells=2")
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    queue(context, "pumped").addConsumer("sleeper");
                    push(context, "a", "b", "c");
                    awaitHealth(context, "WARNING", "sink sink", "the database is down", "pump pump");
                    await().atMost(SOON)
                            .untilAsserted(() -> assertThat(details(context, "pump pump"))
                                    .contains("failing", "the database is down"));
                    assertThat(ofPump(meters, "exactly.once.failures")).isPositive();
                    context.getBean(AtomicBoolean.class).set(true);
                    awaitHealth(context, "WARNING", "index=3", "pumped=[sleeper]");
                    assertThat(details(context, "pump pump"))
                            .contains("ringFull")
                            .doesNotContain("failing");
                    queue(context, "pumped").raiseMark("sleeper", 1);
                    awaitHealth(context, "UP", "index=3");
                    assertThat(((Cell.Full) queue(context, "pumped").read(2))
                                    .message()
                                    .id()
                                    .producer())
                            .isEqualTo("pump");
                    await().atMost(SOON)
                            .untilAsserted(() -> assertThat(ofPump(meters, "exactly.once.messages"))
                                    .isEqualTo(3));
                });
        awaitNoThreads();
    }

    /** Its pump has the name of the sink from before it was renamed. */
    @Configuration(proxyBeanMethods = false)
    static class WithSinkThatWasRenamed {

        @Bean
        SinkDefinition sink(JdbcSinks sinks, Queues queues) {
            return sinks.named("sink-2", queues.named("out"), (transaction, message) -> {});
        }

        @Bean
        PumpDefinition pump(JdbcSinks sinks, Queues queues) {
            return sinks.pump("pump", "sink", queues.named("pumped"));
        }
    }

    @Test
    void pumpWhoseSinkWasRenamedSaysThatItWaits(CapturedOutput output) {
        application
                .withUserConfiguration(WithDatabase.class, WithHandler.class, WithSinkThatWasRenamed.class)
                .withPropertyValues("exactly-once.store=jdbc")
                .run(context -> {
                    assertThat(output)
                            .contains(
                                    "Pump pump pushes the rows of sink 'sink', which is not a sink of this application;"
                                            + " its sinks are [sink-2]");
                    awaitHealth(
                            context,
                            "WARNING",
                            "pump pump",
                            "no sink has begun to write the outbox of sink 'sink' in the table exactly_once_outbox");
                });
    }

    private static String details(ApplicationContext context, String copy) {
        return String.valueOf(health(context).getDetails().get(copy));
    }

    private static double ofPump(MeterRegistry meters, String meter) {
        return meters.get(meter)
                .tags("kind", "pump", "name", "pump")
                .functionCounter()
                .count();
    }
}
