package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.TicketMeasurements;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The operations per lock when processes take it repeatedly. Polls, renewals and the watch are counted, too. */
class TicketCostSimulationTest {

    @ParameterizedTest
    @CsvSource({"1,3.1", "2,6.5", "5,6.5", "25,8", "100,9"})
    void operationsPerLockHardlyGrowWithTheNumberOfContenders(int processes, double atMost) {
        TicketMeasurements.Cost cost = TicketMeasurements.cost(1, processes, 2_000 / processes, Duration.ZERO);
        assertThat(cost.operationsPerLock())
                .as("operations per lock, %d contenders", processes)
                .isLessThanOrEqualTo(atMost);
    }

    /** Of the last three, none arrives: then a lock costs at most a third more than without notices. */
    @ParameterizedTest
    @CsvSource({
        "5,0,2.1",
        "25,0,2.1",
        "100,0,2.25",
        "5,0.01,2.4",
        "25,0.01,2.45",
        "100,0.01,2.6",
        "5,1,6.5",
        "25,1,8",
        "100,1,12"
    })
    void withNoticesContendedLockCostsOneWriteAndOneRead(int processes, double lossRate, double atMost) {
        TicketMeasurements.Cost cost = TicketMeasurements.costWithNotices(1, lossRate, processes, 2_000 / processes);
        assertThat(cost.operationsPerLock())
                .as("operations per lock, %d contenders, %s of the notices lost", processes, lossRate)
                .isLessThanOrEqualTo(atMost);
    }

    @Test
    void lockThatIsTakenAgainByTheSameProcessCostsNoOperation() {
        assertThat(TicketMeasurements.costWithNotices(1, 0, 1, 2_000).operationsPerLock())
                .as("operations per lock, with notices, without contention")
                .isLessThanOrEqualTo(0.1);
    }

    /**
     * If computing time is short, waiters that read too often, or that all read too late, delay all others. The figures include
     * the renewals of a hundred sessions, with about 24 messages each.
     */
    @ParameterizedTest
    @CsvSource({"5,6.7,13", "25,8.5,17", "100,9,21"})
    void manyContendersOnTwoProcessorsDoNotSlowEachOtherDown(int processes, double operations, double millis) {
        TicketMeasurements.Cost cost = TicketMeasurements.costOnTwoProcessors(1, processes, 2_000 / processes);
        assertThat(cost.operationsPerLock())
                .as("operations per lock, %d contenders", processes)
                .isLessThanOrEqualTo(operations);
        assertThat(cost.millisPerLock())
                .as("simulated milliseconds from grant to grant, %d contenders", processes)
                .isLessThanOrEqualTo(millis);
    }

    @Test
    @Tag("slow")
    void lockDoesNotChangeHandsMoreSlowlyWithManyContendersThanWithFew() {
        double few = TicketMeasurements.cost(1, 3, 300, Duration.ZERO).millisPerLock();
        for (int processes : new int[] {10, 25, 100}) {
            assertThat(TicketMeasurements.cost(1, processes, 2_000 / processes, Duration.ZERO)
                            .millisPerLock())
                    .as("milliseconds from grant to grant, %d contenders; %f with three", processes, few)
                    .isLessThan(few * 1.3);
        }
    }

    @Test
    void lockThatIsHeldForLongIsSeldomRead() {
        TicketMeasurements.Cost cost = TicketMeasurements.cost(1, 2, 20, Duration.ofSeconds(1));
        assertThat(cost.operationsPerLock())
                .as("operations while the lock is held for half a second on average")
                .isLessThan(25);
    }
}
