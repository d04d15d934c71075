package io.github.cassandralock.faults.cluster;

import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.local.LocalCassandraBuilder;
import io.github.cassandralock.local.LocalNode;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.WrongClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Three nodes, one, or more, and a keyspace. */
public final class Nodes implements AutoCloseable {

    public static final int COUNT = 3;
    public static final String KEYSPACE = "faults";

    /** RETICKET is written about once a minute under this load. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(30);

    private final LocalCassandra cassandra;
    private final @Nullable Path clock;
    private final CqlSession admin;

    private Nodes(LocalCassandra cassandra, @Nullable Path clock) {
        this.cassandra = cassandra;
        this.clock = clock;
        this.admin = connect(cassandra);
    }

    private static CqlSession connect(LocalCassandra cassandra) {
        try {
            return CqlSession.builder()
                    .addContactPoints(cassandra.contactPoints())
                    .withLocalDatacenter(cassandra.localDatacenter())
                    .build();
        } catch (RuntimeException e) {
            cassandra.close();
            throw e;
        }
    }

    /**
     * @param directory where the file is that the wall clock of the second node follows
     * @param hoursAhead of this clock
     */
    public static Nodes start(Path directory, int hoursAhead) {
        return start(directory, hoursAhead, COUNT, builder -> {});
    }

    /**
     * @param directory where the file is that the wall clock of the second node follows
     * @param hoursAhead of this clock
     * @param replicas of the keyspace
     * @param more what else the cluster is to be
     */
    public static Nodes start(Path directory, int hoursAhead, int replicas, Consumer<LocalCassandraBuilder> more) {
        Path clock = directory.resolve("node-2.clock");
        WrongClock.step(clock, hoursAhead);
        LocalCassandraBuilder builder = LocalCassandra.builder().nodes(COUNT);
        builder.node(2, node -> WrongClock.environment(clock).forEach(node::environment));
        more.accept(builder);
        return start(builder, replicas, clock);
    }

    /** Starts one node, for tests without faults of nodes. */
    public static Nodes startOne() {
        return start(LocalCassandra.builder(), 1, null);
    }

    private static Nodes start(LocalCassandraBuilder builder, int replicas, @Nullable Path clock) {
        LocalCassandra cassandra = builder.flushEachWrite(false).start();
        Application.createKeyspace(CassandraCluster.local(cassandra), KEYSPACE, replicas);
        return new Nodes(cassandra, clock);
    }

    List<InetSocketAddress> addresses() {
        return cassandra.contactPoints();
    }

    /** The wall clock of the second node steps. */
    public void setHoursAhead(int hours) {
        WrongClock.step(Objects.requireNonNull(clock, "one node has no clock of its own"), hours);
    }

    /** @param number from 1 */
    public LocalNode node(int number) {
        return cassandra.node(number);
    }

    public CassandraCluster cluster() {
        return CassandraCluster.local(cassandra);
    }

    /** {@code ALTER KEYSPACE}, without what an operator has to do besides. */
    public void setReplicas(String keyspace, int replicas) {
        admin.execute(SimpleStatement.newInstance("ALTER KEYSPACE " + keyspace
                        + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': " + replicas + "}")
                .setIdempotent(true)
                .setTimeout(LONGEST_STATEMENT));
    }

    /**
     * {@code nodetool repair --full}.
     *
     * @param number from 1
     */
    public void repair(int number, String keyspace) {
        NodeAgents.run(node(number), NodeAgent.REPAIR + keyspace);
    }

    /**
     * {@code nodetool decommission}, and the end of the process.
     *
     * @param number from 1
     */
    public void decommission(int number) {
        NodeAgents.run(node(number), NodeAgent.DECOMMISSION);
        node(number).stop();
    }

    /** What the one node sends to the other does not arrive. Numbers count from 1. */
    public void cutMessages(int from, int to) {
        NodeAgents.run(node(from), NodeAgent.DROP + host(to));
    }

    /** What the one node sends to the others arrives that much later. Numbers count from 1. */
    public void delayMessages(int from, Duration time) {
        NodeAgents.run(node(from), NodeAgent.DELAY + time.toMillis());
    }

    /** What the node sends arrives again; what was cut meanwhile does not. Fails if no message about data was cut, or late. */
    public void healMessages(int from) {
        NodeAgents.run(node(from), NodeAgent.HEAL);
    }

    /**
     * Sessions in the table of the keyspace.
     *
     * @param pid of the process that opened them; all sessions if it is empty
     */
    public List<UUID> sessions(Optional<Long> pid) {
        return admin
                .execute(SimpleStatement.newInstance("SELECT session, owner FROM " + KEYSPACE + ".lock_sessions")
                        .setConsistencyLevel(ConsistencyLevel.QUORUM)
                        .setIdempotent(true)
                        .setTimeout(LONGEST_STATEMENT))
                .all()
                .stream()
                .filter(row ->
                        pid.isEmpty() || String.valueOf(row.getString("owner")).matches(".*-" + pid.get() + "( .*)?"))
                .map(row -> Objects.requireNonNull(row.getUuid("session")))
                .toList();
    }

    /** The only node that has rows with this key. */
    public LocalNode replica(String keyspace, ByteBuffer key) {
        Node only = admin.getMetadata()
                .getTokenMap()
                .orElseThrow()
                .getReplicas(CqlIdentifier.fromInternal(keyspace), key)
                .iterator()
                .next();
        return cassandra.nodes().stream()
                .filter(node -> Optional.of(node.address()).equals(only.getBroadcastRpcAddress()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns when a node has died at the first message to another node that matches.
     *
     * @param message a regular expression of the verb and of what it carries
     * @param before is run when all nodes wait for the message, and none dies yet
     * @param cause makes some node send such a message
     */
    public void dieAt(String message, Runnable before, Runnable cause) {
        Path permit = node(1).logFile().resolveSibling("death");
        cassandra.nodes().forEach(node -> NodeAgents.run(node, NodeAgent.DIE + permit + " " + message));
        before.run();
        try {
            Files.createFile(permit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cause.run();
        await("the death of a node at " + message)
                .atMost(LONGEST_WAIT)
                .until(() -> !cassandra.nodes().stream().allMatch(LocalNode::isRunning));
    }

    /** Starts the node that died, and disarms the others. */
    public void startDead() {
        for (LocalNode node : cassandra.nodes()) {
            if (node.isRunning()) {
                NodeAgents.run(node, NodeAgent.DELIVER);
            } else {
                node.start();
            }
        }
    }

    /** Whether the node accepts connections of clients. */
    public static boolean takesConnections(LocalNode node) {
        try (Socket socket = new Socket()) {
            socket.connect(node.address());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** @param number from 1 */
    public String host(int number) {
        return node(number).address().getAddress().getHostAddress();
    }

    @Override
    public void close() {
        admin.close();
        cassandra.close();
    }
}
