package io.github.cassandralock.it;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A program whose main thread returns when a handler runs. It closes the handler when its standard input ends; nothing but the
 * handler keeps it alive until then.
 */
final class HandlerProgram {

    static final String RETURNED = "RETURNED";
    static final String CLOSED = "CLOSED";

    private HandlerProgram() {}

    /** @param arguments {@code spring}, {@code plain}, or {@code stubborn}: plain, with a function that ignores interrupts */
    public static void main(String[] arguments) throws InterruptedException {
        closeAtTheEndOfInput(
                switch (arguments[0]) {
                    case "spring" -> application();
                    case "stubborn" -> copy((state, inputs, time) -> sleepOn());
                    default -> copy((state, inputs, time) -> HandlerResult.of(state));
                });
        System.out.println(RETURNED);
    }

    private static ConfigurableApplicationContext application() {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--cassandra-lock.startup=lazy",
                        "--spring.cassandra.contact-points=127.0.0.1:1",
                        "--spring.cassandra.local-datacenter=datacenter1",
                        "--spring.cassandra.keyspace-name=handlers",
                        "--logging.level.root=off");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        RegisterStore store() {
            return new InMemoryRegisterStore();
        }

        @Bean
        HandlerDefinition<String> handler(HandlerBuilders handlers, Queues queues) {
            return handlers.named(
                            "handler",
                            (state, inputs, time) -> HandlerResult.of(state),
                            StateCodec.of(Codec.utf8()),
                            () -> "")
                    .input(queues.named("in"))
                    .build();
        }
    }

    private static AutoCloseable copy(ExactlyOnceHandler<String> function) throws InterruptedException {
        Registers registers = Registers.of(new InMemoryRegisterStore());
        MessageQueue queue = new MessageQueue("in", new Layout.Ring(16), registers);
        HandlerDefinition<String> definition = HandlerDefinition.builder(
                        "handler", function, registers, StateCodec.of(Codec.utf8()), () -> "")
                .input(queue)
                .build();
        HandlerCopy copy = new HandlerCopy(definition, "1", HandlerListener.none(), CopyEnvironment.ofThisMachine());
        copy.start();
        queue.push(new byte[0]);
        return () -> {
            boolean ended = copy.close(Duration.ofSeconds(1));
            System.out.println(CLOSED + " " + ended);
        };
    }

    private static HandlerResult<String> sleepOn() {
        while (true) {
            try {
                TimeUnit.DAYS.sleep(1);
            } catch (InterruptedException e) {
                // a function that ignores it
            }
        }
    }

    private static void closeAtTheEndOfInput(AutoCloseable running) {
        Thread closer = new Thread(
                () -> {
                    try (running) {
                        System.in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                "closer");
        closer.setDaemon(true);
        closer.start();
    }
}
