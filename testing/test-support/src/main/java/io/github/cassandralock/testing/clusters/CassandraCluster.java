package io.github.cassandralock.testing.clusters;

import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.local.LocalNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.cassandra.CassandraContainer;

/**
 * A Cassandra that tests use.
 *
 * @param contactPoints host:port, separated by commas
 * @param localDatacenter the data centre of the contact points
 * @param log what the nodes have logged; nothing if they are not this build's
 * @param end closes what was started
 */
public record CassandraCluster(String contactPoints, String localDatacenter, Supplier<String> log, Runnable end)
        implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(CassandraCluster.class);

    /** Of the local nodes, as Maven was told; its first two numbers name the container's image. */
    private static final String VERSION = System.getProperty("cassandra.version", "5.0");

    /** Whether guardrails on timestamps are there. */
    public static boolean isBefore5() {
        return Integer.parseInt(VERSION.substring(0, VERSION.indexOf('.'))) < 5;
    }

    private static String image() {
        return "cassandra:" + VERSION.replaceFirst("^(\\d+\\.\\d+).*", "$1");
    }

    /**
     * The one that the environment names ({@code CASSANDRA_CONTACT_POINTS}, host and port, separated by commas, and {@code
     * CASSANDRA_LOCAL_DATACENTER}); else a container, where there is Docker; else a local node, the same one for all modules
     * of a build.
     */
    static CassandraCluster obtain() {
        String named = System.getenv("CASSANDRA_CONTACT_POINTS");
        if (named != null && !named.isBlank()) {
            return new CassandraCluster(
                    named,
                    System.getenv().getOrDefault("CASSANDRA_LOCAL_DATACENTER", "datacenter1"),
                    () -> "",
                    () -> {});
        }
        return dockerIsThere() ? container() : ClusterOfBuild.find().orElseGet(() -> local(startNode()));
    }

    /** Starts a node that is never started again: it does not flush changes of the schema, and so makes tables sooner. */
    static LocalCassandra startNode() {
        return LocalCassandra.builder()
                .flushEachWrite(false)
                .eachNode(node -> node.jvmOptions("-Dcassandra.test.flush_local_schema_changes=false"))
                .start();
    }

    private static boolean dockerIsThere() {
        try {
            return DockerClientFactory.instance().isDockerAvailable();
        } catch (RuntimeException e) {
            logger.info("No Docker here: {}", e.toString());
            return false;
        }
    }

    private static CassandraCluster container() {
        CassandraContainer container = new CassandraContainer(image());
        container.start();
        return new CassandraCluster(
                text(List.of(container.getContactPoint())),
                container.getLocalDatacenter(),
                container::getLogs,
                container::stop);
    }

    public static CassandraCluster local(LocalCassandra cassandra) {
        return new CassandraCluster(
                text(cassandra.contactPoints()), cassandra.localDatacenter(), () -> logOf(cassandra), cassandra::close);
    }

    private static String logOf(LocalCassandra cassandra) {
        return cassandra.nodes().stream()
                .map(LocalNode::logFile)
                .map(CassandraCluster::text)
                .collect(Collectors.joining());
    }

    static String text(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param text host:port */
    public static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private static String text(List<InetSocketAddress> addresses) {
        return addresses.stream()
                .map(address -> address.getHostString() + ":" + address.getPort())
                .collect(Collectors.joining(","));
    }

    /** The settings with which an application finds this cluster. */
    public List<String> arguments() {
        return new ArrayList<>(List.of(
                "--spring.cassandra.contact-points=" + contactPoints,
                "--spring.cassandra.local-datacenter=" + localDatacenter));
    }

    @Override
    public void close() {
        end.run();
    }
}
