package io.github.cassandralock.local;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node of a {@link LocalCassandra}. It can be stopped, killed, paused and started again; address and data stay.
 *
 * <p>Thread-safe. {@link #kill} and {@link #stop} may come from another thread while {@link #start} waits, which then fails. Every
 * method blocks until its effect, within a bound, and throws {@link LocalCassandraException} if that does not come.
 */
public final class LocalNode {

    private static final Logger log = LoggerFactory.getLogger(LocalNode.class);
    private static final Duration STOP_BOUND = Duration.ofSeconds(30);

    private final ClusterViews views;
    private final AtomicBoolean starting = new AtomicBoolean();
    private final AtomicReference<@Nullable NodeProcess> process = new AtomicReference<>();
    private volatile NodeLaunch launch;
    private volatile boolean closed;

    LocalNode(NodeLaunch launch, ClusterViews views) {
        this.launch = launch;
        this.views = views;
    }

    /** The node's number from 1, in the order of {@link LocalCassandra#nodes()}. */
    public int number() {
        return launch.number();
    }

    /** The CQL address; the same from start to start. */
    public InetSocketAddress address() {
        return launch.address();
    }

    /** The node's log, over all its starts. */
    public Path logFile() {
        return launch.directory().logFile();
    }

    /** Whether the node's process exists, even if it is paused or still starting. */
    public boolean isRunning() {
        NodeProcess current = process.get();
        return current != null && current.isAlive();
    }

    /** Whether the node is paused by {@link #pause}. */
    public boolean isPaused() {
        NodeProcess current = process.get();
        return current != null && current.isPaused();
    }

    /**
     * The process id of the node's JVM.
     *
     * @throws IllegalStateException if the node is not running
     */
    public long pid() {
        return running().pid();
    }

    /**
     * Starts the node again, with its data and address. Blocks until it accepts connections, and it and all other running nodes
     * that are not paused see each other up.
     *
     * @throws LocalCassandraException if that does not happen within the start timeout; if the process exits; if the thread is
     *        interrupted, and then stays so. The process is killed. The message has the end of the log, except after an interrupt
     * @throws IllegalStateException if the node is running or being started, or the cluster is closed
     */
    public void start() {
        if (!starting.compareAndSet(false, true)) {
            throw new IllegalStateException(launch + " is already being started");
        }
        try {
            if (closed) {
                throw new IllegalStateException(launch + " belongs to a cluster that is closed");
            }
            if (isRunning()) {
                throw new IllegalStateException(launch + " is already running");
            }
            long startNanos = System.nanoTime();
            log.info("{} is starting, its log is {}", launch, logFile());
            launchAndAwait();
            long millis = Duration.ofNanos(System.nanoTime() - startNanos).toMillis();
            log.info("{} is up after {} s", launch, millis / 1000.0);
        } finally {
            starting.set(false);
        }
    }

    /**
     * Starts the node like {@link #start()}, with changed options, for example another version of Cassandra. Later starts keep the
     * changes.
     */
    public void startWith(Consumer<NodeOptions> changes) {
        NodeOptions changed = new NodeOptions();
        changes.accept(changed);
        launch = launch.changed().apply(changed);
        start();
    }

    private void launchAndAwait() {
        NodeProcess launched = NodeProcess.launch("local-cassandra-node-" + number(), launch, views);
        process.set(launched);
        views.put(launch.host(), launched);
        if (closed) { // close() sets the flag before it looks for a process, so one of the two kills it
            launched.kill();
            throw new IllegalStateException(launch + " belongs to a cluster that is closed");
        }
        try {
            awaitUp(launched);
        } catch (InterruptedException e) {
            launched.kill();
            throw LocalCassandraException.interrupted("starting " + launch, e);
        } catch (LocalCassandraException e) {
            launched.kill();
            throw e;
        }
    }

    private void awaitUp(NodeProcess launched) throws InterruptedException {
        boolean decided = views.await(
                () -> launched.hasEnded() || (launched.hasStarted() && views.agree()), launch.startTimeout());
        if (launched.hasEnded()) {
            throw launch.failure(launched.logStart(), "stopped while starting, exit code " + launched.exitCode());
        }
        if (!decided) {
            String missing = launched.hasStarted() ? " (it runs, but not all nodes see each other up)" : "";
            throw launch.failure(
                    launched.logStart(),
                    "was not up within " + launch.startTimeout().toMillis() / 1000.0 + " s" + missing);
        }
        launch.requireConnections(launched.logStart());
    }

    /**
     * Ends the node by SIGTERM, as an operator would, and kills it if it is still there after 30 seconds. Does nothing if the node
     * is not running. Resumes a paused node first.
     */
    public void stop() {
        NodeProcess current = process.get();
        if (current != null && current.isAlive()) {
            log.info("{} is stopping", launch);
            current.terminate(STOP_BOUND);
        }
    }

    /** Ends the node by SIGKILL, like a crash of its process. Does nothing if the node is not running. */
    public void kill() {
        NodeProcess current = process.get();
        if (current != null) {
            log.info("{} is killed", launch);
            current.kill();
        }
    }

    /**
     * Freezes the node (SIGSTOP): it keeps its connections and answers nothing. Does nothing if it is paused already.
     *
     * @throws IllegalStateException if the node is not running
     */
    public void pause() {
        running().pause();
        log.info("{} is paused", launch);
    }

    /**
     * Resumes a paused node (SIGCONT). Other nodes may take some seconds to see it up again. Does nothing if it is not paused.
     *
     * @throws IllegalStateException if the node is not running
     */
    public void resume() {
        running().resume();
        log.info("{} is resumed", launch);
    }

    /** First half of closing. It does not wait, so that all nodes of a cluster die at the same time. */
    void beginClose() {
        closed = true;
        NodeProcess current = process.get();
        if (current != null) {
            current.sendKill();
        }
    }

    /** Second half of closing: waits until the process is gone. */
    void finishClose() {
        NodeProcess current = process.get();
        if (current != null) {
            current.kill();
        }
    }

    private NodeProcess running() {
        NodeProcess current = process.get();
        if (current == null || !current.isAlive()) {
            throw new IllegalStateException(launch + " is not running");
        }
        return current;
    }

    @Override
    public String toString() {
        return launch.toString();
    }
}
