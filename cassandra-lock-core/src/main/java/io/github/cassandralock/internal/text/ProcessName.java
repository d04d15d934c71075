package io.github.cassandralock.internal.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A name of this process for tables and logs: its host and process id. No decision depends on it.
 *
 * <p>The operating system supplies the name of the host. A name service is not used, because one that does not answer would delay
 * the start by seconds.
 */
public final class ProcessName {

    /** What {@code gethostname} returns on Linux. */
    private static final Path OF_LINUX = Path.of("/proc/sys/kernel/hostname");

    private ProcessName() {}

    /** For example {@code billing-3-4711}. Does not block. */
    public static String ofThisProcess() {
        return hostName() + "-" + ProcessHandle.current().pid();
    }

    /**
     * The text by which administrators recognise this process, such as {@code billing-3-4711 invoices}. Does not block.
     *
     * @param application its name; null if it has none
     */
    public static String withApplication(@Nullable String application) {
        return ofThisProcess() + (application == null ? "" : " " + application);
    }

    private static String hostName() {
        return Stream.of(ofKernel(), variable("COMPUTERNAME"), variable("HOSTNAME"))
                .filter(name -> !name.isBlank())
                .findFirst()
                .orElse("unknown-host");
    }

    private static String ofKernel() {
        try {
            return Files.isReadable(OF_LINUX) ? Files.readString(OF_LINUX).strip() : "";
        } catch (IOException e) {
            return ""; // the environment may name the host
        }
    }

    private static String variable(String name) {
        return Objects.requireNonNullElse(System.getenv(name), "");
    }
}
