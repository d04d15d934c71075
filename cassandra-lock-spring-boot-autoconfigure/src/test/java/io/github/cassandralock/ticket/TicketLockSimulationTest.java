package io.github.cassandralock.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.simulation.Schedules;
import org.junit.jupiter.api.Test;

/**
 * The algorithm as it is, in a simulated world. A failure names its seed; {@code -Dsimulation.firstSeed=S
 * -Dsimulation.schedules=1} repeats that schedule alone, {@code -Dsimulation.schedules=1000000} runs a million.
 */
class TicketLockSimulationTest {

    private static final long FIRST_SEED = Long.getLong("simulation.firstSeed", 1);
    private static final int SCHEDULES = Integer.getInteger("simulation.schedules", 20_000);

    private static void run(Schedules schedules, int count) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
            assertThat(schedules.apply(seed))
                    .as("what should not have happened; -Dsimulation.schedules=1 -Dsimulation.firstSeed=%d", seed)
                    .isEmpty();
        }
    }

    @Test
    void neverTwoHoldTokensGrowTicketsAreServedInOrderAndEverybodyIsServedWhateverHappens() {
        run(Schedules.EVERYTHING, SCHEDULES);
    }

    @Test
    void ofSeveralThatTryAtOnceOnAFreeLockExactlyOneGetsIt() {
        run(Schedules.TRY_AT_ONCE, Math.max(1, SCHEDULES / 10));
    }
}
