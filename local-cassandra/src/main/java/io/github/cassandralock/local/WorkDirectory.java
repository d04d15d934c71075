package io.github.cassandralock.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the nodes of one cluster keep their files: a directory of the user, which stays, or a temporary one. */
final class WorkDirectory {

    private static final Logger log = LoggerFactory.getLogger(WorkDirectory.class);

    private final Path root;
    private final boolean temporary;
    private volatile boolean kept;

    private WorkDirectory(Path root, boolean temporary) {
        this.root = root;
        this.temporary = temporary;
    }

    static WorkDirectory temporary() {
        try {
            return new WorkDirectory(
                    Files.createTempDirectory("local-cassandra-").toRealPath(), true);
        } catch (IOException e) {
            throw new LocalCassandraException("Cannot create a temporary work directory", e);
        }
    }

    /** @throws LocalCassandraException if the directory is not empty: data in it would have the addresses of other nodes */
    static WorkDirectory given(Path directory) {
        try {
            Path root = Files.createDirectories(directory).toRealPath();
            try (Stream<Path> entries = Files.list(root)) {
                if (entries.findAny().isPresent()) {
                    throw new LocalCassandraException(
                            "The work directory " + root + " is not empty; give one that is, or that does not exist");
                }
            }
            return new WorkDirectory(root, false);
        } catch (IOException e) {
            throw new LocalCassandraException("Cannot use the work directory " + directory, e);
        }
    }

    /** @param number from 1 */
    NodeDirectory node(int number) {
        return new NodeDirectory(root.resolve("node-" + number));
    }

    /** Keeps the directory after {@link #release}, because an error message names a log in it. */
    void keep() {
        kept = true;
    }

    /** Empties the directory for another attempt. */
    void clear() {
        try (Stream<Path> entries = Files.list(root)) {
            for (Path entry : entries.toList()) {
                deleteTree(entry);
            }
        } catch (IOException e) {
            throw new LocalCassandraException("Cannot empty the work directory " + root, e);
        }
    }

    /** Deletes a temporary directory that is not to be kept. */
    void release() {
        if (!temporary || kept) {
            return;
        }
        try {
            deleteTree(root);
        } catch (IOException e) {
            log.warn("Cannot delete the temporary directory {}", root, e);
        }
    }

    private static void deleteTree(Path tree) throws IOException {
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
