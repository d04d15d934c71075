package io.github.cassandralock.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says what cluster to start. Not thread-safe. */
public final class LocalCassandraBuilder {

    private static final int MOST_NODES = 20;
    private static final Pattern HEAP = Pattern.compile("[1-9]\\d*[kKmMgG]");

    private int nodes = 1;
    private @Nullable String heap;
    private @Nullable Path workDirectory;
    private Duration startTimeout = Duration.ofMinutes(2);
    private boolean closeOnShutdown = true;
    private boolean flushEachWrite = true;
    private final NodeOptions common = new NodeOptions();
    private final Map<Integer, NodeOptions> single = new HashMap<>();

    LocalCassandraBuilder() {}

    /** How many nodes, 1 to 20; default 1. A node takes about 1 GB of memory. */
    public LocalCassandraBuilder nodes(int count) {
        if (count < 1 || count > MOST_NODES) {
            throw new IllegalArgumentException("From 1 to " + MOST_NODES + " nodes, not " + count);
        }
        nodes = count;
        return this;
    }

    /** Heap of each node, as after {@code -Xmx}; default 512m for a single node, 768m for several. */
    public LocalCassandraBuilder heap(String size) {
        if (!HEAP.matcher(size).matches()) {
            throw new IllegalArgumentException("A heap size is a number and one of k, m, g, not '" + size + "'");
        }
        heap = size;
        return this;
    }

    /** Bound for each node's start; default 120 seconds. */
    public LocalCassandraBuilder startTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("A start timeout is positive, not " + timeout);
        }
        startTimeout = timeout;
        return this;
    }

    /**
     * Where the nodes keep data and logs: a directory that is empty or does not exist; it stays after {@code close}.
     * Default: a temporary directory, deleted by {@code close} unless a start failed.
     */
    public LocalCassandraBuilder workDirectory(Path directory) {
        workDirectory = directory;
        return this;
    }

    /**
     * Whether a JVM shutdown hook closes the cluster; default true. Shutdown hooks run side by side: say false where
     * another one still needs Cassandra, such as Spring's, and let that close the cluster. Nodes end with the JVM in any
     * case.
     */
    public LocalCassandraBuilder closeOnShutdown(boolean close) {
        closeOnShutdown = close;
        return this;
    }

    /**
     * Whether a node acknowledges a write only when it is on disk ({@code commitlog_sync: batch}), as locks need it; default true.
     * Tests may say false: writes are quicker ({@code periodic}), and a machine that loses power loses the last ones.
     */
    public LocalCassandraBuilder flushEachWrite(boolean flush) {
        flushEachWrite = flush;
        return this;
    }

    /** Sets keys of every node's {@code cassandra.yaml}, see {@link NodeOptions#config(String, Object)}. */
    public LocalCassandraBuilder config(Map<String, ?> overrides) {
        common.config(overrides);
        return this;
    }

    /** Sets a key of every node's {@code cassandra.yaml}, see {@link NodeOptions#config(String, Object)}. */
    public LocalCassandraBuilder config(String key, Object value) {
        common.config(key, value);
        return this;
    }

    /** Gives options to every node. */
    public LocalCassandraBuilder eachNode(Consumer<NodeOptions> options) {
        options.accept(common);
        return this;
    }

    /**
     * Gives options to one node.
     *
     * @param number from 1
     */
    public LocalCassandraBuilder node(int number, Consumer<NodeOptions> options) {
        options.accept(single.computeIfAbsent(number, ignored -> new NodeOptions()));
        return this;
    }

    /**
     * Starts the nodes one after the other and returns when all take connections and see each other up.
     *
     * @throws LocalCassandraException if there is no JDK 17, an artifact or an address cannot be had, or a node does not
     *     come up within the start timeout. No node runs then; the message names the log, whose directory is kept
     * @throws IllegalArgumentException if options were given for a node there is not
     */
    public LocalCassandra start() {
        for (int number : single.keySet()) {
            if (number < 1 || number > nodes) {
                throw new IllegalArgumentException("There are options for node " + number + " of " + nodes);
            }
        }
        return new ClusterLauncher(this).launch();
    }

    int nodes() {
        return nodes;
    }

    String heap() {
        if (heap != null) {
            return heap;
        }
        return nodes == 1 ? "512m" : "768m";
    }

    Duration startTimeout() {
        return startTimeout;
    }

    boolean closeOnShutdown() {
        return closeOnShutdown;
    }

    boolean flushEachWrite() {
        return flushEachWrite;
    }

    WorkDirectory openWorkDirectory() {
        return workDirectory == null ? WorkDirectory.temporary() : WorkDirectory.given(workDirectory);
    }

    NodeOptions options(int number) {
        return common.with(single.getOrDefault(number, new NodeOptions()));
    }
}
