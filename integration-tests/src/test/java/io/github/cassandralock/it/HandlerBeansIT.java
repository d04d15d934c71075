package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A handler bean in two instances of an application, on a real Cassandra. Costs ten seconds. Catches outputs that are
 * missing, double or out of order if an instance closes while both work, and beans that Spring Boot 4 does not create.
 */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HandlerBeansIT {

    private static final int MESSAGES = 200;
    private static final Duration BOUND = Duration.ofMinutes(1);

    /** Names are never used again, and the cluster may be there for longer than this test. */
    private static final String RUN = UUID.randomUUID().toString();

    private static Instances start(CassandraCluster cluster) {
        return Instances.start(2, cluster, Numbering.KEYSPACE, List.of(Numbering.class), Numbering.arguments(RUN));
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
                            .untilAsserted(() -> assertThat(Numbering.callsOf(instances.get(1)))
                                    .isPositive());
                    instances.get(1).close();
                }
                pusher.push(Integer.toString(i).getBytes(StandardCharsets.UTF_8));
            }
            await().atMost(BOUND)
                    .untilAsserted(() ->
                            assertThat(Numbering.outputs(queue(staying, "out"))).hasSizeGreaterThanOrEqualTo(MESSAGES));
            assertThat(Numbering.outputs(queue(staying, "out")))
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
}
