package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.Schedules;
import org.junit.jupiter.api.Test;

/** Permits in a simulated world (lock modes, section 8). */
class PermitsSimulationTest extends ScheduleRuns {

    @Test
    void neverMoreHoldThanThereArePermitsAndNoneIsUnusedAmidAllFaults() {
        nothingBadHappens(Schedules.PERMITS, Seeds.of(40));
    }

    @Test
    void ofSeveralThatTryAtOnceAsManyGetAPermitAsThereAre() {
        nothingBadHappens(Schedules.TRY_PERMITS_AT_ONCE, Seeds.of(75));
    }

    @Test
    void versionWithoutPermitsHoldsTheLockAloneAndIsServed() {
        nothingBadHappens(Schedules.PERMITS_OF_A_NEW_VERSION, Seeds.of(30));
    }

    @Test
    void permitOfADeadHolderIsFreeAgainWhileOthersTakeTurns() {
        nothingBadHappens(Schedules.DEAD_HOLDER_OF_A_PERMIT, Seeds.of(5));
    }

    @Test
    void twoThatComeBackAtOnceDoNotHoldBesideAThird() {
        nothingBadHappens(Schedules.PERMITS_COME_BACK, Seeds.of(75));
    }

    @Test
    void permitOfADeadHolderIsFreeAgainWhileOthersWaitForLong() {
        nothingBadHappens(Schedules.DEAD_HOLDER_BESIDE_WAITERS, Seeds.of(20));
    }

    @Test
    void nextInTheQueueIsToldByWhicheverHolderLeaves() {
        nothingBadHappens(Schedules.PERMITS_IN_TURN, Seeds.of(75));
    }
}
