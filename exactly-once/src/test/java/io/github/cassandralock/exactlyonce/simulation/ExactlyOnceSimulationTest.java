package io.github.cassandralock.exactlyonce.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unchanged production classes in a simulated world. A failure prints the command that repeats its schedule; {@code
 * -Dsimulation.schedules=100000} runs that many of each kind with seeds that were never used.
 */
class ExactlyOnceSimulationTest {

    private static final Logger log = LoggerFactory.getLogger(ExactlyOnceSimulationTest.class);

    private static void nothingBadHappens(Schedules schedules, Seeds seeds) {
        seeds.firstFinding(schedules)
                .ifPresent(finding -> assertThat(finding.violations())
                        .as(
                                "what should not have happened in %s; %s",
                                schedules,
                                Seeds.replay("exactly-once", ExactlyOnceSimulationTest.class, finding.seed()))
                        .isEmpty());
    }

    @AfterAll
    static void tellWhatWasRun() {
        log.info("{}", SimulationTotals.told());
    }

    @Test
    void everyInputTakesEffectOnceAndOneCopyThatIsLeftFinishesWhateverHappens() {
        nothingBadHappens(Schedules.PIPELINE, Seeds.of(75));
    }

    @Test
    void everyInputTakesEffectOnceWithUnknownOutcomesAndOldReads() {
        nothingBadHappens(Schedules.HARD_PIPELINE, Seeds.of(37));
    }

    @Test
    void producersOfEveryKindLoseAndDoubleNothingAndTheirQueuesForgetThem() {
        nothingBadHappens(Schedules.PRODUCERS, Seeds.of(50));
    }

    @Test
    void producersLoseAndDoubleNothingWithUnknownOutcomes() {
        nothingBadHappens(Schedules.HARD_PRODUCERS, Seeds.of(25));
    }

    @Test
    void onlyMessagesAtFaultAreParkedAndWhatIsSentAgainTakesEffectOnce() {
        nothingBadHappens(Schedules.PARKING, Seeds.of(37));
    }

    @Test
    void twoFullRingsOfParkedMessagesDoNotWaitForEachOther() {
        nothingBadHappens(Schedules.FULL_RINGS, Seeds.of(25));
    }

    @Test
    void restoredRegisterOfParkedMessagesTakesNoneForAnotherOne() {
        nothingBadHappens(Schedules.RESTORED_REGISTERS, Seeds.of(20));
    }

    @Test
    void halfTransactionsBetweenTwoStoresNeitherMakeNorLoseMoney() {
        nothingBadHappens(Schedules.MONEY, Seeds.of(30));
    }

    @Test
    void halfTransactionsNeitherMakeNorLoseMoneyWithUnknownOutcomes() {
        nothingBadHappens(Schedules.HARD_MONEY, Seeds.of(20));
    }

    @Test
    void whatWasRenamedLostOrRestoredIsToldAndNeitherLosesNorRepeatsAnything() {
        nothingBadHappens(Schedules.RENAMES, Seeds.of(50));
    }

    @Test
    void whatIsRestoredBeneathCopiesThatRunLosesAndRepeatsNothing() {
        nothingBadHappens(Schedules.BENEATH, Seeds.of(30));
    }

    @Test
    void stateThatIsRestoredWithoutItsEffectsLosesNone() {
        nothingBadHappens(Schedules.RESTORED_STATES, Seeds.of(30));
    }

    @Test
    void handlerWhoseQueueIsRenamedAgainAndAgainForgetsItsProducers() {
        nothingBadHappens(Schedules.FORMER_QUEUES, Seeds.of(20));
    }

    @Test
    void outputsThatAreWrittenAtTheSameTimeAreThereOnceAndInOrder() {
        nothingBadHappens(Schedules.FAN_OUT, Seeds.of(40));
    }

    @Test
    void outputsThatAreWrittenAtTheSameTimeAreThereOnceWithUnknownOutcomes() {
        nothingBadHappens(Schedules.HARD_FAN_OUT, Seeds.of(20));
    }

    @Test
    void messagesOfTableTakeEffectOnceThoughSomeOfThemFail() {
        nothingBadHappens(Schedules.TABLE, Seeds.of(40));
    }

    @Test
    void messagesOfTableTakeEffectOnceWithUnknownOutcomes() {
        nothingBadHappens(Schedules.HARD_TABLE, Seeds.of(20));
    }

    @Test
    void whatIsRareElsewhereEndsWellToo() {
        nothingBadHappens(Schedules.DEAD_PUSHER, new Seeds(1, 1));
        nothingBadHappens(Schedules.OLD_RECORDS, new Seeds(1, 1));
        nothingBadHappens(Schedules.HELD_RING, new Seeds(1, 1));
        nothingBadHappens(Schedules.RENAMES, new Seeds(2_196_114_803_661_879L, 1)); // before the sink has begun
    }
}
