package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.faults.nemesis.Nemesis;
import io.github.cassandralock.testing.checkers.History;
import io.github.cassandralock.testing.checkers.HistoryChecker;
import io.github.cassandralock.testing.checkers.Window;
import io.github.cassandralock.testing.workload.ProtectedFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares what workers recorded with what is promised. */
final class HistoryCheck {

    private static final Logger log = LoggerFactory.getLogger(HistoryCheck.class);

    private HistoryCheck() {}

    /** Writes a report, and fails if a promise was broken. Locks may be lost during the faults. */
    static void report(Path directory, List<History> histories, List<Nemesis.Injection> injections) throws IOException {
        String report = FaultReport.of(histories, injections);
        Files.writeString(directory.resolve("report.md"), report);
        log.info("What happened to the attempts to get a lock:\n{}", report);
        assertNoViolation(
                directory,
                histories,
                injections.stream().map(Nemesis.Injection::window).toList());
    }

    /** @param windows when locks may be lost */
    static void assertNoViolation(Path directory, List<History> histories, List<Window> windows) throws IOException {
        assertThat(violations(directory, histories, windows))
                .as("safety violations; what workers noted is in %s", directory)
                .isEmpty();
    }

    /** @param windows when locks may be lost */
    static List<String> violations(Path directory, List<History> histories, List<Window> windows) throws IOException {
        try (ProtectedFiles files = new ProtectedFiles(directory)) {
            return HistoryChecker.violations(histories, windows, lockId -> {
                try {
                    return files.read(lockId);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
