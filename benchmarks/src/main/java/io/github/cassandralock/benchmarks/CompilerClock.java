package io.github.cassandralock.benchmarks;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The computing time that HotSpot's compilers have used so far, in this process and in all that it has started: nodes and
 * contenders. While it grows, the code is not as quick as it will be, and the compilers take processors from what is measured.
 * Only Linux tells, in {@code /proc}.
 */
final class CompilerClock {

    private static final Path PROC = Path.of("/proc");

    /** Empty where the operating system does not tell. */
    OptionalLong nanos() {
        if (!Files.isReadable(PROC.resolve("self/schedstat"))) {
            return OptionalLong.empty();
        }
        ProcessHandle self = ProcessHandle.current();
        try (Stream<ProcessHandle> all = Stream.concat(Stream.of(self), self.descendants())) {
            return OptionalLong.of(all.mapToLong(CompilerClock::ofProcess).sum());
        }
    }

    private static long ofProcess(ProcessHandle process) {
        long nanos = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(PROC.resolve(process.pid() + "/task"))) {
            for (Path thread : threads) {
                nanos += ofThread(thread);
            }
        } catch (IOException ended) {
            return nanos;
        }
        return nanos;
    }

    private static long ofThread(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            if (!name.startsWith("C1 Compiler") && !name.startsWith("C2 Compiler")) {
                return 0;
            }
            String onProcessor = Files.readString(thread.resolve("schedstat")).split(" ", 2)[0];
            return Long.parseLong(onProcessor);
        } catch (IOException ended) {
            return 0;
        }
    }
}
