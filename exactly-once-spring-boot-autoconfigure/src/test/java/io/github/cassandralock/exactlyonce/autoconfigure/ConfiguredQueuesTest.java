package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/** Queues as properties configure them, and what happens to messages that cannot be handled. */
class ConfiguredQueuesTest extends ExactlyOnceApplicationTest {

    @Test
    void queuesHaveTheConfiguredLayouts() {
        withHandler()
                .withPropertyValues("exactly-once.queues.in.cells=16", "exactly-once.queues.out.layout=keep")
                .run(context -> {
                    assertThat(queue(context, "in").getLayout()).isEqualTo(new Layout.Ring(16));
                    assertThat(queue(context, "out").getLayout()).isEqualTo(new Layout.Keep());
                    assertThat(queue(context, "other").getLayout()).isEqualTo(new Layout.Ring(1024));
                    assertThat(queue(context, "other")).isSameAs(queue(context, "other"));
                });
    }

    private ApplicationContextRunner withQueue(String name, String key) {
        return application
                .withUserConfiguration(InMemory.class, WithNamedQueue.class)
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource(
                                "test", Map.of("named", name, "exactly-once.queues" + key + ".layout", "keep"))));
    }

    /** In environment variables, keys are in lower case. */
    @ParameterizedTest
    @CsvSource({"a:b, .a:b", "a.b, .a.b", "a.b.c, .a.b.c", "a_b, .ab", "Orders, .orders"})
    void queueWhoseKeyIsBoundAsAnotherNameIsRefusedWithTheKeyToWrite(String name, String key) {
        withQueue(name, key)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidExactlyOncePropertyException.class,
                                failure -> assertThat(failure.action()).contains("exactly-once.queues[" + name + "]")));
    }

    @ParameterizedTest
    @CsvSource({"a:b, [a:b]", "a.b, [a.b]", "a_b, .a_b", "a-b, .a-b", "Orders, .Orders"})
    void queueWhoseKeyIsBoundAsItsNameHasItsLayout(String name, String key) {
        withQueue(name, key)
                .run(context -> assertThat(context.getBean(MessageQueue.class).getLayout())
                        .isEqualTo(new Layout.Keep()));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithNamedQueue {

        @Bean
        MessageQueue named(Queues queues, Environment environment) {
            return queues.named(environment.getRequiredProperty("named"));
        }
    }

    @Test
    void queueThatIsConfiguredAndNotUsedIsToldOf(CapturedOutput output) {
        withHandler()
                .withPropertyValues("exactly-once.queues.inn.cells=16", "exactly-once.queues.out.cells=16")
                .run(context -> assertThat(output)
                        .contains(
                                "No bean of the application uses queue 'inn', which 'exactly-once.queues' configures. Its"
                                        + " queues are [in, out]")
                        .doesNotContain("uses queue 'out'"));
    }

    @Test
    void messageThatCannotBeHandledIsParkedIfThatIsConfigured() {
        withHandler()
                .withUserConfiguration(WithMeters.class)
                .withPropertyValues(
                        "exactly-once.handlers.echo.parking.queue=parked",
                        "exactly-once.handlers.echo.parking.min-failures=2",
                        "exactly-once.handlers.echo.parking.min-duration=50ms",
                        "exactly-once.handlers.echo.max-inputs=10")
                .run(context -> {
                    push(context, "a", "poison", "b");
                    awaitOutputs(context, "a", "b");
                    await().atMost(SOON)
                            .untilAsserted(() ->
                                    assertThat(queue(context, "parked").read(0)).isInstanceOf(Cell.Full.class));
                    awaitHealth(context, "UP", "parked=1");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("exactly.once.parked")
                                    .tag("name", "echo")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(1);
                });
    }

    @Test
    void messageThatCannotBeHandledIsTriedAgainAndTold() {
        withHandler().run(context -> {
            push(context, "a", "poison", "b");
            awaitOutputs(context, "a");
            awaitHealth(context, "WARNING", "failing", "cannot handle poison");
            assertThat(messages(queue(context, "out"))).containsExactly("a");
        });
    }
}
