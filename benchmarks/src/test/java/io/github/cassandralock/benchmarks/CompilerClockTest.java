package io.github.cassandralock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Costs nothing. Fails if the compilers' threads are not found by their names. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux tells what a thread computes")
class CompilerClockTest {

    @Test
    void compilersOfThisProcessHaveComputed() {
        assertThat(new CompilerClock().nanos().orElseThrow()).isPositive();
    }
}
