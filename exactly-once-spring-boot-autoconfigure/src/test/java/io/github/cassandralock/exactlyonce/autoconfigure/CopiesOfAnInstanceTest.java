package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.github.cassandralock.internal.exactlyonce.CopyLifecycle;
import io.github.cassandralock.internal.exactlyonce.Runner;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;

/** Which copies an instance runs, and that the process stays alive for them. */
@Timeout(60)
class CopiesOfAnInstanceTest {

    private static final String KEEP_ALIVE = "exactly-once-keep-alive";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ExactlyOnceAutoConfiguration.class, ExactlyOnceMethodAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
            .withBean(RegisterStore.class, InMemoryRegisterStore::new)
            .withUserConfiguration(TwoHandlers.class);

    @Configuration(proxyBeanMethods = false)
    static class TwoHandlers {

        @Bean
        HandlerDefinition<String> first(HandlerBuilders handlers, Queues queues) {
            return handler("first", handlers, queues);
        }

        @Bean
        HandlerDefinition<String> second(HandlerBuilders handlers, Queues queues) {
            return handler("a.b:second", handlers, queues);
        }

        private static HandlerDefinition<String> handler(String name, HandlerBuilders handlers, Queues queues) {
            return handlers.named(
                            name,
                            (state, inputs, time) -> HandlerResult.of(state),
                            StateCodec.of(Codec.utf8()),
                            () -> "")
                    .input(queues.named("in"))
                    .build();
        }
    }

    private static List<String> running(ApplicationContext context) {
        return context.getBean(CopyLifecycle.class).runners().stream()
                .filter(Runner::isRunning)
                .map(Runner::name)
                .toList();
    }

    private static List<Thread> keepingAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(KEEP_ALIVE))
                .toList();
    }

    private static void awaitNothingKeptAlive() {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(keepingAlive()).isEmpty());
    }

    @Test
    void instanceWithoutCopiesPushesAll() {
        application.withPropertyValues("exactly-once.copies.enabled=false").run(context -> {
            assertThat(running(context)).isEmpty();
            assertThat(context.getBean(Queues.class).named("in").push(new byte[0]))
                    .isZero();
            assertThat(keepingAlive()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"exactly-once.copies.excluded=a.b:second", "exactly-once.copies.excluded[0]=a.b:second"})
    void instanceRunsWhatIsNotExcluded(String property) {
        application
                .withPropertyValues(property)
                .run(context -> assertThat(running(context)).containsExactly("first"));
    }

    @Test
    void excludedNameThatNothingHasStopsTheApplication() {
        application
                .withPropertyValues("exactly-once.copies.excluded=first,secnd")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("'secnd'")
                        .hasStackTraceContaining("it defines 'a.b:second', 'first'"));
    }

    @Test
    void processStaysAliveUntilTheApplicationIsClosed() {
        awaitNothingKeptAlive();
        application.run(context -> {
            assertThat(keepingAlive())
                    .singleElement()
                    .satisfies(thread -> assertThat(thread.isDaemon()).isFalse());
            context.getBean(CopyLifecycle.class).stop();
            assertThat(keepingAlive()).hasSize(1);
            context.getBean(CopyLifecycle.class).start();
            assertThat(keepingAlive()).hasSize(1);
        });
        awaitNothingKeptAlive();
    }

    @Test
    void processEndsIfTheApplicationFailsWhenItHasNearlyStarted() {
        application
                .withBean("failing", ApplicationListener.class, () -> event -> {
                    if (event instanceof ContextRefreshedEvent) {
                        throw new IllegalStateException("fails at the end of the start, beside " + keepingAlive());
                    }
                })
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(KEEP_ALIVE));
        awaitNothingKeptAlive();
    }
}
