package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.TicketMeasurements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call for several locks costs that nobody else requests, in simulated time. Catches a call that waits for each lock alone. */
class SeveralLocksCostTest {

    /** A renewal of the session costs a little more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 1_000})
    void eachLockCostsThreeOperationsHoweverManyAreTaken(int locks) {
        assertThat(TicketMeasurements.together(1, locks).operationsPerLock())
                .as("operations per lock, %d locks", locks)
                .isBetween(3.0, 3.0 + 0.01 * locks);
    }

    @Test
    void thousandLocksTakeAFewPercentOfTheTimeOfOneAfterTheOther() {
        double alone = TicketMeasurements.together(1, 1).millisPerLock();
        assertThat(TicketMeasurements.together(1, 1_000).millisPerLock())
                .as("simulated milliseconds per lock of a thousand; %f alone", alone)
                .isLessThan(alone / 20);
    }
}
