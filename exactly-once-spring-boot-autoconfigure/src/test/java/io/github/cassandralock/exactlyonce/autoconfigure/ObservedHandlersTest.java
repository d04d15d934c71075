package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Meters, health and events of handlers. */
class ObservedHandlersTest extends ExactlyOnceApplicationTest {

    @Test
    void metersCountStepsAndLag() {
        withHandler()
                .withUserConfiguration(WithMeters.class)
                .withPropertyValues("exactly-once.metrics.lag-interval=5ms")
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    push(context, "a", "b");
                    awaitOutputs(context, "a", "b");
                    await().atMost(SOON).untilAsserted(() -> {
                        assertThat(meters.get("exactly.once.messages")
                                        .tags("kind", "handler", "name", "echo")
                                        .functionCounter()
                                        .count())
                                .isEqualTo(2);
                        assertThat(lag(meters)).isZero();
                        assertThat(meters.get("exactly.once.running").gauge().value())
                                .isEqualTo(1);
                    });
                    push(context, "poison", "c", "d");
                    await().atMost(SOON).untilAsserted(() -> {
                        assertThat(lag(meters)).isEqualTo(3);
                        assertThat(meters.get("exactly.once.failures")
                                        .functionCounter()
                                        .count())
                                .isPositive();
                    });
                });
        awaitNoThreads();
    }

    private static double lag(MeterRegistry meters) {
        return meters.get("exactly.once.lag")
                .tags("name", "echo", "queue", "in")
                .gauge()
                .value();
    }

    /** The first of each kind throws, whatever it is told. */
    @Configuration(proxyBeanMethods = false)
    static class WithListeners {

        record Told(List<String> events) {}

        @Bean
        Told told() {
            return new Told(new CopyOnWriteArrayList<>());
        }

        @Bean
        @Order(1)
        HandlerListener throwing() {
            return new HandlerListener() {
                @Override
                public void onStepCommitted(String handler, long step, int messages) {
                    throw new IllegalStateException("a listener that fails");
                }
            };
        }

        @Bean
        @Order(2)
        HandlerListener steps(Told told) {
            return new HandlerListener() {
                @Override
                public void onStepCommitted(String handler, long step, int messages) {
                    told.events().add(handler + " " + step + " " + messages);
                }
            };
        }

        @Bean
        @Order(1)
        SinkListener throwingToo() {
            return new SinkListener() {
                @Override
                public void onTaken(String sink, long index) {
                    throw new IllegalStateException("a listener that fails");
                }
            };
        }

        @Bean
        @Order(2)
        SinkListener transactions(Told told) {
            return new SinkListener() {
                @Override
                public void onTaken(String sink, long index) {
                    told.events().add(sink + " " + index);
                }
            };
        }
    }

    @Test
    void listenersOfTheApplicationAreToldThoughAnotherThrows() {
        application
                .withUserConfiguration(
                        SinksAndPumpsTest.WithDatabase.class,
                        WithHandler.class,
                        SinksAndPumpsTest.WithSinkAndPump.class,
                        WithListeners.class)
                .withPropertyValues("exactly-once.store=jdbc")
                .run(context -> {
                    context.getBean(AtomicBoolean.class).set(true);
                    push(context, "a", "b");
                    await().atMost(SOON)
                            .untilAsserted(() -> assertThat(context.getBean(WithListeners.Told.class)
                                            .events())
                                    .containsExactlyInAnyOrder("echo 1 1", "echo 2 1", "sink 0", "sink 1"));
                    awaitHealth(context, "UP", "handler echo", "sink sink");
                });
        awaitNoThreads();
    }

    @Test
    void metersAndHealthCanBeSwitchedOff() {
        withHandler()
                .withUserConfiguration(WithMeters.class)
                .withPropertyValues(
                        "exactly-once.metrics.enabled=false", "management.health.exactly-once.enabled=false")
                .run(context -> {
                    assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
                    assertThat(context).doesNotHaveBean("exactlyOnceHealthIndicator");
                });
    }

    @Test
    void healthSaysWhoKeepsARingFull() {
        withHandler().withPropertyValues("exactly-once.queues.out.cells=2").run(context -> {
            queue(context, "out").addConsumer("sleeper");
            push(context, "a", "b", "c");
            awaitHealth(context, "WARNING", "ringFull", "out=[sleeper]");
            queue(context, "out").raiseMark("sleeper", 2);
            awaitHealth(context, "UP", "running=true");
        });
    }

    @Test
    void healthIsDownIfACopyHasEnded() {
        withHandler().run(context -> {
            queue(context, "out").push(new byte[0]);
            push(context, "a");
            awaitHealth(context, "DOWN", "ended", "TwoProducersException", "running=false");
        });
    }

    private static void pushWithGap(ApplicationContext context) throws InterruptedException {
        MessageQueue in = queue(context, "in");
        for (long sequence : new long[] {0, 2}) {
            in.pushAt(
                    in.readNextIndex(),
                    new Message(MessageId.of("producer", sequence), List.of(TEXT.encode("m" + sequence))));
        }
    }

    @Test
    void messageThatIsMissingIsToldByHealthAndMeter() {
        withHandler().withUserConfiguration(WithMeters.class).run(context -> {
            pushWithGap(context);
            awaitOutputs(context, "m0", "m2");
            awaitHealth(context, "WARNING", "violations=1", "producer");
            assertThat(context.getBean(MeterRegistry.class)
                            .get("exactly.once.violations")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void messageThatIsMissingEndsTheCopyIfThatIsConfigured() {
        withHandler()
                .withPropertyValues("exactly-once.handlers.echo.on-violation=stop")
                .run(context -> {
                    pushWithGap(context);
                    awaitHealth(context, "DOWN", "SequenceViolationException");
                    assertThat(messages(queue(context, "out"))).containsExactly("m0");
                });
    }

    @Test
    void healthIsAWarningIfTheCopyStandsBy() {
        withHandler().run(context -> {
            push(context, "a");
            awaitOutputs(context, "a");
            context.getBean(CopyLifecycle.class).stop();
            push(context, "b");
            application
                    .withBean("shared", RegisterStore.class, () -> context.getBean(RegisterStore.class))
                    .withUserConfiguration(OfAnotherFormat.class)
                    .run(other -> awaitHealth(other, "WARNING", "standsBy", "format 1"));
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OfAnotherFormat {

        @Bean
        HandlerDefinition<String> echo(HandlerBuilders handlers, Queues queues) {
            return handlers.named("echo", (state, inputs, time) -> HandlerResult.of(state), new Format2(), () -> "")
                    .input(queues.named("in"))
                    .build();
        }
    }

    private static final class Format2 implements StateCodec<String> {

        @Override
        public int getFormat() {
            return 2;
        }

        @Override
        public boolean supports(int format) {
            return format == 2;
        }

        @Override
        public byte[] encode(String state) {
            return TEXT.encode(state);
        }

        @Override
        public String decode(int format, byte[] bytes) {
            return TEXT.decode(bytes);
        }
    }
}
