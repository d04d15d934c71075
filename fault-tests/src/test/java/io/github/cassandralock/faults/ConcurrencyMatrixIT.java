package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.faults.settings.FaultSettings;
import io.github.cassandralock.faults.store.FailingStore;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.checkers.History;
import io.github.cassandralock.testing.checkers.HistoryChecker;
import io.github.cassandralock.testing.checkers.Window;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import io.github.cassandralock.testing.workload.Event;
import io.github.cassandralock.testing.workload.LockUser;
import io.github.cassandralock.testing.workload.Outcome;
import io.github.cassandralock.testing.workload.ProtectedMemory;
import io.github.cassandralock.testing.workload.UsagePattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.StringUtils;

/**
 * Few and many locks, threads and operations, by three instances with short leases and wrong wall clocks, of which one
 * request in a hundred fails; most work takes no time, and some takes longer than the lease.
 */
@Tag("slow")
@ExtendWith(SharedCassandra.class)
class ConcurrencyMatrixIT {

    private static final Logger log = LoggerFactory.getLogger(ConcurrencyMatrixIT.class);
    private static final int INSTANCES = 3;
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration LONG_WORK = Duration.ofMillis(2_500);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<Load> LOADS = List.of(
            new Load(1, 1, 500),
            new Load(2, 10, 100),
            new Load(5, 25, 100),
            new Load(10, 5, 500),
            new Load(1, 37, 1_000));

    /** In short, all threads together use so many locks at each load. */
    private static final int OPERATIONS_IN_SHORT = 40;

    private final CassandraCluster cluster;

    ConcurrencyMatrixIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    /** @param operations of each thread */
    private record Load(int locks, int threads, int operations) {

        Load inShort() {
            return new Load(locks, threads, Math.max(1, OPERATIONS_IN_SHORT / threads));
        }

        int allOperations() {
            return threads * operations;
        }

        List<String> lockIds(Algorithm algorithm) {
            return IntStream.range(0, locks)
                    .mapToObj(lock -> algorithm + "-" + locks + "-" + threads + "-" + lock)
                    .toList();
        }
    }

    /** What is configured, and whether it vouches for fencing tokens. */
    enum Algorithm {
        TICKET(true, "--cassandra-lock.algorithm=ticket"),
        TICKET_NOTICES(true, "--cassandra-lock.algorithm=ticket", "--cassandra-lock.notices.enabled=true"),
        TICKET_MODES(true, "--cassandra-lock.algorithm=ticket", "--cassandra-lock.notices.enabled=true"),
        QUEUE(false, "--cassandra-lock.algorithm=queue"),
        MIGRATION(
                false,
                "--cassandra-lock.algorithm=migration",
                "--cassandra-lock.migration.from=queue",
                "--cassandra-lock.migration.to=ticket");

        private final boolean tokens;
        private final String arguments;

        Algorithm(boolean tokens, String... arguments) {
            this.tokens = tokens;
            this.arguments = String.join(" ", arguments);
        }

        UsagePattern modes(UsagePattern pattern) {
            return this == TICKET_MODES
                    ? pattern.inModes(List.of(LockMode.values())).withConversions()
                    : pattern;
        }

        String[] arguments() {
            return StringUtils.tokenizeToStringArray(arguments + " --cassandra-lock.lease=" + LEASE, " ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void noLockIsHeldTwiceWhileOneRequestInAHundredFails(Algorithm algorithm) throws Exception {
        try (Instances instances =
                Instances.start(INSTANCES, cluster, "matrix", List.of(FailingStore.class), algorithm.arguments())) {
            for (Load load : LOADS) {
                run(instances, algorithm, FaultSettings.isShort() ? load.inShort() : load);
            }
        }
    }

    private static void run(Instances instances, Algorithm algorithm, Load load) throws Exception {
        UsagePattern pattern = algorithm.modes(
                new UsagePattern(load.lockIds(algorithm), PATIENCE, LONG_WORK, oneIsLongOf(load), algorithm.tokens));
        ProtectedMemory memory = new ProtectedMemory();
        Collection<Event> events = new ConcurrentLinkedQueue<>();
        SplittableRandom random = new SplittableRandom(FaultSettings.seed());
        List<Callable<Void>> threads = new ArrayList<>();
        for (int thread = 0; thread < load.threads(); thread++) {
            LockUser user = new LockUser(
                    algorithm.name(),
                    "" + thread,
                    instances.get(thread).locker(),
                    memory,
                    pattern,
                    random.split(),
                    events::add);
            threads.add(() -> {
                for (int operation = 0; operation < load.operations(); operation++) {
                    user.useOnce();
                }
                return null;
            });
        }
        long startedAt = System.nanoTime();
        ConcurrentTasks.runAll(threads);
        check(load, events, memory);
        log.info("{}, {}: {} ms", algorithm, load, (System.nanoTime() - startedAt) / 1_000_000);
    }

    /** In short, in one load or another. */
    private static int oneIsLongOf(Load load) {
        return FaultSettings.isShort() ? load.allOperations() * LOADS.size() / 2 : load.allOperations();
    }

    private static void check(Load load, Collection<Event> events, ProtectedMemory memory) {
        History history = new History("matrix", List.copyOf(events), System.nanoTime(), false);
        Window always = new Window(Long.MIN_VALUE, Long.MAX_VALUE);
        assertThat(HistoryChecker.violations(List.of(history), List.of(always), memory::read))
                .as("safety violations, with %s", load)
                .isEmpty();
        List<Outcome> outcomes = events.stream()
                .filter(Event.Ended.class::isInstance)
                .map(event -> ((Event.Ended) event).outcome())
                .toList();
        assertThat(outcomes)
                .as("attempts that came to an end, conversions included, with %s", load)
                .hasSizeGreaterThanOrEqualTo(load.allOperations());
        assertThat(outcomes)
                .as("how most of them came to an end, with %s", load)
                .filteredOn(outcome -> outcome == Outcome.RELEASED || outcome == Outcome.REFUSED)
                .hasSizeGreaterThan(load.allOperations() * 3 / 4);
        assertThat(outcomes)
                .as("outcomes, with %s", load)
                .contains(Outcome.RELEASED)
                .doesNotContain(Outcome.TIMED_OUT);
    }
}
