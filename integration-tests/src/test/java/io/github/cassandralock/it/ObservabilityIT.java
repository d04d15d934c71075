package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What an operator sees of one annotated call that waits for another instance: its meters, its trace, and its lines in the log.
 * With Actuator's registries, on a real node. The test would fail if Spring Boot's and our own timers counted a call twice, if
 * meters were not registered, or if a span or a line were missing.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ObservabilityIT {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final CassandraCluster cluster;
    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.cassandralock.internal");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private Application holder;
    private Application instance;

    /** Work whose trace has a span of its own. */
    static class Accounts {

        private final ObservationRegistry registry;

        Accounts(ObservationRegistry registry) {
            this.registry = registry;
        }

        @DistributedLock(key = "'account:' + #id")
        public void book(String id) {
            Observation.createNotStarted("book", registry).observe(() -> {});
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Traced {

        @Bean
        SimpleTracer tracer() {
            return new SimpleTracer();
        }

        @Bean
        DefaultTracingObservationHandler tracingHandler(SimpleTracer tracer) {
            return new DefaultTracingObservationHandler(tracer);
        }

        @Bean
        Accounts accounts(ObservationRegistry registry) {
            return new Accounts(registry);
        }
    }

    ObservabilityIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void start() {
        holder = Application.start(cluster);
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        arguments.add("--cassandra-lock.lease=6s");
        instance = Application.run(List.of(Application.Configuration.class, Traced.class), arguments);
        lines.start();
        log.addAppender(lines);
        log.setLevel(Level.DEBUG);
    }

    @AfterAll
    void stop() {
        log.setLevel(null);
        log.detachAppender(lines);
        instance.close();
        holder.close();
    }

    private MeterRegistry meters() {
        return instance.context().getBean(MeterRegistry.class);
    }

    private Timer timer(String name, String... tags) {
        return meters().get(name).tags(tags).timer();
    }

    private SimpleSpan span(String name) {
        return instance.context().getBean(SimpleTracer.class).getSpans().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span '" + name + "'"));
    }

    private List<String> linesAbout(String lockId) {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith("Lock '" + lockId + "': "))
                .toList();
    }

    @Test
    void annotatedCallThatWaitsIsMeasuredTracedAndLogged() {
        String id = UUID.randomUUID().toString();
        String lockId = "account:" + id;
        ObservationRegistry registry = instance.context().getBean(ObservationRegistry.class);
        RemoteLock held = holder.locker().getLock(lockId);
        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> Observation.createNotStarted(
                        "request", registry)
                .observe(() -> instance.context().getBean(Accounts.class).book(id)));
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(linesAbout(lockId))
                        .anySatisfy(line -> assertThat(line).contains("waiting behind 1 others")));
        assertThat(meters().get("cassandra.lock.waiting").gauge().value()).isOne();
        held.close();
        assertThat(call).succeedsWithin(BOUND);

        assertThat(timer("cassandra.lock.wait", "outcome", "acquired", "strategy", "get_lock")
                        .count())
                .isOne();
        assertThat(timer("cassandra.lock.hold", "outcome", "released").count()).isOne();
        assertThat(timer(
                                "cassandra.lock.operations",
                                "table",
                                "lock_slots",
                                "operation",
                                "write",
                                "outcome",
                                "answered")
                        .count())
                .as("W1, W2 and the release")
                .isBetween(2L, 10L);
        assertThat(timer(
                                "cassandra.lock.operations",
                                "table",
                                "lock_sessions",
                                "operation",
                                "transaction",
                                "outcome",
                                "answered")
                        .count())
                .isPositive();
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(meters().get("cassandra.lock.renewals")
                                .tag("outcome", "confirmed")
                                .functionCounter())
                        .extracting(FunctionCounter::count)
                        .matches(count -> count >= 1));

        SimpleSpan request = span("request");
        SimpleSpan hold = span("lock hold");
        assertThat(span("lock wait").context().parentId()).isEqualTo(request.getSpanId());
        assertThat(hold.context().parentId()).isEqualTo(request.getSpanId());
        assertThat(span("book").context().parentId()).isEqualTo(hold.getSpanId());
        assertThat(hold.getTags()).containsEntry("lock.id", lockId).containsEntry("outcome", "released");

        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(linesAbout(lockId))
                        .anySatisfy(line -> assertThat(line).contains("is released")));
        assertThat(linesAbout(lockId).stream().map(line -> line.substring(lockId.length() + 9)))
                .as("the story of the lock")
                .anySatisfy(line -> assertThat(line).startsWith("requested by "))
                .anySatisfy(line -> assertThat(line).matches("ticket \\d+ drawn; 1 others hold or request the lock"))
                .anySatisfy(line -> assertThat(line).startsWith("waiting behind 1 others; first is session "))
                .anySatisfy(line -> assertThat(line).startsWith("granted to "))
                .anySatisfy(line -> assertThat(line).startsWith("closed by "));
    }
}
