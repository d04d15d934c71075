package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.WrongClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three nodes whose clocks are two hours apart, by means of the operating system's package {@code faketime}. Costs a minute and a
 * half; every build has such clocks in its fault test.
 */
@Tag("slow")
@Tag("nightly")
@Tag("once")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ServerClocksIT {

    private static final Duration LEASE = Duration.ofSeconds(4);

    @Test
    void serversClocksTwoHoursApartChangeNothing() throws Exception {
        // Nothing in the JDK or in Cassandra sets a process's clock; without the package there is nothing to test.
        assumeTrue(WrongClock.isThere(), "faketime is not there; apt-get install faketime");
        try (LocalCassandra nodes = LocalCassandra.builder()
                        .nodes(3)
                        .node(2, node -> WrongClock.environment(2).forEach(node::environment))
                        .start();
                Application one = start(nodes);
                Application two = start(nodes)) {
            List<Long> tokens = new ArrayList<>();
            for (int round = 0; round < 10; round++) {
                for (Application application : List.of(one, two)) {
                    try (RemoteLock lock = application.locker().getLock("clocks")) {
                        tokens.add(lock.reserveFencingToken());
                    }
                }
            }
            assertThat(tokens).isSorted().doesNotHaveDuplicates();
            try (RemoteLock lock = one.locker().getLock("held")) {
                CompletableFuture<RemoteLock> waiter = two.locker().getLockAsync("held");
                assertThat(waiter)
                        .as("the lock, for another one, while it is held for three leases")
                        .failsWithin(LEASE.multipliedBy(3));
                assertThat(lock.isHeld()).as("the lock, for its holder").isTrue();
                waiter.cancel(true);
            }
        }
    }

    private static Application start(LocalCassandra nodes) {
        CassandraCluster cluster = CassandraCluster.local(nodes);
        Application.createKeyspace(cluster, "clocks", 3);
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=clocks");
        arguments.add("--cassandra-lock.lease=" + LEASE);
        return Application.run(List.of(Application.Configuration.class), arguments);
    }
}
