package io.github.cassandralock.testing.clusters;

import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local node that all modules of one Maven build share. The first test JVM that wants it starts a {@link ClusterKeeper},
 * which writes down where the node is; the node ends with the JVM that runs Maven.
 */
final class ClusterOfBuild {

    /** Below the target directory of the checkout: other checkouts have other nodes. */
    private static final String DIRECTORY = "cluster.of.build.directory";

    private static final long LOOKS_MILLIS = 100;

    private static final Logger log = LoggerFactory.getLogger(ClusterOfBuild.class);

    private final Path directory;
    private final ProcessHandle maven;

    private ClusterOfBuild(Path directory, ProcessHandle maven) {
        this.directory = directory;
        this.maven = maven;
    }

    /** Empty where no Maven build runs these tests. */
    static Optional<CassandraCluster> find() {
        String directory = System.getProperty(DIRECTORY, "");
        if (directory.isEmpty()) {
            return Optional.empty();
        }
        return maven().map(maven -> new ClusterOfBuild(Path.of(directory), maven).obtain());
    }

    /** The JVM that started this one, maybe by way of a shell. */
    private static Optional<ProcessHandle> maven() {
        return Stream.iterate(
                        ProcessHandle.current().parent(),
                        Optional::isPresent,
                        handle -> handle.flatMap(ProcessHandle::parent))
                .flatMap(Optional::stream)
                .filter(handle -> handle.info()
                        .command()
                        .filter(command -> Path.of(command).endsWith("java"))
                        .isPresent())
                .findFirst();
    }

    /** One test JVM at a time looks for the node, and starts it if it is not there. */
    private CassandraCluster obtain() {
        try {
            Files.createDirectories(directory);
            try (FileChannel file = FileChannel.open(
                            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock exclusive = file.lock()) {
                if (!exclusive.isValid() || !isThere()) {
                    start();
                }
                return cluster();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the node for this build was starting", e);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot share a node in " + directory, e);
        }
    }

    /** Not if what was written down is of an earlier build: its node has ended, or is about to. */
    private boolean isThere() throws IOException {
        if (!Files.exists(description())) {
            return false;
        }
        Properties properties = properties();
        return properties.getProperty(ClusterKeeper.MAVEN).equals(Long.toString(maven.pid()))
                && ProcessHandle.of(Long.parseLong(properties.getProperty(ClusterKeeper.KEEPER)))
                        .filter(ProcessHandle::isAlive)
                        .isPresent();
    }

    private void start() throws IOException, InterruptedException {
        Files.deleteIfExists(description());
        Path output = directory.resolve("keeper.log");
        JvmProcess keeper = JvmProcess.start(
                ClusterKeeper.class,
                List.of(Long.toString(maven.pid()), description().toString()),
                output);
        while (!Files.exists(description())) {
            if (keeper.endsWithin(LOOKS_MILLIS)) {
                throw new IllegalStateException("The node for this build did not start:\n" + keeper.endOfLog());
            }
        }
        log.info("Started a node for all modules of this build, which ends with process {}", maven.pid());
    }

    private Path description() {
        return directory.resolve("cluster.properties");
    }

    private Properties properties() throws IOException {
        Properties properties = new Properties();
        try (BufferedReader reader = Files.newBufferedReader(description())) {
            properties.load(reader);
        }
        return properties;
    }

    private CassandraCluster cluster() throws IOException {
        Properties properties = properties();
        Path nodeLog = Path.of(properties.getProperty(ClusterKeeper.LOG));
        return new CassandraCluster(
                properties.getProperty(ClusterKeeper.CONTACT_POINTS),
                properties.getProperty(ClusterKeeper.LOCAL_DATACENTER),
                () -> CassandraCluster.text(nodeLog),
                () -> {});
    }
}
