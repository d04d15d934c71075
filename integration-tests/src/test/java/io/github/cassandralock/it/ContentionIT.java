package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.local.LocalCassandra;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several applications want one lock on three nodes: what that costs with the ticket lock, beside the thesis's queue in
 * the same run. Times are compared with each other only, and with room for a noisy machine.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ContentionIT {

    private static final Logger log = LoggerFactory.getLogger(ContentionIT.class);
    private static final String KEYSPACE = "contention";

    private final LocalCassandra nodes = LocalCassandra.start(3);
    private final CassandraCluster cluster = CassandraCluster.local(nodes);
    private final List<Application> tickets = new ArrayList<>();
    private final List<Application> queues = new ArrayList<>();

    @BeforeAll
    void start() {
        Application.createKeyspace(cluster, KEYSPACE, 3);
        start(tickets, "ticket", 5);
        start(queues, "queue", 5);
    }

    private void start(List<Application> applications, String algorithm, int count) {
        for (int i = 0; i < count; i++) {
            List<String> arguments = cluster.arguments();
            arguments.add("--spring.cassandra.keyspace-name=" + KEYSPACE);
            arguments.add("--cassandra-lock.algorithm=" + algorithm);
            arguments.add(SentStatements.ARGUMENT);
            applications.add(Application.run(List.of(Application.Configuration.class), arguments));
        }
    }

    @AfterAll
    void stop() {
        tickets.forEach(Application::close);
        queues.forEach(Application::close);
        nodes.close();
    }

    @Test
    void fiveContendersWaitAFractionOfWhatTheyWaitInTheQueue() {
        Contention.measure(queues, "warm-up", 60);
        Contention.measure(tickets, "warm-up", 300);
        Contention queue = Contention.measure(queues, "five", 100);
        Contention ticket = Contention.measure(tickets, "five", 300);
        log.info("Five contenders on three nodes:\n  queue  {}\n  ticket {}", queue, ticket);
        assertThat(ticket.operationsPerLock()).as("operations per lock").isLessThanOrEqualTo(7);
        assertThat(ticket.changedHands())
                .as("share of grants that change hands")
                .isGreaterThanOrEqualTo(0.95);
        assertThat(ticket.meanMillis() / queue.meanMillis())
                .as("mean time to the lock, of the queue's (0.26 to 0.35 on a quiet machine)")
                .isLessThan(0.5);
        assertThat(ticket.p99Millis() / queue.p99Millis())
                .as("p99 of the time to the lock, of the queue's (0.3 to 0.4 on a quiet machine)")
                .isLessThan(0.9);
    }

    @Test
    void operationsPerLockHardlyGrowWithTwentyFiveContenders() {
        List<Application> all = new ArrayList<>(tickets);
        List<Application> more = new ArrayList<>();
        try {
            start(more, "ticket", 20);
            all.addAll(more);
            Contention.measure(all, "warm-up-25", 30);
            Contention ticket = Contention.measure(all, "twenty-five", 50);
            log.info("Twenty-five contenders on three nodes:\n  ticket {}", ticket);
            assertThat(ticket.operationsPerLock()).as("operations per lock").isLessThan(10);
        } finally {
            more.forEach(Application::close);
        }
    }
}
