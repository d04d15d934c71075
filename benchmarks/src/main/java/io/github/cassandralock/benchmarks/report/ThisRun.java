package io.github.cassandralock.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import io.github.cassandralock.testing.results.PresentCommit;
import io.github.cassandralock.testing.results.Run;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where the results of this run are from: commit, machine, layout and options. */
public final class ThisRun {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final String OUT = "--out";
    private static final String UNKNOWN = "unknown";

    private ThisRun() {}

    /**
     * A run without results.
     *
     * @param arguments of the command; where the report goes is left out
     */
    public static Run begins(String layout, List<String> arguments, List<String> notes) {
        return new Run(
                LocalDate.now(ZoneOffset.UTC).toString(),
                PresentCommit.text(),
                machine(),
                Software.versions(),
                layout,
                withoutDirectory(arguments),
                notes,
                List.of());
    }

    /** The day, the commit and the machine. */
    static String origin() {
        return LocalDate.now(ZoneOffset.UTC) + ", commit " + PresentCommit.text() + ", " + machine() + ".";
    }

    static List<String> withoutDirectory(List<String> arguments) {
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).equals(OUT)) {
                i++;
            } else if (!arguments.get(i).startsWith(OUT + "=")) {
                kept.add(arguments.get(i));
            }
        }
        return kept;
    }

    private static String machine() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return Runtime.getRuntime().availableProcessors() + " × " + processor() + ", "
                + Math.round(system.getTotalMemorySize() / (double) (1 << 30)) + " GiB, " + system.getName() + ", JDK "
                + Runtime.version();
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(PROCESSORS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }
}
