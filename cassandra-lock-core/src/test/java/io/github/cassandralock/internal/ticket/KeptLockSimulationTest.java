package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.TicketMeasurements;
import org.junit.jupiter.api.Test;

/** A process that keeps a lock leaves it to others, also if it does not hear them. Costs a second. */
class KeptLockSimulationTest {

    /** It fails if a process may begin to keep a lock anew without having released it in between. */
    @Test
    void processThatIsNotHeardGetsTheLockByTryingNowAndThen() {
        assertThat(TicketMeasurements.triesGrantedBesideAProcessThatKeeps(1, 400))
                .as("granted tries, of 400")
                .isPositive();
    }
}
