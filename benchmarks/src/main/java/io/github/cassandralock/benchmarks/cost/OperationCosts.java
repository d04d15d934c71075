package io.github.cassandralock.benchmarks.cost;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.contender.StarterContender;
import io.github.cassandralock.benchmarks.processor.Allocation;
import io.github.cassandralock.benchmarks.processor.CpuClock;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import io.github.cassandralock.testing.statistics.Median;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Measures what the operations of the ticket lock cost: the write of a slot, the read of a lock with few and with many slots,
 * and the renewal of a session, on tables of the same shape; and a whole lock, which nobody else wants, by the starter. A few
 * threads do one kind after the other.
 */
public final class OperationCosts {

    private static final String SLOTS = "CREATE TABLE IF NOT EXISTS " + CassandraAddress.KEYSPACE
            + ".cost_slots (lock_id text, session uuid, attempt bigint, phase tinyint, mode tinyint, ticket bigint,"
            + " last_token bigint static, PRIMARY KEY (lock_id, session))";
    private static final String SESSIONS = "CREATE TABLE IF NOT EXISTS " + CassandraAddress.KEYSPACE
            + ".cost_sessions (session uuid PRIMARY KEY, beat bigint, nonce uuid, state text, owner text)";
    private static final Duration DDL_TIMEOUT = Duration.ofSeconds(60);
    private static final List<Integer> SIZES = List.of(1, 10, 100, 1_000);
    private static final int THREADS = 4;
    private static final int SESSIONS_OF_EACH_THREAD = 50;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final CqlSession session;
    private final CpuClock nodes;
    private final CpuClock client = new CpuClock(List.of(ProcessHandle.current().pid()));
    private final AtomicLong timestamps = new AtomicLong();

    /** For each kind of operation, its n-th execution. */
    private final Map<String, Operation> kinds = new LinkedHashMap<>();

    private interface Operation {

        void execute(long n) throws Exception;
    }

    private record Sample(long answered, long nanos, long nodesCpu, long clientCpu, long clientBytes) {}

    /** @param bytes allocated by threads that have ended since */
    private record Done(long times, long bytes) {

        private Done plus(Done other) {
            return new Done(times + other.times, bytes + other.bytes);
        }
    }

    private OperationCosts(CqlSession session, List<Long> nodePids) {
        this.session = session;
        this.nodes = new CpuClock(nodePids);
    }

    /**
     * Measures each kind in several turns, and takes the medians.
     *
     * @param nodePids the processes of all nodes
     * @param warmUp for how long to send all kinds before, together
     * @param turns how often each kind is measured
     * @param time for how long each time
     */
    public static List<OperationCost> measure(
            CassandraAddress address, List<Long> nodePids, Duration warmUp, int turns, Duration time) throws Exception {
        try (CqlSession connection = address.connect()) {
            for (String table : List.of(SLOTS, SESSIONS)) {
                connection.execute(SimpleStatement.newInstance(table).setTimeout(DDL_TIMEOUT));
            }
            OperationCosts costs = new OperationCosts(connection, nodePids);
            costs.prepare();
            try (StarterContender locks = new StarterContender(List.of(), connection)) {
                costs.kinds.put(
                        "a lock without contention",
                        n -> locks.acquire("lock-" + n % 1_000).release());
                return costs.measure(warmUp, turns, time);
            }
        }
    }

    private void prepare() {
        PreparedStatement write = atQuorum("INSERT INTO cost_slots (lock_id, session, attempt, phase, mode, ticket)"
                + " VALUES (?, ?, ?, 2, 0, ?) USING TIMESTAMP ? AND TTL 10800");
        PreparedStatement read =
                atQuorum("SELECT session, attempt, phase, mode, ticket, last_token FROM cost_slots WHERE lock_id = ?");
        put(
                "write of a slot",
                n -> write.bind("written-" + n % 1_000, new UUID(1, 1), n, n, timestamps.incrementAndGet()));
        for (int size : SIZES) {
            String lockId = "read-" + size;
            for (int row = 0; row < size; row++) {
                session.execute(write.bind(lockId, new UUID(2, row), 1L, 1L, timestamps.incrementAndGet()));
            }
            put("read of a lock with slots: " + size, n -> read.bind(lockId));
        }
        prepareRenewals();
    }

