package io.github.cassandralock.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.ExactlyOnce;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.MessagePusher;
import io.github.cassandralock.exactlyonce.spring.Queues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Applications with this starter and a database. Neither Cassandra, Redis nor the locks are on the class path, as the enforcer checks.
 * Catches classes that need what is not there.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class DataSourceAloneTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Codec<String> TEXT = Codec.utf8();

    /** Pushes each input. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Echo {

        @Bean
        HandlerDefinition<String> echo(HandlerBuilders handlers, Queues queues) {
            return handlers.named(
                            "echo",
                            (state, inputs, time) -> {
                                HandlerResult<String> result = HandlerResult.of(state);
                                inputs.from("in", TEXT).forEach(input -> result.output("out", TEXT, input));
                                return result;
                            },
                            StateCodec.of(TEXT),
                            () -> "")
                    .input(queues.named("in"))
                    .exclusiveOutput(queues.named("out"))
                    .build();
        }
    }

    private static ConfigurableApplicationContext start(String... properties) {
        return start(Echo.class, properties);
    }

    private static ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
        return new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .properties(properties)
                .run();
    }

    @Test
    void driverOfCassandraIsNotThere() {
        assertThatThrownBy(() -> Class.forName("com.datastax.oss.driver.api.core.CqlSession"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void handlerRunsInADatabaseWithoutAnythingElse() throws InterruptedException {
        try (ConfigurableApplicationContext application = start(
                "spring.datasource.url=jdbc:h2:mem:alone;DB_CLOSE_DELAY=-1",
                "exactly-once.store=jdbc",
                "exactly-once.poll.max-interval=20ms")) {
            Queues queues = application.getBean(Queues.class);
            queues.named("in").push("a".getBytes(StandardCharsets.UTF_8));
            MessageQueue out = queues.named("out");
            await().atMost(SOON).until(() -> out.read(0) instanceof Cell.Full);
        }
    }

    /** Takes messages by a method. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shipping {

        private final List<String> shipped = new CopyOnWriteArrayList<>();

        @ExactlyOnce(queue = "orders")
        void ship(String order) {
            shipped.add(order);
        }
    }

    @Test
    void methodTakesMessagesOfADatabaseWithoutAnythingElse() {
        try (ConfigurableApplicationContext application =
                start(Shipping.class, "spring.datasource.url=jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1")) {
            application.getBean(MessagePusher.class).push("orders", "a");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(application.getBean(Shipping.class).shipped)
                            .containsExactly("a"));
        }
    }

    @Test
    void databaseThatComesLaterIsUsed() throws InterruptedException {
        try (ConfigurableApplicationContext application = start(
                "spring.datasource.url=jdbc:h2:mem:later;IFEXISTS=TRUE",
                "spring.datasource.hikari.initialization-fail-timeout=-1",
                "spring.datasource.hikari.connection-timeout=250",
                "exactly-once.store=jdbc",
                "exactly-once.poll.max-interval=20ms")) {
            try (ConfigurableApplicationContext database =
                    start("spring.datasource.url=jdbc:h2:mem:later", "exactly-once.store=jdbc")) {
                assertThat(database.isActive()).isTrue();
                Queues queues = application.getBean(Queues.class);
                queues.named("in").push("a".getBytes(StandardCharsets.UTF_8));
                MessageQueue out = queues.named("out");
                await().atMost(SOON).until(() -> out.read(0) instanceof Cell.Full);
            }
        }
    }

    @Test
    void storeWhoseDriverIsMissingIsExplained(CapturedOutput output) {
        assertThatThrownBy(() -> start("spring.datasource.url=jdbc:h2:mem:none"))
                .isNotNull();
        assertThat(output)
                .contains(
                        "The property 'exactly-once.store' is 'cassandra'",
                        "driver of Cassandra is not on the class path")
                .contains("Action:")
                .doesNotContain("NoClassDefFoundError");
    }
}
