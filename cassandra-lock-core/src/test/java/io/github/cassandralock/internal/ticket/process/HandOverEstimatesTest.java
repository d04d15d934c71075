package io.github.cassandralock.internal.ticket.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HandOverEstimatesTest {

    private static final HandOverEstimates.Estimate GUESS = HandOverEstimates.Estimate.guess(5_000_000);

    private final HandOverEstimates memory = new HandOverEstimates();

    @Test
    void lockWithoutAnEstimateHasTheGuess() {
        memory.note("another", HandOverEstimates.Estimate.guess(8_000_000));
        assertThat(memory.expected("lock", GUESS)).isEqualTo(GUESS);
    }

    @Test
    void lastNotedTimeIsTheExpectedOne() {
        memory.note("lock", HandOverEstimates.Estimate.guess(8_000_000));
        memory.note("lock", HandOverEstimates.Estimate.guess(7_000_000));
        assertThat(memory.expected("lock", GUESS)).isEqualTo(HandOverEstimates.Estimate.guess(7_000_000));
    }

    @Test
    void onlyTheLocksUsedLastHaveEstimates() {
        memory.note("waited for all the while", HandOverEstimates.Estimate.guess(8_000_000));
        memory.note("waited for once", HandOverEstimates.Estimate.guess(8_000_000));
        for (int i = 2; i <= HandOverEstimates.LOCKS; i++) {
            memory.note("lock:" + i, HandOverEstimates.Estimate.guess(7_000_000));
            memory.note("waited for all the while", HandOverEstimates.Estimate.guess(8_000_000));
        }
        assertThat(memory.expected("waited for once", GUESS)).isEqualTo(GUESS);
        assertThat(memory.expected("waited for all the while", GUESS))
                .isEqualTo(HandOverEstimates.Estimate.guess(8_000_000));
        assertThat(memory.expected("lock:" + HandOverEstimates.LOCKS, GUESS))
                .isEqualTo(HandOverEstimates.Estimate.guess(7_000_000));
    }
}
