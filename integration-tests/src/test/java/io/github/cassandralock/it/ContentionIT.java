package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.SentStatements;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.statistics.Contention;
import io.github.cassandralock.testing.statistics.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several lockers want one lock on three nodes, and do nothing under it: how many operations a lock costs. With {@code
 * -Dcontention.rounds=40} the times are compared with those of the thesis's queue in the same run, which takes some minutes. Other
 * tests may run at the same time: the bounds are loose, the module {@code benchmarks} measures.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
@Tag("nightly")
@Tag("once")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ContentionIT {

    private static final Logger log = LoggerFactory.getLogger(ContentionIT.class);
    private static final String KEYSPACE = "contention";
    private static final int ROUNDS = Integer.getInteger("contention.rounds", 20);

    /** Before, the nodes' and this JVM's code is hardly compiled. */
    private static final int WARM_UPS = 2;

    private static final int PAIRS = 3;

    private final LocalCassandra nodes =
            LocalCassandra.builder().nodes(3).flushEachWrite(false).start();
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

    /** What the same contenders measured, right after one another. */
    private record Pair(Figures queue, Figures ticket) {

        double meanRatio() {
            return ticket.meanMs() / queue.meanMs();
        }

        double p99Ratio() {
            return ticket.p99Ms() / queue.p99Ms();
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "contention.rounds",
            matches = ".+",
            disabledReason = "compares times, in the night")
    void fiveContendersWaitMuchLessThanInTheQueue() throws Exception {
        List<RemoteLocker> queues =
                IntStream.range(0, 5).mapToObj(i -> lockers.queue()).toList();
        List<RemoteLocker> tickets = tickets(5);
        for (int i = 0; i < WARM_UPS; i++) {
            measure(queues, tickets);
        }
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            pairs.add(measure(queues, tickets));
        }
        double mean = median(pairs, Pair::meanRatio);
        double p99 = median(pairs, Pair::p99Ratio);
        log.info("Five contenders on three nodes: mean {}, p99 {} of the queue's, from {}", mean, p99, pairs);
        assertThat(mean)
                .as("mean time to the lock, of the queue's: 0.3 where nothing else runs, 0.65 beside other programs")
                .isLessThan(0.8);
        assertThat(p99)
                .as("p99 of the time to the lock, of the queue's: 0.4 where nothing else runs")
                .isLessThan(0.9);
    }

    /** One lock throughout, as in practice: the queue gets slower by what it leaves behind, the ticket lock does not. */
    private Pair measure(List<RemoteLocker> queues, List<RemoteLocker> tickets) throws Exception {
        Pair pair = new Pair(
                Contention.measure(queues, sent, "five", ROUNDS),
                Contention.measure(tickets, sent, "five", ROUNDS * 3));
        assertThat(pair.queue().violations() + pair.ticket().violations())
                .as("grants that began while another thread held the lock")
                .isZero();
        return pair;
    }

    private static double median(List<Pair> pairs, ToDoubleFunction<Pair> figure) {
        return pairs.stream().mapToDouble(figure).sorted().toArray()[pairs.size() / 2];
    }

    @Test
    void operationsPerLockHardlyGrowFromFiveToTwentyFiveContenders() throws Exception {
        Figures five = Contention.measure(tickets(5), sent, "operations-five", ROUNDS * 3);
        Figures twentyFive = Contention.measure(tickets(25), sent, "operations-twenty-five", ROUNDS);
        log.info("Contenders on three nodes:\n  five {}\n  twenty-five {}", five, twentyFive);
        assertThat(five.violations() + twentyFive.violations())
                .as("grants that began while another thread held the lock")
                .isZero();
        assertThat(five.dbOpsPerLock())
                .as("operations per lock: 6.5 where nothing else runs, 7.1 beside other tests; 12 in the queue")
                .isLessThanOrEqualTo(8);
        assertThat(five.changedHands()).as("share of grants that change hands").isGreaterThanOrEqualTo(0.95);
        assertThat(twentyFive.dbOpsPerLock()).as("operations per lock").isLessThan(10);
    }
}
