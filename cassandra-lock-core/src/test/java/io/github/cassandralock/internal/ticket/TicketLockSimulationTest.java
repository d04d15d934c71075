package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import org.junit.jupiter.api.Test;

/** The unchanged algorithm in a simulated world. */
class TicketLockSimulationTest extends ScheduleRuns {

    private static final Seeds SEEDS = Seeds.of(750);

    @Test
    void noTwoHoldTokensGrowAndAllAreServedInOrderAmidAllFaults() {
        nothingBadHappens(Schedules.EVERYTHING, Seeds.of(200));
    }

    @Test
    void noPromiseIsBrokenWhateverHappensToNotices() {
        nothingBadHappens(Schedules.NOTICES, Seeds.of(150));
    }

    @Test
    void noPromiseIsBrokenWhenNoticesAndRequestsOvertakeEachOther() {
        nothingBadHappens(Schedules.NOTICE_RACES, Seeds.of(200));
    }

    @Test
    void locksThatAreKeptWhileTheirSessionsEndAreNotGranted() {
        nothingBadHappens(Schedules.KEPT_LOCKS, SEEDS.part(10));
    }

    @Test
    void ofSeveralThatTryAtOnceOnAFreeLockExactlyOneGetsIt() {
        nothingBadHappens(Schedules.TRY_AT_ONCE, SEEDS.part(10));
    }

    /** A tenth of the schedules, unless {@code -Dsimulation.part=1} asks for all. */
    @Test
    void processesWithDifferentLeasesDriftsAndPausesNeverHoldALockTogether() {
        nothingBadHappens(Schedules.MIXED_SETTINGS, SEEDS.part(Integer.getInteger("simulation.part", 10)));
    }

    @Test
    void ticketThatIsWrittenAgainDoesNotOutliveTheRefreshThatHidesIt() {
        nothingBadHappens(Schedules.WRITES_SENT_AGAIN, SEEDS.part(10));
    }

    @Test
    void waiterThatCameBackMeanwhileIsServedHoweverLateAReleaseIsWritten() {
        nothingBadHappens(Schedules.LATE_RELEASES, SEEDS.part(10));
    }

    @Test
    void renewalThatIsSentAgainCountsFromItsFirstSending() {
        nothingBadHappens(Schedules.RENEWALS_SENT_AGAIN, SEEDS.part(10));
    }

    @Test
    void lockersThatCloseWhileThreadsTakeShortLocksLeaveNothingHeld() {
        nothingBadHappens(Schedules.CLOSINGS, SEEDS.part(10));
    }

    @Test
    void forceReleasedLockIsLostForItsHolderAloneAndFreeForTheOthers() {
        nothingBadHappens(Schedules.FORCE_RELEASES, SEEDS.part(10));
    }

    @Test
    void conflictingModesNeverHoldTheLockTogether() {
        nothingBadHappens(Schedules.MODES, Seeds.of(150));
    }

    @Test
    void noPromiseIsBrokenWhileHoldersConvertTheirHandles() {
        nothingBadHappens(Schedules.CONVERSIONS, Seeds.of(150));
        nothingBadHappens(Schedules.STALE_MODES, SEEDS.part(10));
        nothingBadHappens(Schedules.SIDEWAYS, SEEDS.part(10));
    }

    @Test
    void modeOfAHandleIsFinalWhenItsConversionWasGivenUp() {
        nothingBadHappens(Schedules.CONVERSIONS_GIVEN_UP, SEEDS.part(10));
    }

    @Test
    void ownersOfPathsExcludeEachOtherAndNeverWaitForThemselves() {
        nothingBadHappens(Schedules.PATHS, SEEDS.part(10));
    }

    @Test
    void callsForSeveralLocksEndAndLeaveNothingHeld() {
        nothingBadHappens(Schedules.GROUPS, SEEDS.part(5));
    }

    @Test
    void holdersSeeTheValueThatTheLastOneLeftOrThatItIsDoubtful() {
        nothingBadHappens(Schedules.VALUES, Seeds.of(75));
        nothingBadHappens(Schedules.VALUES_WITHOUT_FAULTS, Seeds.of(50));
    }

    @Test
    void eachPeriodIsCompletedByOneHolder() {
        nothingBadHappens(Schedules.PERIODS, Seeds.of(100));
    }

    @Test
    void callsThatGiveUpSoonGetTheLockOfADeadHolderToo() {
        nothingBadHappens(Schedules.IMPATIENCE, SEEDS.part(10));
    }

    @Test
    void waiterBehindManyDeadProcessesIsServedWithinThreeLeases() {
        nothingBadHappens(Schedules.MANY_DEATHS, SEEDS.part(20));
    }

    @Test
    void locksStayTakenForTheirMinimumTimeAlsoWhileLockersClose() {
        nothingBadHappens(Schedules.MINIMUM_TIMES, SEEDS.part(10));
    }

    /** This is the reason for the advice on {@code commitlog_sync} in docs/reliability.md. */
    @Test
    void replicasThatLoseAcknowledgedWritesLetTwoHold() {
        assertThat(new Seeds(1, 1_000)
                        .firstFinding(seed -> Violation.TWO_HOLDERS.among(Schedules.LOST_SECONDS.apply(seed))))
                .as("two holders, which 1,000 schedules in which replicas lose their last second should show")
                .isPresent();
    }
}
