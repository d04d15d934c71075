package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.local.LocalCassandra;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several lockers want one lock on three nodes, and do nothing under it: what that costs with the ticket lock, beside the
 * thesis's queue in the same run. Times are compared with each other only, and with room for a noisy machine.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("once")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ContentionIT {

    private static final Logger log = LoggerFactory.getLogger(ContentionIT.class);
    private static final String KEYSPACE = "contention";
    private static final int WARM_UPS = 5;
    private static final int ROUNDS = Integer.getInteger("contention.rounds", 100);

    private final LocalCassandra nodes = LocalCassandra.start(3);
    private final Application application = start();
    private final SentStatements sent = SentStatements.of(application);
    private final Lockers lockers = new Lockers(application);

    private Application start() {
        CassandraCluster cluster = CassandraCluster.local(nodes);
        Application.createKeyspace(cluster, KEYSPACE, 3);
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + KEYSPACE);
        List<Class<?>> configuration = List.of(Application.Configuration.class);
        Application ticket = Application.run(configuration, arguments);
        arguments.add("--cassandra-lock.algorithm=queue");
        Application.run(configuration, arguments).close();
        return ticket;
    }

    @AfterAll
    void stop() {
        lockers.close();
        application.close();
        nodes.close();
    }

    private List<RemoteLocker> tickets(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> lockers.ticket(Duration.ZERO))
                .toList();
    }

    @Test
    void fiveContendersWaitAFractionOfWhatTheyWaitInTheQueue() {
        List<RemoteLocker> queues =
                IntStream.range(0, 5).mapToObj(i -> lockers.queue()).toList();
        List<RemoteLocker> tickets = tickets(5);
        for (int round = 0; round < WARM_UPS; round++) {
            Contention.measure(queues, sent, "warm-up", ROUNDS);
            Contention.measure(tickets, sent, "warm-up", ROUNDS * 3);
        }
        Contention queue = Contention.measure(queues, sent, "five", ROUNDS);
        Contention ticket = Contention.measure(tickets, sent, "five", ROUNDS * 3);
        log.info("Five contenders on three nodes:\n  queue  {}\n  ticket {}", queue, ticket);
        assertThat(ticket.operationsPerLock()).as("operations per lock").isLessThanOrEqualTo(7);
        assertThat(ticket.changedHands())
                .as("share of grants that change hands")
                .isGreaterThanOrEqualTo(0.95);
        assertThat(ticket.meanMillis() / queue.meanMillis())
                .as("mean time to the lock, of the queue's: 0.27 to 0.43 where it was measured")
                .isLessThan(0.6);
        assertThat(ticket.p99Millis() / queue.p99Millis())
                .as("p99 of the time to the lock, of the queue's: 0.1 to 0.5 where it was measured")
                .isLessThan(0.9);
    }

    @Test
    void operationsPerLockHardlyGrowWithTwentyFiveContenders() {
        List<RemoteLocker> tickets = tickets(25);
        Contention.measure(tickets, sent, "warm-up-25", ROUNDS / 2);
        Contention ticket = Contention.measure(tickets, sent, "twenty-five", ROUNDS / 2);
        log.info("Twenty-five contenders on three nodes:\n  ticket {}", ticket);
        assertThat(ticket.operationsPerLock()).as("operations per lock").isLessThan(10);
    }
}
