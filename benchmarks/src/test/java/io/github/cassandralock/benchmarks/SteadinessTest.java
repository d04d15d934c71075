package io.github.cassandralock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Costs nothing. Fails if something counts whose rate still rises. */
class SteadinessTest {

    private final Steadiness steadiness = new Steadiness();

    @Test
    void threeWindowsWithinFivePercentAreSteady() {
        assertThat(steadiness.isReachedWith(100)).isFalse();
        assertThat(steadiness.isReachedWith(102)).isFalse();
        assertThat(steadiness.isReachedWith(105)).isTrue();
    }

    @Test
    void aRateThatRisesSlowlyIsNotSteady() {
        for (double rate = 100; rate < 200; rate *= 1.03) {
            assertThat(steadiness.isReachedWith(rate)).isFalse();
        }
    }

    @Test
    void onlyTheLastWindowsCount() {
        steadiness.isReachedWith(10);
        steadiness.isReachedWith(99);
        assertThat(steadiness.isReachedWith(100)).isFalse();
        assertThat(steadiness.isReachedWith(101)).isTrue();
    }

    @Test
    void nothingIsNeverSteady() {
        steadiness.isReachedWith(0);
        steadiness.isReachedWith(0);
        assertThat(steadiness.isReachedWith(0)).isFalse();
    }
}
