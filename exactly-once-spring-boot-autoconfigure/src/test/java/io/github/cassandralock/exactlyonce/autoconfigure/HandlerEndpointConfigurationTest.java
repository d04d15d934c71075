package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.github.cassandralock.internal.endpoint.MessageBody;
import io.github.cassandralock.internal.exactlyonce.endpoint.CopyReports;
import io.github.cassandralock.internal.exactlyonce.endpoint.ExactlyOnceEndpoint;
import io.github.cassandralock.internal.exactlyonce.endpoint.ParkedReports;
import io.github.cassandralock.internal.exactlyonce.endpoint.SendingEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** When there is an endpoint for parked messages, and what it does. The store is in memory. */
@Timeout(60)
class HandlerEndpointConfigurationTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Codec<String> TEXT = Codec.utf8();
    private static final String EXPOSED = "management.endpoints.web.exposure.include=exactlyonce";
    private static final String SENDING = "exactly-once.resend.enabled=true";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ExactlyOnceAutoConfiguration.class, ExactlyOnceMethodAutoConfiguration.class))
            .withUserConfiguration(Parking.class)
            .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
            .withPropertyValues(
                    "exactly-once.poll.max-interval=20ms",
                    "exactly-once.retry.initial-interval=1ms",
                    "exactly-once.retry.max-interval=20ms",
                    "exactly-once.handlers.h.parking.queue=parked",
                    "exactly-once.handlers.h.parking.min-failures=2",
                    "exactly-once.handlers.h.parking.min-duration=50ms");

    /** What the handler has taken, and whether it takes messages that are ill. */
    static final class Ward {
        final List<String> taken = new CopyOnWriteArrayList<>();
        final AtomicBoolean cures = new AtomicBoolean();
    }

    @Configuration(proxyBeanMethods = false)
    static class Parking {

        @Bean
        RegisterStore store() {
            return new InMemoryRegisterStore();
        }

        @Bean
        Ward ward() {
            return new Ward();
        }

        @Bean
        HandlerDefinition<String> handler(HandlerBuilders handlers, Queues queues, Ward ward) {
            return handlers.named(
                            "h",
                            (state, inputs, time) -> {
                                List<String> words = inputs.from("in", TEXT);
                                if (!ward.cures.get() && words.stream().anyMatch(word -> word.startsWith("ill"))) {
                                    throw new IllegalStateException("cannot handle " + words);
                                }
                                ward.taken.addAll(words);
                                return HandlerResult.of(state);
                            },
                            StateCodec.of(TEXT),
                            () -> "")
                    .input(queues.named("in"))
                    .build();
        }
    }

    private static String body(WebEndpointResponse<Object> answer) {
        return answer.getStatus() + " " + answer.getBody();
    }

    private static void park(ApplicationContext context, ExactlyOnceEndpoint endpoint, String... words)
            throws InterruptedException {
        for (String word : words) {
            context.getBean(Queues.class).named("in").push(TEXT.encode(word));
        }
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(body(endpoint.parked(null, null, "h")))
                        .contains("index=1", "status=PARKED", "queue=in", "cannot handle"));
    }

    @Test
    void nativeImageKeepsTheBodies() {
        RuntimeHints hints = new RuntimeHints();
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, ExactlyOnceEndpoint.class);
        assertThat(List.of(
                        ExactlyOnceEndpoint.class.getName() + "$HandlersBody",
                        CopyReports.class.getName() + "$Shown",
                        ParkedReports.class.getName() + "$Page",
                        ParkedReports.class.getName() + "$Parked",
                        MessageBody.class.getName()))
                .allSatisfy(
                        body -> assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(body)))
                                .accepts(hints));
    }

    @Test
    void endpointThatIsExposedListsAndSendsNothing() {
        application.withPropertyValues(EXPOSED).run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(ExactlyOnceEndpoint.class)
                    .doesNotHaveBean(SendingEndpoint.class);
            ExactlyOnceEndpoint endpoint = context.getBean(ExactlyOnceEndpoint.class);
            assertThat(body(endpoint.handlers()))
                    .contains(
                            "200",
                            "status=UP, store=,",
                            "kind=handler, name=h, status=UP",
                            "h=parked",
                            "sendsAgain=false");
            assertThat(body(endpoint.parked(null, null, "nobody"))).contains("400", "no handler 'nobody'", "[h]");
        });
    }

    @Test
    void namesOfQueuesInRequestsAreNotRemembered() {
        application.withPropertyValues(EXPOSED).run(context -> {
            Queues queues = context.getBean(Queues.class);
            assertThat(body(context.getBean(ExactlyOnceEndpoint.class).parked("formerly", null, "h")))
                    .contains("200", "parkingQueue=formerly", "messages=[]");
            assertThat(queues.getNames()).doesNotContain("formerly");
            assertThat(queues.forOneUse("in")).isSameAs(queues.named("in"));
        });
    }

    @Test
    void nameThatOnlyResemblesAConfiguredQueueIsRefused() {
        application
                .withPropertyValues(EXPOSED, "exactly-once.queues[parked].cells=16")
                .run(context -> assertThat(
                                body(context.getBean(ExactlyOnceEndpoint.class).parked("Parked", null, "h")))
                        .contains("400", "names queue 'Parked'", "exactly-once.queues.parked"));
    }

    /** Spring Boot then writes them by its own mapper: the application's naming strategy changes no field. */
    @Test
    void everyAnswerIsTheBodyOfAnOperation() {
        application.withPropertyValues(EXPOSED).run(context -> {
            ExactlyOnceEndpoint endpoint = context.getBean(ExactlyOnceEndpoint.class);
            assertThat(List.of(
                            endpoint.handlers(),
                            endpoint.parked(null, null, "h"),
                            endpoint.parked(null, null, "nobody")))
                    .extracting(WebEndpointResponse::getBody)
                    .hasOnlyElementsOfType(OperationResponseBody.class);
        });
    }

    @Test
    void endpointThatIsNotExposedIsNotThere() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ExactlyOnceEndpoint.class));
        application
                .withPropertyValues(EXPOSED, "management.endpoint.exactlyonce.access=NONE")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ExactlyOnceEndpoint.class));
    }

    @Test
    void parkedMessageIsSentAgainOrDiscardedOnce() {
        application.withPropertyValues(EXPOSED, SENDING).run(context -> {
            SendingEndpoint endpoint = context.getBean(SendingEndpoint.class);
            SecurityContext nobody = mock(SecurityContext.class);
            Ward ward = context.getBean(Ward.class);
            park(context, endpoint, "a", "ill1", "b", "ill2", "c");
            ward.cures.set(true);
            assertThat(body(endpoint.sendAgain(nobody, 0, null, null, "h"))).contains("200", "was sent");
            assertThat(body(endpoint.sendAgain(nobody, 0, null, null, "h"))).contains("200", "nothing was done");
            assertThat(body(endpoint.discard(nobody, 1, null, "h"))).contains("200", "was discarded");
            assertThat(body(endpoint.discard(nobody, 1, null, "h"))).contains("200", "nothing was done");
            assertThat(body(endpoint.sendAgain(nobody, 1, null, null, "h"))).contains("200", "nothing was done");
            assertThat(body(endpoint.sendAgain(nobody, 7, null, null, "h"))).contains("400", "no message at index 7");
            assertThat(body(endpoint.sendAgain(nobody, 7, null, "bad name", "h")))
                    .contains("400", "bad name");
            await().atMost(SOON).untilAsserted(() -> assertThat(ward.taken).contains("ill1"));
            assertThat(ward.taken).doesNotContain("ill2");
        });
    }

    @Test
    void requestsAfterTheCloseAreAnswered() {
        application.withPropertyValues(EXPOSED).run(context -> {
            context.getBean(ParkedReports.class).close();
            assertThat(body(context.getBean(ExactlyOnceEndpoint.class).parked(null, null, "h")))
                    .contains("503");
        });
    }
}
