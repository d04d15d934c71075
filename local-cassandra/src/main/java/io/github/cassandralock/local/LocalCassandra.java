package io.github.cassandralock.local;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running Apache Cassandra of one or more nodes on this machine, each a child process of this JVM.
 *
 * <pre>{@code
 * try (LocalCassandra cassandra = LocalCassandra.start(1)) {
 *     CqlSession session = CqlSession.builder()
 *             .addContactPoints(cassandra.contactPoints())
 *             .withLocalDatacenter(cassandra.localDatacenter())
 *             .build();
 * }
 * }</pre>
 *
 * <p>No node outlives this JVM, however that ends, {@code kill -9} included. Needs a JDK 17 on the machine; any JDK from 17 may
 * run the application. The first start needs a network or a Maven repository that has Cassandra. Linux and macOS. Thread-safe.
 */
public final class LocalCassandra implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LocalCassandra.class);

    private final List<LocalNode> nodes;
    private final WorkDirectory workDirectory;
    private final ShutdownHook shutdownHook = new ShutdownHook(this::close);
    private final ReentrantLock closing = new ReentrantLock();
    private boolean closed;

    LocalCassandra(List<LocalNode> nodes, WorkDirectory workDirectory) {
        this.nodes = List.copyOf(nodes);
        this.workDirectory = workDirectory;
    }

    /**
     * Starts the given number of nodes with default settings. Blocks until they are up.
     *
     * @param nodes 1 to 20
     * @throws IllegalArgumentException if the number is out of bounds
     * @throws LocalCassandraException see {@link LocalCassandraBuilder#start()}
     */
    public static LocalCassandra start(int nodes) {
        return builder().nodes(nodes).start();
    }

    public static LocalCassandraBuilder builder() {
        return new LocalCassandraBuilder();
    }

    /** The CQL addresses of all nodes, even of those that do not run. */
    public List<InetSocketAddress> contactPoints() {
        return nodes.stream().map(LocalNode::address).toList();
    }

    /** The data centre of all nodes. */
    public String localDatacenter() {
        return "datacenter1";
    }

    public List<LocalNode> nodes() {
        return nodes;
    }

    /**
     * One of the nodes.
     *
     * @param number from 1
     * @throws IndexOutOfBoundsException if there is no such node
     */
    public LocalNode node(int number) {
        return nodes.get(number - 1);
    }

    /**
     * Starts nodes one after the other, since each joins those before it.
     *
     * @param numbers which nodes
     */
    void startNodes(boolean closeOnShutdown, IntPredicate numbers) {
        if (closeOnShutdown) {
            shutdownHook.add();
        }
        nodes.stream().filter(node -> numbers.test(node.number())).forEach(LocalNode::start);
    }

    /**
     * Kills all nodes, waits for some seconds at most until they are gone, and deletes a temporary work directory. A work directory
     * given to the builder stays. Idempotent; a second call waits for the first.
     */
    @Override
    public void close() {
        closing.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            endNodes();
            workDirectory.release();
        } finally {
            closing.unlock();
        }
    }

    /** Kills the nodes, but keeps the work directory. */
    void endNodes() {
        shutdownHook.remove();
        nodes.forEach(LocalNode::beginClose);
        for (LocalNode node : nodes) {
            try {
                node.finishClose();
            } catch (RuntimeException e) {
                log.warn("{} did not end as it should", node, e); // the other nodes must end all the same
            }
        }
    }
}
