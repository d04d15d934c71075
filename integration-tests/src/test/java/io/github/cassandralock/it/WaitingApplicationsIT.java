package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of a node that five applications wait for, compared with one that none waits for. {@code -Dwaiting.starts=3} takes the
 * medians of three starts each; the log has the figures. Catches applications that keep a machine busy while Cassandra starts.
 */
@Tag("slow")
@Tag("once")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class WaitingApplicationsIT {

    private static final Logger log = LoggerFactory.getLogger(WaitingApplicationsIT.class);
    private static final int APPLICATIONS = 5;
    private static final int STARTS = Integer.getInteger("waiting.starts", 1);

    /** The goal is 1.2 on a machine without other work; here others may work meanwhile. */
    private static final double TOLERATED = 2;

    @Test
    void nodeStartsAboutAsFastWhileApplicationsWaitForIt() {
        List<Duration> alone = new ArrayList<>();
        List<Duration> awaited = new ArrayList<>();
        try (LocalCassandra cassandra = LocalCassandra.start(1)) {
            CassandraCluster cluster = CassandraCluster.local(cassandra);
            Application.createKeyspace(cluster, Application.KEYSPACE, 1);
            for (int start = 0; start < STARTS; start++) {
                cassandra.node(1).kill();
                alone.add(timeToStart(cassandra));
                cassandra.node(1).kill();
                List<Application> waiting = new ArrayList<>();
                try {
                    for (int number = 0; number < APPLICATIONS; number++) {
                        waiting.add(startLazily(cluster));
                    }
                    awaited.add(timeToStart(cassandra));
                } finally {
                    waiting.forEach(Application::close);
                }
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

    private static Application startLazily(CassandraCluster cluster) {
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        arguments.add("--cassandra-lock.startup=lazy");
        return Application.run(List.of(Application.Configuration.class), arguments);
    }

    private static Duration timeToStart(LocalCassandra cassandra) {
        long startedAt = System.nanoTime();
        cassandra.node(1).start();
        return Duration.ofNanos(System.nanoTime() - startedAt);
    }

    private static Duration median(List<Duration> times) {
        return times.stream().sorted().toList().get(times.size() / 2);
    }
}
