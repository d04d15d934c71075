package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.Schedules;
import org.junit.jupiter.api.Test;

/**
 * Deadlocks in a simulated world (lock modes, section 7). {@code -Dsimulation.schedules=100000} runs so many schedules with seeds that
 * were never used.
 */
class DeadlockSimulationTest {

    @Test
    void everyDeadlockIsFoundNoneIsToldThatIsNotThereAndOneCallOfEachIsEnded() {
        Seeds.of(700)
                .firstFinding(Schedules.DEADLOCKS)
                .ifPresent(finding -> assertThat(finding.violations())
                        .as(
                                "what should not have happened; %s",
                                Seeds.replay("cassandra-lock-core", DeadlockSimulationTest.class, finding.seed()))
                        .isEmpty());
    }
}