    /** Each session is renewed by one thread, as in life. Sessions of the same thread are renewed in turns. */
    private void prepareRenewals() {
        UUID nonce = new UUID(3, 3);
        PreparedStatement open = atQuorum("INSERT INTO cost_sessions (session, beat, nonce, state, owner)"
                + " VALUES (?, 0, ?, 'ALIVE', 'a process of some application') IF NOT EXISTS");
        PreparedStatement renew =
                atQuorum("UPDATE cost_sessions USING TTL 10800 SET beat = ?, nonce = ?, state = 'ALIVE',"
                        + " owner = 'a process of some application'"
                        + " WHERE session = ? IF nonce = ? AND state = 'ALIVE'");
        for (long row = 0; row < THREADS * SESSIONS_OF_EACH_THREAD; row++) {
            session.execute(open.bind(new UUID(4, row), nonce));
        }
        put(
                "renewal of a session",
                n -> renew.bind(n, nonce, new UUID(4, n % (THREADS * SESSIONS_OF_EACH_THREAD)), nonce));
    }

    /** @param statements the one that the n-th execution sends */
    private void put(String kind, LongFunction<Statement<?>> statements) {
        kinds.put(kind, n -> session.execute(statements.apply(n)));
    }

    private PreparedStatement atQuorum(String cql) {
        return session.prepare(SimpleStatement.newInstance(cql).setConsistencyLevel(ConsistencyLevel.QUORUM));
    }

    private List<OperationCost> measure(Duration warmUp, int turns, Duration time) throws Exception {
        for (Operation operation : kinds.values()) {
            repeat(operation, warmUp.dividedBy(kinds.size()));
        }
        Map<String, List<Sample>> samples = new LinkedHashMap<>();
        List<Sample> idle = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
            idle.add(rest(time));
            for (Map.Entry<String, Operation> kind : kinds.entrySet()) {
                samples.computeIfAbsent(kind.getKey(), first -> new ArrayList<>())
                        .add(repeat(kind.getValue(), time));
            }
        }
        double idleNodes = Median.of(idle.stream()
                .map(sample -> (double) sample.nodesCpu() / sample.nanos())
                .toList());
        return samples.entrySet().stream()
                .map(entry -> cost(entry.getKey(), entry.getValue(), idleNodes))
                .toList();
    }

    private static OperationCost cost(String what, List<Sample> samples, double idleNodes) {
        return new OperationCost(
                what,
                Median.of(samples.stream()
                        .map(sample -> sample.answered() * NANOS_PER_SECOND / sample.nanos())
                        .toList()),
                Median.of(samples.stream()
                        .map(sample ->
                                (sample.nodesCpu() - idleNodes * sample.nanos()) / NANOS_PER_MILLI / sample.answered())
                        .toList()),
                Median.of(samples.stream()
                        .map(sample -> sample.clientCpu() / NANOS_PER_MILLI / sample.answered())
                        .toList()),
                Median.of(samples.stream()
                        .map(sample -> sample.clientBytes() / (double) sample.answered())
                        .toList()));
    }

    private Sample rest(Duration time) throws Exception {
        return sample(time, end -> {
            TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
            return new Done(0, 0);
        });
    }

    private Sample repeat(Operation operation, Duration time) throws Exception {
        return sample(time, end -> {
            List<Callable<Done>> threads = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                threads.add(() -> {
                    long answered = 0;
                    for (long n = first; System.nanoTime() - end < 0; n += THREADS) {
                        operation.execute(n);
                        answered++;
                    }
                    return new Done(answered, Allocation.ofThisThread());
                });
            }
            return ConcurrentTasks.runAll(threads).stream().reduce(new Done(0, 0), Done::plus);
        });
    }

    /** Work that lasts until the given monotonic time, in nanoseconds. */
    private interface Load {

        /** Returns what was done. */
        Done until(long end) throws Exception;
    }

    private Sample sample(Duration time, Load load) throws Exception {
        long nodesBefore = nodes.nanos();
        long clientBefore = client.nanos();
        long bytesBefore = Allocation.ofLiveThreads();
        long startedAt = System.nanoTime();
        Done done = load.until(startedAt + time.toNanos());
        return new Sample(
                done.times(),
                System.nanoTime() - startedAt,
                nodes.nanos() - nodesBefore,
                client.nanos() - clientBefore,
                Allocation.ofLiveThreads() - bytesBefore + done.bytes());
    }
}
