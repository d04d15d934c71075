package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A handler bean in two instances of an application, on a real Cassandra. Costs ten seconds. Catches outputs that are
 * missing, double or out of order if an instance closes while both work, and beans that Spring Boot 4 does not create.
 */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HandlerBeansIT {

    private static final String KEYSPACE = "handlers";
    private static final int MESSAGES = 200;
    private static final Codec<String> TEXT = Codec.utf8();
    private static final Duration BOUND = Duration.ofMinutes(1);

    /** Names are never used again, and the cluster may be there for longer than this test. */
    private static final String RUN = UUID.randomUUID().toString();

    /** Counts its inputs, and pushes each one with its number. */
    @Configuration(proxyBeanMethods = false)
    static class Numbering {

        @Bean
        AtomicLong calls() {
            return new AtomicLong();
        }

        @Bean
        HandlerDefinition<String> numbers(HandlerBuilders handlers, Queues queues, AtomicLong calls) {
            return handlers.named(
                            "numbers-" + RUN,
                            (count, inputs, time) -> number(calls, count, inputs),
                            StateCodec.of(TEXT),
                            () -> "0")
                    .input(queues.named("in-" + RUN))
                    .exclusiveOutput(queues.named("out-" + RUN))
                    .maxInputs(3)
                    .build();
        }

        private static HandlerResult<String> number(AtomicLong calls, String state, Inputs inputs) {
            calls.incrementAndGet();
            int count = Integer.parseInt(state);
            List<String> outputs = new ArrayList<>();
            for (String input : inputs.from("in-" + RUN, TEXT)) {
                outputs.add(count++ + " " + input);
            }
            HandlerResult<String> result = HandlerResult.of(Integer.toString(count));
            outputs.forEach(output -> result.output("out-" + RUN, TEXT, output));
            return result;
        }
    }

    private static Instances start(CassandraCluster cluster) {
        return Instances.start(
                2,
                cluster,
                KEYSPACE,
                List.of(Numbering.class),
                "--exactly-once.queues.[in-" + RUN + "].cells=64",
                "--exactly-once.poll.max-interval=50ms");
    }

    @Test
    @Tag("slow")
    void instanceThatClosesInTheMiddleLosesDoublesAndDisordersNothing(CassandraCluster cluster) throws Exception {
        try (Instances instances = start(cluster)) {
            Application staying = instances.get(0);
            MessageQueue pusher = queue(staying, "in");
            for (int i = 0; i < MESSAGES; i++) {
                if (i == MESSAGES / 2) {
                    await().atMost(BOUND)
                            .untilAsserted(
                                    () -> assertThat(callsOf(instances.get(1))).isPositive());
                    instances.get(1).close();
                }
                pusher.push(Integer.toString(i).getBytes(StandardCharsets.UTF_8));
            }
            await().atMost(BOUND)
                    .untilAsserted(
                            () -> assertThat(outputs(queue(staying, "out"))).hasSizeGreaterThanOrEqualTo(MESSAGES));
            assertThat(outputs(queue(staying, "out")))
                    .containsExactlyElementsOf(IntStream.range(0, MESSAGES)
                            .mapToObj(i -> i + " " + i)
                            .toList());
            LockHealth health = LockHealth.of(staying, "exactlyOnceHealthIndicator");
            assertThat(health.status()).isEqualTo("UP");
            assertThat(health.details()).contains("handler numbers-" + RUN, "running=true");
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("exactly-once-numbers"));
    }

    /** Both starters are on the class path of this module. */
    @Test
    void locksAndHandlersOfOneApplicationShareOneSession(CassandraCluster cluster) throws Exception {
        try (Instances instances = start(cluster)) {
            Application application = instances.get(0);
            MessageQueue apart = queue(application, "apart");
            apart.push(new byte[] {'a'});
            assertThat(apart.read(0)).isInstanceOf(Cell.Full.class);
            try (RemoteLock lock =
                    application.context().getBean(RemoteLocker.class).getLock("shared-" + RUN)) {
                assertThat(lock.isHeld()).isTrue();
            }
            assertThat(application.context().getBeansOfType(CqlSession.class)).hasSize(1);
        }
    }

    private static MessageQueue queue(Application application, String name) {
        return application.context().getBean(Queues.class).named(name + "-" + RUN);
    }

    private static long callsOf(Application application) {
        return application.context().getBean(AtomicLong.class).get();
    }

    /** All payloads: a message has those of a step. */
    private static List<String> outputs(MessageQueue queue) throws InterruptedException {
        List<String> outputs = new ArrayList<>();
        long index = 0;
        while (queue.read(index) instanceof Cell.Full full) {
            full.message().payloads().forEach(payload -> outputs.add(TEXT.decode(payload)));
            index++;
        }
        return outputs;
    }
}
