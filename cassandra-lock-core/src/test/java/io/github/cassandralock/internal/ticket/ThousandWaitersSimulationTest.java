package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.FaultModel;
import io.github.cassandralock.internal.simulation.TicketMeasurements;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads of one process share a slot and a place in the queue. */
class ThousandWaitersSimulationTest {

    @Test
    void thousandWaitersOfOneProcessCostNoMoreThanOne() {
        TicketMeasurements.Waiting one = TicketMeasurements.waiting(1, 1, Duration.ofSeconds(20));
        TicketMeasurements.Waiting thousand = TicketMeasurements.waiting(1, 1_000, Duration.ofSeconds(20));
        assertThat(thousand.slots()).as("slots of the lock").isEqualTo(2);
        assertThat(thousand.operations())
                .as("database operations in twenty seconds of waiting")
                .isEqualTo(one.operations());
    }

    @Test
    void waitersOfOneProcessAreServedInTheOrderOfTheirArrival() {
        assertThat(TicketMeasurements.waiting(1, 1_000, Duration.ofSeconds(20)).served())
                .hasSize(1_000)
                .isSorted();
    }

    @Test
    void lockOfADeadHolderIsFreeWithinALeaseAndAHalf() {
        for (long seed = 1; seed <= 50; seed++) {
            assertThat(TicketMeasurements.untilServedAfterDeathOf(seed, 1, 2))
                    .as("seed %d", seed)
                    .isLessThan(FaultModel.LEASE.multipliedBy(3).dividedBy(2));
        }
    }

    @Test
    void manyWaitersThatDieAtOnceDelayTheOthersForLessThanThreeLeases() {
        Duration untilServed = TicketMeasurements.untilServedAfterDeathOf(1, 12, 20);
        assertThat(untilServed).isLessThan(FaultModel.LEASE.multipliedBy(3));
    }

    /** When dead sessions were watched in groups of eight, this took seven leases for 41, and sixteen for 100. */
    @ParameterizedTest
    @ValueSource(ints = {41, 100})
    void waitersBehindManyDeadProcessesAreServedWithinThreeLeases(int dead) {
        assertThat(TicketMeasurements.untilServedAfterDeathOf(1, dead, dead + 3))
                .as("without notices")
                .isLessThan(FaultModel.LEASE.multipliedBy(3));
        assertThat(TicketMeasurements.untilServedWithNoticesAfterDeathOf(1, dead, dead + 3))
                .as("with notices")
                .isLessThan(FaultModel.LEASE.multipliedBy(3));
    }

    /** Two reads of each session by each waiter would be 20,000 operations more. */
    @Test
    void deathOfAHolderDoesNotCostTheSquareOfTheNumberOfWaiters() {
        assertThat(TicketMeasurements.operationsUntilServedAfterDeathOfTheHolder(1, 100))
                .as("operations until the lock is free, and for a lease more")
                .isLessThan(8_000);
    }

    /** The notice of the second holder does not say that the dead one is over: it fails if the waiter only waits to be told. */
    @Test
    void waiterBehindAnEvictedSessionReadsAsSoonAsTheNextHolderIsOver() {
        assertThat(TicketMeasurements.handOverAfterACrash(1)).isLessThan(Duration.ofMillis(50));
    }

    /**
     * At first, eight of the slots ahead are watched. When the rest was watched in groups of eight, this took nearly
     * four leases.
     */
    @Test
    void tryAfterManyCrashesSucceedsWithinTwoLeasesAndAHalf() {
        assertThat(TicketMeasurements.untilTriedWithSuccessAfterDeathOf(1, 20))
                .as("from the death of twenty until a try succeeds")
                .isLessThan(FaultModel.LEASE.multipliedBy(5).dividedBy(2));
    }
}
