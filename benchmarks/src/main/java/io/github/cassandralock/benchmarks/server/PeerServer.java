package io.github.cassandralock.benchmarks.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A running peer: one process or several, on loopback ports of this machine.
 *
 * <p>It does not outlive this JVM, however that ends, {@code kill -9} included; nor do its files.
 */
public final class PeerServer implements AutoCloseable {

    private static final Duration START_BOUND = Duration.ofSeconds(60);

    private final String address;
    private final List<PeerProcess> nodes = new ArrayList<>();

    private PeerServer(String address) {
        this.address = address;
    }

    /**
     * Starts a peer and returns when it serves clients.
     *
     * @throws PeerServerException if the peer is not installed, or does not serve within a minute; none of it runs then
     */
    public static PeerServer start(Peer peer) {
        if (!peer.isInstalled()) {
            throw new PeerServerException(
                    peer + " is not installed; on Debian: apt-get install " + peer.debianPackage());
        }
        PeerPlan plan = peer.plan();
        PeerServer server = new PeerServer(plan.address());
        try {
            server.launch(plan.nodes());
            server.awaitService();
            return server;
        } catch (InterruptedException e) {
            server.close();
            Thread.currentThread().interrupt();
            throw new PeerServerException("Interrupted while " + peer + " was starting", e);
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private void launch(List<NodePlan> plans) {
        for (NodePlan plan : plans) {
            nodes.add(PeerProcess.launch(plan));
        }
    }

    private void awaitService() throws InterruptedException {
        Deadline deadline = Deadline.in(START_BOUND);
        for (PeerProcess node : nodes) {
            while (!node.serves()) {
                nodes.forEach(PeerProcess::requireRunning);
                if (deadline.isOver()) {
                    throw node.failure("did not serve within " + START_BOUND.toSeconds() + " s");
                }
                deadline.pause();
            }
        }
    }

    /**
     * What clients need: {@code redis://host:port}; {@code host:port,…} for ZooKeeper; {@code http://host:port,…} for
     * etcd; a JDBC URL for PostgreSQL.
     */
    public String address() {
        return address;
    }

    /** The ids of its processes. */
    public List<Long> pids() {
        return nodes.stream().map(node -> node.handle().pid()).toList();
    }

    /** Ends all processes and deletes their files, within some seconds. */
    @Override
    public void close() {
        nodes.forEach(PeerProcess::beginClose);
        nodes.forEach(PeerProcess::finishClose);
    }

    List<PeerProcess> nodes() {
        return nodes;
    }
}
