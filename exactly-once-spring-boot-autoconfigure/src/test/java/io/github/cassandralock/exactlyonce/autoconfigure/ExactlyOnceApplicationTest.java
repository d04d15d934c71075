package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application whose registers are in memory, with a handler that copies messages. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
abstract class ExactlyOnceApplicationTest {

    static final Duration SOON = Duration.ofSeconds(20);
    static final Codec<String> TEXT = Codec.utf8();
    final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ExactlyOnceAutoConfiguration.class, ExactlyOnceMethodAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
            .withPropertyValues("exactly-once.poll.max-interval=20ms", "exactly-once.retry.initial-interval=1ms");

    @Configuration(proxyBeanMethods = false)
    static class InMemory {

        @Bean
        RegisterStore store() {
            return new InMemoryRegisterStore();
        }
    }

    /** Appends each input to the state, and pushes it. Throws at "poison". */
    @Configuration(proxyBeanMethods = false)
    static class WithHandler {

        @Bean
        HandlerDefinition<String> echo(HandlerBuilders handlers, Queues queues) {
            return handlers.named("echo", WithHandler::echo, StateCodec.of(TEXT), () -> "")
                    .input(queues.named("in"))
                    .exclusiveOutput(queues.named("out"))
                    .build();
        }

        private static HandlerResult<String> echo(String state, Inputs inputs, Instant time) {
            HandlerResult<String> result = HandlerResult.of(state);
            for (String input : inputs.from("in", TEXT)) {
                if (input.equals("poison")) {
                    throw new IllegalArgumentException("cannot handle poison");
                }
                result.output("out", TEXT, input);
            }
            return result;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithMeters {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    ApplicationContextRunner withHandler() {
        return application.withUserConfiguration(InMemory.class, WithHandler.class);
    }

    static MessageQueue queue(ApplicationContext context, String name) {
        return context.getBean(Queues.class).named(name);
    }

    static void push(ApplicationContext context, String... payloads) throws InterruptedException {
        for (String payload : payloads) {
            queue(context, "in").push(payload.getBytes(StandardCharsets.UTF_8));
        }
    }

    static List<String> messages(MessageQueue queue) throws InterruptedException {
        List<String> messages = new ArrayList<>();
        while (queue.read(messages.size()) instanceof Cell.Full full) {
            messages.add(TEXT.decode(full.message().payloads().get(0)));
        }
        return messages;
    }

    static void awaitOutputs(ApplicationContext context, String... payloads) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(messages(queue(context, "out"))).containsExactly(payloads));
    }

    static Health health(ApplicationContext context) {
        return context.getBean("exactlyOnceHealthIndicator", HealthIndicator.class)
                .health();
    }

    static void awaitHealth(ApplicationContext context, String status, String... contents) {
        await().atMost(SOON).untilAsserted(() -> {
            Health health = health(context);
            assertThat(health.getStatus().getCode()).isEqualTo(status);
            assertThat(health.getDetails().toString()).contains(contents);
        });
    }

    static List<String> copies() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("exactly-once-"))
                .toList();
    }

    static List<String> working() {
        return copies().stream().filter(name -> name.endsWith("-copy")).toList();
    }

    /** The store's thread, and those that only read, are interrupted and not waited for. */
    static void awaitNoThreads() {
        await().atMost(SOON).untilAsserted(() -> assertThat(copies()).isEmpty());
    }
}
