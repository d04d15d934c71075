package io.github.cassandralock.benchmarks;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.contender.Contender;
import io.github.cassandralock.benchmarks.contender.StarterContender;
import io.github.cassandralock.benchmarks.measurement.DistanceResult;
import io.github.cassandralock.benchmarks.report.Report;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import io.github.cassandralock.testing.proxies.CuttableProxy;
import io.github.cassandralock.testing.proxies.NodeProxies;
import io.github.cassandralock.testing.results.Table;
import io.github.cassandralock.testing.statistics.Figures;
import io.github.cassandralock.testing.statistics.Grant;
import io.github.cassandralock.testing.statistics.Turn;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Two contenders that are far from the nodes and from each other: everything that they send and receive goes through proxies
 * that delay it. The nodes are close to each other. Each contender works for longer under the lock than the other one takes to
 * queue for it.
 *
 * @param oneWayMillis how long a message takes in each direction
 * @param acquisitions of each contender, at each distance, with each algorithm
 */
record DistanceExperiment(SeriesOptions options, List<Long> oneWayMillis, int acquisitions) implements Experiment {

    private static final int CONTENDERS = 2;
    private static final int PROXY_THREADS = 1;
    private static final Duration WORK = Duration.ofMillis(100);

    /** At a distance, W1, R1, W2 and R take longer than the work: the first hold of each counts for nothing. */
    private static final int UNCOUNTED = 2;

    private record Measurement(long oneWayMillis, Algorithm algorithm) {

        String lockId() {
            return "distance-" + algorithm + "-" + oneWayMillis;
        }
    }

    @Override
    public Outcome run(Environment environment, Report report) throws Exception {
        Map<Measurement, List<Turn>> turns = new LinkedHashMap<>();
        EventLoopGroup threads = new NioEventLoopGroup(PROXY_THREADS);
        try {
            for (Algorithm algorithm : ScalingExperiment.BOTH) {
                try (Pair pair = new Pair(environment, algorithm, threads)) {
                    measure(pair, algorithm, turns);
                }
            }
        } finally {
            threads.shutdownGracefully().syncUninterruptibly();
        }
        List<DistanceResult> results = turns.entrySet().stream()
                .map(entry -> result(entry.getKey(), entry.getValue()))
                .toList();
        report.json("distance.json", results);
        return new Outcome(List.of(), List.of(table(results)));
    }

    private void measure(Pair pair, Algorithm algorithm, Map<Measurement, List<Turn>> turns) throws Exception {
        new LeadIn(options.fixedWarmUp()).untilQuiet(time -> pair.take("warm-up", CONTENDERS, Duration.ZERO));
        for (int turn = 0; turn < options.turns(); turn++) {
            for (long millis : oneWayMillis) {
                Measurement measurement = new Measurement(millis, algorithm);
                pair.delay(Duration.ofMillis(millis));
                turns.computeIfAbsent(measurement, first -> new ArrayList<>())
                        .add(pair.take(measurement.lockId(), UNCOUNTED + share(turn), WORK));
            }
            pair.delay(Duration.ZERO);
        }
    }

    /** All acquisitions, shared out to the turns as evenly as can be. */
    private int share(int turn) {
        return acquisitions * (turn + 1) / options.turns() - acquisitions * turn / options.turns();
    }

    private static DistanceResult result(Measurement measurement, List<Turn> turns) {
        return new DistanceResult(
                measurement.oneWayMillis(),
                measurement.algorithm().title(),
                Figures.handOverMs(turns),
                Figures.of(turns));
    }

    private static Table table(List<DistanceResult> results) {
        return new Table(
                "Far from each other",
                List.of("one way, ms", "algorithm", "hand-over ms", "operations/lock", "violations"),
                results.stream()
                        .map(result -> List.of(
                                Table.count(result.oneWayMs()),
                                result.algorithm(),
                                Table.number(result.handOverMs()),
                                Table.number(result.figures().dbOpsPerLock()),
                                Long.toString(result.figures().violations())))
                        .toList());
    }

    /** Both contenders, in this process, and what they are reached through. */
    private static final class Pair implements AutoCloseable {

        private final NodeProxies nodes;
        private final List<CuttableProxy> notices = new ArrayList<>();
        private final List<CqlSession> sessions = new ArrayList<>();
        private final List<Contender> contenders = new ArrayList<>();

        Pair(Environment environment, Algorithm algorithm, EventLoopGroup threads) {
            nodes = new NodeProxies(threads, environment.cassandraAddress().contactPoints());
            for (int number = 1; number <= CONTENDERS; number++) {
                InetAddress own = ownAddress(number);
                CuttableProxy proxy = new CuttableProxy(threads, port -> new InetSocketAddress(own, port));
                CqlSession session = CassandraAddress.connectThrough(nodes);
                notices.add(proxy);
                sessions.add(session);
                contenders.add(new StarterContender(settings(algorithm, proxy), session));
            }
        }

        /** A proxy listens at the same port of another address: an application advertises the port at which it listens. */
        private static InetAddress ownAddress(int number) {
            try {
                return InetAddress.getByAddress(new byte[] {127, 0, 3, (byte) number});
            } catch (UnknownHostException e) {
                throw new IllegalStateException(e);
            }
        }

        private static List<String> settings(Algorithm algorithm, CuttableProxy proxy) {
            List<String> settings = new ArrayList<>(algorithm.settings());
            settings.add("--cassandra-lock.notices.bind-address="
                    + proxy.target().getAddress().getHostAddress());
            settings.add("--cassandra-lock.notices.advertised-address="
                    + proxy.address().getAddress().getHostAddress());
            settings.add("--cassandra-lock.notices.port=" + proxy.address().getPort());
            return settings;
        }

        void delay(Duration oneWay) {
            nodes.delay(oneWay);
            notices.forEach(proxy -> proxy.delay(oneWay));
        }

        /** Each takes the lock so many times; what comes before all are in the queue does not count. */
        Turn take(String lockId, int times, Duration work) throws Exception {
            Collection<Grant> grants = new ConcurrentLinkedQueue<>();
            List<Callable<Long>> threads = new ArrayList<>();
            for (int number = 1; number <= CONTENDERS; number++) {
                int contender = number;
                threads.add(() -> take(contender, lockId, times, work, grants));
            }
            List<Long> before = ConcurrentTasks.runAll(threads);
            long requests = contenders.stream().mapToLong(Contender::requests).sum()
                    - before.stream().mapToLong(Long::longValue).sum();
            return new Turn(
                    grants.stream().mapToLong(Grant::askedAt).min().orElseThrow(), List.copyOf(grants), requests);
        }

        private long take(int number, String lockId, int times, Duration work, Collection<Grant> grants)
                throws Exception {
            Contender contender = contenders.get(number - 1);
            long before = contender.requests();
            for (int i = 0; i < times; i++) {
                long askedAt = System.nanoTime();
                Contender.Hold hold = contender.acquire(lockId);
                long enteredAt = System.nanoTime();
                TimeUnit.NANOSECONDS.sleep(work.toNanos());
                long leftAt = System.nanoTime();
                hold.release();
                if (i >= UNCOUNTED || times <= UNCOUNTED) {
                    grants.add(new Grant(1, number, 0, askedAt, enteredAt, leftAt));
                } else {
                    before = contender.requests();
                }
            }
            return before;
        }

        @Override
        public void close() throws Exception {
            for (Contender contender : contenders) {
                contender.close();
            }
            sessions.forEach(CqlSession::close);
            notices.forEach(CuttableProxy::close);
            nodes.close();
        }
    }
}
