package io.github.cassandralock.benchmarks.processor;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The computing time that processes and all that they started have used so far, as the operating system accounts for it. */
public final class CpuClock {

    private final List<ProcessHandle> processes;

    public CpuClock(Collection<Long> pids) {
        processes = pids.stream()
                .map(pid -> ProcessHandle.of(pid)
                        .orElseThrow(() -> new IllegalStateException("There is no process " + pid)))
                .toList();
    }

    public long nanos() {
        return processes.stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .mapToLong(CpuClock::used)
                .sum();
    }

    private static long used(ProcessHandle process) {
        return process.info()
                .totalCpuDuration()
                .or(() -> process.isAlive() ? Optional.empty() : Optional.of(Duration.ZERO))
                .orElseThrow(() -> new IllegalStateException(
                        "The operating system does not say how much computing time process " + process.pid() + " used"))
                .toNanos();
    }
}
