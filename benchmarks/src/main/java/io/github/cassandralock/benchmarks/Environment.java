package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.contender.Tables;
import io.github.cassandralock.benchmarks.processor.Cores;
import io.github.cassandralock.benchmarks.processor.Layout;
import io.github.cassandralock.benchmarks.server.Peer;
import io.github.cassandralock.benchmarks.server.PeerServer;
import io.github.cassandralock.benchmarks.worker.Program;
import io.github.cassandralock.benchmarks.worker.Workers;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.local.LocalNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The servers of one run: Cassandra nodes, the same for all of its experiments since they get quicker for minutes,
 * and the peers' servers and further clusters while they are wanted. For one thread.
 */
final class Environment implements AutoCloseable {

    private final LocalCassandra cassandra;
    private final List<LocalCassandra> furtherClusters = new ArrayList<>();
    private final Map<Peer, PeerServer> servers = new EnumMap<>(Peer.class);

    /** Empty if all processes have all cores. */
    private final Optional<Cores> cores;

    private Environment(LocalCassandra cassandra, Layout layout) {
        this.cassandra = cassandra;
        this.cores = layout == Layout.APART ? Cores.find() : Optional.empty();
    }

    /** Starts the nodes, with the contenders' tables replicated to all of them. */
    static Environment start(int nodes, Layout layout) {
        Environment environment = new Environment(
                LocalCassandra.builder().nodes(nodes).flushEachWrite(false).start(), layout);
        try {
            environment.bind(environment.cassandra);
            createTables(environment.cassandra);
            return environment;
        } catch (RuntimeException e) {
            environment.close();
            throw e;
        }
    }

    private static void createTables(LocalCassandra cluster) {
        Tables.create(
                new CassandraAddress(cluster.contactPoints()), cluster.nodes().size());
    }

    /**
     * Starts what the algorithms need besides, until {@link #endServers()}: the peers' servers, and clusters of as many nodes as
     * the first one has.
     */
    void startServersOf(Collection<Algorithm> algorithms) {
        for (Algorithm algorithm : algorithms) {
            algorithm.peer().ifPresent(this::start);
            while (clusters().size() < algorithm.clusters()) {
                startFurtherCluster();
            }
        }
    }

    private void startFurtherCluster() {
        LocalCassandra cluster = LocalCassandra.builder()
                .nodes(cassandra.nodes().size())
                .flushEachWrite(false)
                .start();
        furtherClusters.add(cluster);
        bind(cluster);
        createTables(cluster);
    }

    private List<LocalCassandra> clusters() {
        return Stream.concat(Stream.of(cassandra), furtherClusters.stream()).toList();
    }

    private void start(Peer peer) {
        PeerServer server = PeerServer.start(peer);
        servers.put(peer, server);
        cores.ifPresent(some -> some.bindServers(server.pids()));
        Tables.create(peer, server.address());
    }

    CassandraAddress cassandraAddress() {
        return new CassandraAddress(cassandra.contactPoints());
    }

    private void bind(LocalCassandra cluster) {
        cores.ifPresent(some -> some.bindServers(pids(cluster)));
    }

    private static List<Long> pids(LocalCassandra cluster) {
        return cluster.nodes().stream().map(LocalNode::pid).toList();
    }

    /** The processes of the Cassandra nodes. */
    List<Long> nodePids() {
        return pids(cassandra);
    }

    /** The processes of all servers that this algorithm uses. */
    List<Long> serversOf(Algorithm algorithm) {
        return algorithm
                .peer()
                .map(peer -> serverOf(peer, algorithm).pids())
                .orElseGet(() -> clusters().stream()
                        .limit(algorithm.clusters())
                        .flatMap(cluster -> pids(cluster).stream())
                        .toList());
    }

    private PeerServer serverOf(Peer peer, Algorithm algorithm) {
        PeerServer server = servers.get(peer);
        if (server == null) {
            throw new IllegalStateException("No server was started for " + algorithm);
        }
        return server;
    }

    /** Where the contenders of this algorithm connect to. */
    String addressFor(Algorithm algorithm) {
        return algorithm
                .peer()
                .map(peer -> serverOf(peer, algorithm).address())
                .orElseGet(() -> clustersFor(algorithm));
    }

    private String clustersFor(Algorithm algorithm) {
        List<LocalCassandra> clusters = clusters();
        if (clusters.size() < algorithm.clusters()) {
            throw new IllegalStateException(algorithm + " needs " + algorithm.clusters()
                    + " clusters, which this experiment does not start: use the command 'majority'");
        }
        return CassandraAddress.text(clusters.stream()
                .limit(algorithm.clusters())
                .map(cluster -> new CassandraAddress(cluster.contactPoints()))
                .toList());
    }

    /**
     * Starts processes whose logs are kept beside the report.
     *
     * @param variables of their environment
     */
    Workers workers(int count, Map<String, String> variables, Path out) throws IOException {
        return workers(count, variables, List.of(), out);
    }

    /** Starts processes with this class path, whose logs are kept beside the report. */
    Workers workers(int count, Map<String, String> variables, List<Path> classPath, Path out) throws IOException {
        Path logs = Files.createDirectories(out.resolve("logs"));
        Workers workers =
                Workers.start(count, new Program(Benchmarks.class, WorkerCommand.NAME, variables, classPath), logs);
        cores.ifPresent(some -> some.bindClients(workers.pids()));
        return workers;
    }

    /** Ends the peers' servers and all clusters but the first: what comes next has the processors to itself. */
    void endServers() {
        servers.values().forEach(Environment::end);
        servers.clear();
        furtherClusters.forEach(Environment::end);
        furtherClusters.clear();
    }

    @Override
    public void close() {
        endServers();
        end(cassandra);
    }

    private static void end(AutoCloseable server) {
        try {
            server.close();
        } catch (Exception e) {
            System.err.println("A server did not end as it should: " + e);
        }
    }
}
