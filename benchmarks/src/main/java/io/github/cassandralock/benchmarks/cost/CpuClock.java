package io.github.cassandralock.benchmarks.cost;

import java.time.Duration;
import java.util.List;

/** The computing time that processes have used so far, as the operating system accounts for it. */
final class CpuClock {

    private final List<ProcessHandle> processes;

    CpuClock(List<Long> pids) {
        processes = pids.stream()
                .map(pid -> ProcessHandle.of(pid)
                        .orElseThrow(() -> new IllegalStateException("There is no process " + pid)))
                .toList();
    }

    long nanos() {
        return processes.stream()
                .map(CpuClock::used)
                .mapToLong(Duration::toNanos)
                .sum();
    }

    private static Duration used(ProcessHandle process) {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() ->
                        new IllegalStateException("The operating system does not say how much computing time process "
                                + process.pid() + " used"));
    }
}
