package io.github.cassandralock.benchmarks.processor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What HotSpot's own threads have computed so far, in this process and in all that it has started: nodes and contenders. While
 * compilers compute, the code is not as quick as it will be, and they take processors from what is measured. Only Linux shows
 * it, in {@code /proc}.
 *
 * @param compilers nanoseconds of each thread that compiles
 * @param collectors nanoseconds of each thread that collects garbage
 * @param takenAt when, on the monotonic clock
 */
public record MachineThreads(Map<String, Long> compilers, Map<String, Long> collectors, long takenAt) {

    private static final Path PROC = Path.of("/proc");

    public static MachineThreads now() {
        MachineThreads threads = new MachineThreads(new HashMap<>(), new HashMap<>(), System.nanoTime());
        if (isShown()) {
            ProcessHandle self = ProcessHandle.current();
            Stream.concat(Stream.of(self), self.descendants()).forEach(threads::add);
        }
        return threads;
    }

    /** Whether the operating system shows what threads compute. */
    public static boolean isShown() {
        return Files.isReadable(PROC.resolve("self/schedstat"));
    }

    private void add(ProcessHandle process) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(PROC.resolve(process.pid() + "/task"))) {
            for (Path thread : threads) {
                add(thread);
            }
        } catch (IOException ended) {
            return; // it computes no more
        }
    }

    private void add(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            Map<String, Long> kind = isCompiler(name) ? compilers : collectors;
            if (kind == compilers || isCollector(name)) {
                String onProcessor =
                        Files.readString(thread.resolve("schedstat")).split(" ", 2)[0];
                kind.put(thread.toString(), Long.parseLong(onProcessor));
            }
        } catch (IOException ended) {
            return; // it computes no more
        }
    }

    static boolean isCompiler(String name) {
        return name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler");
    }

    /** The thread of the virtual machine collects where no other one does. */
    static boolean isCollector(String name) {
        return name.startsWith("GC Thread") || name.startsWith("G1 ") || name.startsWith("VM Thread");
    }

    /** The share of one processor that the compilers have had since then; not a number where it is not shown. */
    public double compilersSince(MachineThreads before) {
        return share(before, compilers, before.compilers);
    }

    /** The share of one processor that the collectors have had since then; not a number where it is not shown. */
    public double collectorsSince(MachineThreads before) {
        return share(before, collectors, before.collectors);
    }

    /** Compilers come and go: each thread is compared with itself. */
    private double share(MachineThreads before, Map<String, Long> now, Map<String, Long> then) {
        if (!isShown()) {
            return Double.NaN;
        }
        long nanos = now.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - then.getOrDefault(thread.getKey(), 0L))
                .sum();
        return nanos / (double) (takenAt - before.takenAt);
    }
}
