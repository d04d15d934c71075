package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.local.LocalNode;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of a node that five applications wait for. What they use of the processor meanwhile is compared with what the node
 * uses. With {@code -Dwaiting.starts=3} the time is compared with that of a node that none waits for. Catches applications that
 * keep a machine busy while Cassandra starts.
 */
@Tag("slow")
@Tag("nightly")
@Tag("once")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class WaitingApplicationsIT {

    private static final Logger log = LoggerFactory.getLogger(WaitingApplicationsIT.class);
    private static final int APPLICATIONS = 5;
    private static final int STARTS = Integer.getInteger("waiting.starts", 0);

    /** The goal is 1.2 on a machine without other work; here others may work meanwhile. */
    private static final double TOLERATED = 2;

    /** Of the node's processor time. Sessions that are built again and again use more than the node. */
    private static final double MOST_PROCESSOR_TIME = 0.3;

    private final LocalCassandra cassandra = LocalCassandra.start(1);
    private final LocalNode node = cassandra.node(1);
    private final CassandraCluster cluster = CassandraCluster.local(cassandra);

    WaitingApplicationsIT() {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
    }

    @AfterEach
    void close() {
        cassandra.close();
    }

    @Test
    void applicationsThatWaitForANodeUseLittleOfTheProcessor() {
        node.kill();
        try (Waiting waiting = new Waiting()) {
            Duration before = processorTime(ProcessHandle.current());
            node.start();
            Duration used = processorTime(ProcessHandle.current()).minus(before);
            Duration ofNode = processorTime(ProcessHandle.of(node.pid()).orElseThrow());
            log.info("{} applications used {} while a node used {} to start", APPLICATIONS, used, ofNode);
            assertThat((double) used.toMillis() / ofNode.toMillis())
                    .as("processor time of the applications, of the node's")
                    .isLessThan(MOST_PROCESSOR_TIME);
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "waiting.starts",
            matches = "[1-9].*",
            disabledReason = "compares times, in the night")
    void nodeStartsAboutAsFastWhileApplicationsWaitForIt() {
        List<Duration> alone = new ArrayList<>();
        List<Duration> awaited = new ArrayList<>();
        for (int start = 0; start < STARTS; start++) {
            node.kill();
            alone.add(timeToStart());
            node.kill();
            try (Waiting waiting = new Waiting()) {
                awaited.add(timeToStart());
            }
        }
        double ratio = (double) median(awaited).toMillis() / median(alone).toMillis();
        log.info(
                "A node starts in {} alone and in {} with {} applications: {} times",
                alone,
                awaited,
                APPLICATIONS,
                ratio);
        assertThat(ratio).isLessThan(TOLERATED);
    }

    /** Applications that have started while Cassandra is down. */
    private final class Waiting implements AutoCloseable {

        private final List<Application> applications = new ArrayList<>();

        Waiting() {
            try {
                for (int number = 0; number < APPLICATIONS; number++) {
                    applications.add(startLazily());
                }
            } catch (RuntimeException | Error e) {
                close();
                throw e;
            }
        }

        @Override
        public void close() {
            applications.forEach(Application::close);
        }
    }

    private static Duration processorTime(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseThrow();
    }

    private Application startLazily() {
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        arguments.add("--cassandra-lock.startup=lazy");
        return Application.run(List.of(Application.Configuration.class), arguments);
    }

    private Duration timeToStart() {
        long startedAt = System.nanoTime();
        node.start();
        return Duration.ofNanos(System.nanoTime() - startedAt);
    }

    private static Duration median(List<Duration> times) {
        return times.stream().sorted().toList().get(times.size() / 2);
    }
}
