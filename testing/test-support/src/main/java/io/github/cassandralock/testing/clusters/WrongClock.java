package io.github.cassandralock.testing.clusters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Shows a process a wrong wall clock, by means of the operating system's package {@code faketime}. */
public final class WrongClock {

    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

    private WrongClock() {}

    /** Whether the package is there. */
    public static boolean isThere() {
        return library().isPresent();
    }

    private static Optional<Path> library() {
        try (Stream<Path> platforms = Files.list(LIBRARIES)) {
            return platforms
                    .map(platform -> platform.resolve(LIBRARY))
                    .filter(Files::exists)
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the process's environment needs for a wall clock that is so many hours ahead; monotonic time stays as it is. */
    public static Map<String, String> environment(int hoursAhead) {
        return hoursAhead == 0 ? Map.of() : environment("FAKETIME", offset(hoursAhead));
    }

    /**
     * What the process's environment needs for a wall clock that steps, within a second, whenever {@link #step} writes the file.
     * Monotonic time stays as it is. Empty if the package is not there.
     */
    public static Map<String, String> environment(Path file) {
        return isThere()
                ? environment("FAKETIME_TIMESTAMP_FILE", file.toAbsolutePath().toString())
                : Map.of();
    }

    /** Makes the clocks of processes that read this file so many hours ahead. */
    public static void step(Path file, int hoursAhead) {
        try {
            Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), offset(hoursAhead));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String offset(int hours) {
        return "%+dh".formatted(hours);
    }

    private static Map<String, String> environment(String variable, String value) {
        return Map.of(
                "LD_PRELOAD",
                library().orElseThrow().toString(),
                variable,
                value,
                "FAKETIME_CACHE_DURATION",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                // its correction of timed waits is for older C libraries: with it, a JVM's waits end at once
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
    }
}
