package io.github.cassandralock.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes a cluster and starts it. Not thread-safe. */
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

    /**
     * Sets the number of nodes; default 1. A node takes about 1 GB of memory.
     *
     * @param count 1 to 20
     * @throws IllegalArgumentException if the number is out of bounds
     */
    public LocalCassandraBuilder nodes(int count) {
        if (count < 1 || count > MOST_NODES) {
            throw new IllegalArgumentException("From 1 to " + MOST_NODES + " nodes, not " + count);
        }
        nodes = count;
        return this;
    }

    /**
     * Sets the heap of each node; default 512m for a single node, 768m for several.
     *
     * @param size as after {@code -Xmx}, a number and one of k, m, g
     * @throws IllegalArgumentException if the size has another form
     */
    public LocalCassandraBuilder heap(String size) {
        if (!HEAP.matcher(size).matches()) {
            throw new IllegalArgumentException("A heap size is a number and one of k, m, g, not '" + size + "'");
        }
        heap = size;
        return this;
    }

    /**
     * Sets how long the start of each node may take; default 120 seconds.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public LocalCassandraBuilder startTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("A start timeout is positive, not " + timeout);
        }
        startTimeout = timeout;
        return this;
    }

    /**
     * Sets where the nodes keep data and logs. The directory must be empty or not exist, and stays after {@code close}. Default: a
     * temporary directory, which {@code close} deletes unless a start failed.
     */
    public LocalCassandraBuilder workDirectory(Path directory) {
        workDirectory = directory;
        return this;
    }

    /**
     * Sets whether a JVM shutdown hook closes the cluster; default true. Shutdown hooks run side by side. If another hook, such as
     * Spring's, still needs Cassandra, set false and close the cluster in that hook. Nodes end with the JVM in any case.
     */
    public LocalCassandraBuilder closeOnShutdown(boolean close) {
        closeOnShutdown = close;
        return this;
    }

    /**
     * Sets whether a node acknowledges a write only when it is on disk ({@code commitlog_sync: batch}), as locks need it; default
     * true. With false writes are quicker ({@code periodic}), which suits tests, but a machine that loses power loses the last
     * ones.
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

    /** Sets options of every node. */
    public LocalCassandraBuilder eachNode(Consumer<NodeOptions> options) {
        options.accept(common);
        return this;
    }

    /**
     * Sets options of one node, which override the options of every node.
     *
     * @param number from 1
     */
    public LocalCassandraBuilder node(int number, Consumer<NodeOptions> options) {
        options.accept(single.computeIfAbsent(number, ignored -> new NodeOptions()));
        return this;
    }

    /**
     * Starts the nodes one after the other, except those that join later. Blocks until all accept connections and see each other up.
     *
     * @throws LocalCassandraException if there is no JDK 17, artifact, free address or empty work directory; if a node is not up
     *     within the start timeout; if the thread is interrupted, and then stays so. No node runs then. The message names the
     *     log, whose directory is kept
     * @throws IllegalArgumentException if a node has options but does not exist, or the first node is to join later
     */
    public LocalCassandra start() {
        for (int number : single.keySet()) {
            if (number < 1 || number > nodes) {
                throw new IllegalArgumentException("There are options for node " + number + " of " + nodes);
            }
        }
        if (options(1).joinsLater()) {
            throw new IllegalArgumentException("The first node cannot join later: there is no cluster before it");
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
