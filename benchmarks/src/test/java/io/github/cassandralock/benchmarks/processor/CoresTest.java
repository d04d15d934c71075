package io.github.cassandralock.benchmarks.processor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Costs nothing. Fails if servers and clients would share a core where they are to be apart. */
class CoresTest {

    @Test
    void theFirstTwoThatAreAllowedAreUsed() {
        assertThat(Cores.of("\t0-3")).contains(new Cores(0, 1));
        assertThat(Cores.of("\t2,5-7")).contains(new Cores(2, 5));
    }

    @Test
    void oneCoreIsNotEnough() {
        assertThat(Cores.of("\t4")).isEmpty();
    }
}
