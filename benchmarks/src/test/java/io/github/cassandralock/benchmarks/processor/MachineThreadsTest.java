package io.github.cassandralock.benchmarks.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Costs nothing. Fails if the threads of compilers and collectors are not found by their names. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux shows what a thread computes")
class MachineThreadsTest {

    @Test
    void compilersOfThisProcessHaveComputed() {
        MachineThreads now = MachineThreads.now();
        assertThat(now.compilers().values()).anyMatch(nanos -> nanos > 0);
        assertThat(now.collectors()).isNotEmpty();
    }

    @Test
    void eachThreadIsComparedWithItself() {
        MachineThreads before = new MachineThreads(Map.of("one", 500L, "ended", 900L), Map.of(), 1_000);
        MachineThreads after = new MachineThreads(Map.of("one", 600L, "new", 100L), Map.of("gc", 50L), 2_000);
        assertThat(after.compilersSince(before)).isEqualTo(0.2);
        assertThat(after.collectorsSince(before)).isEqualTo(0.05);
    }

    @Test
    void aProcessThatIsBusyUsesComputingTime() {
        CpuClock clock = new CpuClock(List.of(ProcessHandle.current().pid()));
        long before = clock.nanos();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
        assertThat(clock.nanos()).isGreaterThan(before);
    }
}
