package io.github.cassandralock.testing.clusters;

import io.github.cassandralock.local.LocalCassandra;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/** A process that keeps a local node for as long as another process lives, however that ends. */
final class ClusterKeeper {

    static final String MAVEN = "maven";
    static final String KEEPER = "keeper";
    static final String CONTACT_POINTS = "contact-points";
    static final String LOCAL_DATACENTER = "local-datacenter";
    static final String LOG = "log";

    private ClusterKeeper() {}

    /** @param arguments the process whose end is the node's end, and the file in which to write where the node is */
    public static void main(String[] arguments) throws IOException {
        ProcessHandle maven = ProcessHandle.of(Long.parseLong(arguments[0])).orElseThrow();
        Path description = Path.of(arguments[1]);
        try (LocalCassandra cassandra = CassandraCluster.startNode()) {
            describe(cassandra, maven, description);
            maven.onExit().join();
        } finally {
            Files.deleteIfExists(description);
        }
    }

    /** The file is there with all that belongs into it, or not at all. */
    private static void describe(LocalCassandra cassandra, ProcessHandle maven, Path description) throws IOException {
        CassandraCluster cluster = CassandraCluster.local(cassandra);
        Properties properties = new Properties();
        properties.setProperty(MAVEN, Long.toString(maven.pid()));
        properties.setProperty(KEEPER, Long.toString(ProcessHandle.current().pid()));
        properties.setProperty(CONTACT_POINTS, cluster.contactPoints());
        properties.setProperty(LOCAL_DATACENTER, cluster.localDatacenter());
        properties.setProperty(LOG, cassandra.node(1).logFile().toString());
        Path draft = description.resolveSibling("cluster.properties.draft");
        try (Writer writer = Files.newBufferedWriter(draft)) {
            properties.store(writer, null);
        }
        Files.move(draft, description, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
