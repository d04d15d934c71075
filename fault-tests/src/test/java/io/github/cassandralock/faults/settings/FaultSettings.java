package io.github.cassandralock.faults.settings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** How the faults of this test run were asked for on Maven's command line. */
public final class FaultSettings {

    private FaultSettings() {}

    public static long seed() {
        return Long.getLong("faults.seed", 1);
    }

    /** Zero for the short version. */
    public static Duration time() {
        return Duration.ofMinutes(Long.getLong("faults.minutes", 0));
    }

    /** Whether every kind of fault is to happen once at most. */
    public static boolean isShort() {
        return time().isZero();
    }

    /** A new directory below the build's, which stays. */
    public static Path directory(String name) throws IOException {
        Path all = Path.of(System.getProperty("faults.directory", "target/faults"));
        Files.createDirectories(all);
        return Files.createTempDirectory(all, name + "-");
    }
}
