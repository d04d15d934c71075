package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;

/** When handlers run, and how they stop, start again and end. */
class ExactlyOnceAutoConfigurationTest extends ExactlyOnceApplicationTest {

    @Test
    void nothingIsCreatedWithoutAHandler() {
        application
                .withUserConfiguration(InMemory.class, WithMeters.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(Registers.class)
                        .doesNotHaveBean(CopyLifecycle.class));
        awaitNoThreads();
    }

    @Test
    void nothingIsCreatedIfItIsSwitchedOff() {
        application
                .withUserConfiguration(InMemory.class)
                .withBean(
                        MessageQueue.class,
                        () -> new MessageQueue("in", new Layout.Keep(), Registers.of(new InMemoryRegisterStore())))
                .withPropertyValues("exactly-once.enabled=off")
                .run(context -> assertThat(context).doesNotHaveBean(CopyLifecycle.class));
    }

    @Test
    void anApplicationThatOnlyPushesDeclaresAQueue() {
        application
                .withUserConfiguration(InMemory.class)
                .withBean(
                        "in",
                        MessageQueue.class,
                        () -> new MessageQueue("in", new Layout.Keep(), Registers.of(new InMemoryRegisterStore())))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Queues.class));
    }

    @Test
    void handlerRunsWhileTheApplicationDoes() {
        withHandler().run(context -> {
            push(context, "a", "b", "c");
            awaitOutputs(context, "a", "b", "c");
            assertThat(copies()).contains("exactly-once-echo-copy");
        });
        awaitNoThreads();
    }

    @Test
    void worksWithoutActuatorMicrometerAndLettuce() {
        withHandler()
                .withClassLoader(new FilteredClassLoader(
                        "io.micrometer",
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "io.lettuce"))
                .run(context -> {
                    push(context, "a");
                    awaitOutputs(context, "a");
                    assertThat(context).doesNotHaveBean("exactlyOnceHealthIndicator");
                });
    }

    @Test
    void lazyInitializationRunsHandlersAndBindsMeters() {
        withHandler()
                .withUserConfiguration(WithMeters.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(copies()).contains("exactly-once-echo-copy");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .get("exactly.once.running")
                                    .gauge()
                                    .value())
                            .isEqualTo(1);
                });
    }

    @Test
    void stoppedAndStartedAgainItGoesOn() {
        withHandler().run(context -> {
            push(context, "a");
            awaitOutputs(context, "a");
            CopyLifecycle copies = context.getBean(CopyLifecycle.class);
            copies.stop();
            assertThat(copies()).doesNotContain("exactly-once-echo-copy");
            push(context, "b");
            copies.start();
            awaitOutputs(context, "a", "b");
        });
    }

    @Test
    void instanceThatClosesInTheMiddleLosesDoublesAndDisordersNothing() {
        String[] payloads = IntStream.range(0, 200).mapToObj(Integer::toString).toArray(String[]::new);
        withHandler().run(staying -> {
            application
                    .withBean(RegisterStore.class, () -> staying.getBean(RegisterStore.class))
                    .withUserConfiguration(WithHandler.class)
                    .run(closing -> push(closing, Arrays.copyOfRange(payloads, 0, 100)));
            push(staying, Arrays.copyOfRange(payloads, 100, 200));
            awaitOutputs(staying, payloads);
        });
    }

    /** Notes under which names of processes writes are sent. */
    private static final class NotingStore implements RegisterStore {

        private final RegisterStore store = new InMemoryRegisterStore();
        private final Set<UUID> processes = ConcurrentHashMap.newKeySet();

        @Override
        public StoredValue read(String name) throws InterruptedException {
            return store.read(name);
        }

        @Override
        public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
                throws InterruptedException {
            processes.add(writeId.process());
            return store.compareAndSet(name, expected, value, writeId);
        }
    }

    /** Pushes as a web server does, which starts before the copies. */
    static final class PushingServer implements SmartLifecycle {

        private final Queues queues;
        private final AtomicInteger starts = new AtomicInteger();
        private volatile boolean running;

        PushingServer(Queues queues) {
            this.queues = queues;
        }

        @Override
        public int getPhase() {
            return DEFAULT_PHASE - 2048;
        }

        @Override
        public void start() {
            running = true;
            try {
                queues.named("in").push(TEXT.encode("start " + starts.incrementAndGet()));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    /** Spring stops and starts around a checkpoint, which may be restored several times. */
    @Test
    void startedAgainTheProcessHasAnotherNameFromItsFirstPush() {
        NotingStore store = new NotingStore();
        application
                .withUserConfiguration(WithHandler.class)
                .withBean(PushingServer.class)
                .withBean(RegisterStore.class, () -> store)
                .run(context -> {
                    awaitOutputs(context, "start 1");
                    context.stop();
                    Set<UUID> before = Set.copyOf(store.processes);
                    assertThat(before).hasSize(1);
                    store.processes.clear();
                    context.start();
                    awaitOutputs(context, "start 1", "start 2");
                    assertThat(store.processes).hasSize(1).doesNotContainAnyElementsOf(before);
                });
    }

    /** Notes the order in which things of an application end. */
    @Configuration(proxyBeanMethods = false)
    static class WithOrder {

        static final List<String> ENDS = new CopyOnWriteArrayList<>();

        /** Where Spring Boot's web server waits for its requests. */
        @Bean
        SmartLifecycle webServer() {
            return new SmartLifecycle() {

                private volatile boolean running;

                @Override
                public int getPhase() {
                    return DEFAULT_PHASE - 1024;
                }

                @Override
                public void start() {
                    running = true;
                }

                @Override
                public void stop() {
                    ENDS.add("web server, copies: " + working());
                    running = false;
                }

                @Override
                public boolean isRunning() {
                    return running;
                }
            };
        }

        @Bean
        AutoCloseable pool() {
            return () -> ENDS.add("pool, copies: " + working());
        }
    }

    @Test
    void copiesEndBeforeTheWebServerAndThePool() {
        WithOrder.ENDS.clear();
        withHandler()
                .withUserConfiguration(WithOrder.class, WithMeters.class)
                .run(context -> awaitHealth(context, "UP", "running=true"));
        assertThat(WithOrder.ENDS).containsExactly("web server, copies: []", "pool, copies: []");
    }

    @Test
    void copiesEndIfTheApplicationFailsWhenTheyHaveStarted() {
        withHandler()
                .withUserConfiguration(WithMeters.class)
                .withBean("failing", ApplicationListener.class, () -> event -> {
                    if (event instanceof ContextRefreshedEvent) {
                        throw new IllegalStateException("fails at the end of the start, with " + copies());
                    }
                })
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("exactly-once-echo-copy"));
        awaitNoThreads();
    }

    @Test
    void functionThatIgnoresTheInterruptDoesNotHoldUpTheEnd() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        application
                .withUserConfiguration(InMemory.class)
                .withPropertyValues("exactly-once.shutdown-timeout=50ms")
                .withInitializer(context -> context.getBeanFactory().registerSingleton("entered", entered))
                .withBean("released", CountDownLatch.class, () -> released)
                .withUserConfiguration(Stubborn.class)
                .run(context -> {
                    push(context, "a");
                    assertThat(entered.await(SOON.toMillis(), TimeUnit.MILLISECONDS))
                            .isTrue();
                });
        assertThat(copies()).contains("exactly-once-stubborn-copy");
        released.countDown();
        awaitNoThreads();
    }

    @Configuration(proxyBeanMethods = false)
    static class Stubborn {

        @Bean
        HandlerDefinition<String> stubborn(
                HandlerBuilders handlers, Queues queues, CountDownLatch entered, CountDownLatch released) {
            return handlers.named(
                            "stubborn",
                            (state, inputs, time) -> {
                                entered.countDown();
                                awaitUninterruptibly(released);
                                return HandlerResult.of(state);
                            },
                            StateCodec.of(TEXT),
                            () -> "")
                    .input(queues.named("in"))
                    .build();
        }

        private static void awaitUninterruptibly(CountDownLatch latch) {
            while (true) {
                try {
                    latch.await();
                    return;
                } catch (InterruptedException e) {
                    // the test is about a function that ignores it
                }
            }
        }
    }
}
