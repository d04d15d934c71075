package io.github.cassandralock.testing.checkers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.testing.workload.Event;
import io.github.cassandralock.testing.workload.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each kind of safety violation is found, and nothing else is taken for one. */
class HistoryCheckerTest {

    private static final Window FAULT = new Window(1_000, 2_000);

    private final List<Event> one = new ArrayList<>();
    private final List<Event> other = new ArrayList<>();

    private static void ask(List<Event> worker, long attempt, long at) {
        worker.add(new Event.Asked("1", attempt, at, "till", LockMode.EXCLUSIVE, attempt));
    }

    /** From a time of entry to a time of leaving, with what it found at first. */
    private static void hold(List<Event> worker, long attempt, long from, long to, long token, long read) {
        ask(worker, attempt, from - 1);
        worker.add(new Event.Entered("1", attempt, from, token, read, 0));
        worker.add(new Event.Left("1", attempt, to, to, read + 1, true, false));
        worker.add(new Event.Ended("1", attempt, to + 1, Outcome.RELEASED, ""));
    }

    private static void lostHold(List<Event> worker, long attempt, long from, long to, long token, long read) {
        lostHold(worker, attempt, from, from, to, token, read);
    }

    /** @param heldUntil when the lock was last held */
    private static void lostHold(
            List<Event> worker, long attempt, long from, long heldUntil, long to, long token, long read) {
        ask(worker, attempt, from - 1);
        worker.add(new Event.Entered("1", attempt, from, token, read, 0));
        worker.add(new Event.Left("1", attempt, to, heldUntil, read + 1, false, true));
        worker.add(new Event.Ended("1", attempt, to + 1, Outcome.LOST, ""));
    }

    /** One who does not count: what it found at first, and in the end. */
    private static void share(
            List<Event> worker,
            LockMode mode,
            long attempt,
            long from,
            long to,
            long token,
            long read,
            long readAgain) {
        worker.add(new Event.Asked("1", attempt, from - 1, "till", mode, attempt));
        worker.add(new Event.Entered("1", attempt, from, token, read, 0));
        worker.add(new Event.Left("1", attempt, to, to, readAgain, true, false));
        worker.add(new Event.Ended("1", attempt, to + 1, Outcome.RELEASED, ""));
    }

    private List<String> violations(boolean killed, long counter) {
        return HistoryChecker.violations(
                List.of(new History("one", one, 3_000, killed), new History("other", other, 9_000, false)),
                List.of(FAULT),
                lock -> counter);
    }

    @Test
    void oneAfterTheOtherIsAsItShouldBe() {
        hold(one, 1, 10, 20, 5, 0);
        hold(other, 1, 30, 40, 6, 1);
        assertThat(violations(false, 2)).isEmpty();
    }

    @Test
    void twoThatHoldAtOnceAreSeen() {
        hold(one, 1, 10, 30, 5, 0);
        hold(other, 1, 20, 40, 6, 1);
        assertThat(violations(false, 2))
                .singleElement()
                .asString()
                .contains("Two held it at once", "one/1#1", "other/1#1");
    }

    @Test
    void holderThatHasConvertedItsLockDoesNotExcludeItselfAndKeepsItsToken() {
        hold(one, 1, 10, 20, 5, 0);
        one.add(new Event.Asked("1", 2, 20, "till", LockMode.PROTECTED_READ, 1));
        one.add(new Event.Entered("1", 2, 20, 5, 1, 0));
        one.add(new Event.Left("1", 2, 40, 40, 1, true, false));
        one.add(new Event.Ended("1", 2, 41, Outcome.RELEASED, ""));
        share(other, LockMode.PROTECTED_READ, 1, 30, 35, 6, 1, 1);
        assertThat(violations(false, 1)).isEmpty();
        hold(other, 2, 36, 39, 7, 1);
        assertThat(violations(false, 2))
                .anyMatch(told -> told.startsWith("Two held it at once") && told.contains("one/1#2"));
    }

    @Test
    void readersHoldTheLockTogetherAndMayHaveEqualTokens() {
        hold(one, 1, 10, 20, 5, 0);
        share(one, LockMode.PROTECTED_READ, 2, 30, 60, 6, 1, 1);
        share(other, LockMode.PROTECTED_READ, 1, 40, 50, 6, 1, 1);
        assertThat(violations(false, 1)).isEmpty();
    }

    @Test
    void writerBesideAReaderIsSeenAlsoIfAnotherReaderCameInBetween() {
        share(one, LockMode.PROTECTED_READ, 1, 10, 100, 5, 0, 0);
        share(one, LockMode.PROTECTED_READ, 2, 20, 30, 5, 0, 0);
        share(other, LockMode.CONCURRENT_WRITE, 1, 40, 50, 6, 0, 0);
        assertThat(violations(false, 0))
                .singleElement()
                .asString()
                .contains("Two held it at once", "one/1#1", "other/1#1", "in mode CONCURRENT_WRITE");
    }

    @Test
    void countThatChangesUnderAReaderIsSeen() {
        share(one, LockMode.PROTECTED_READ, 1, 10, 20, 5, 0, 1);
        assertThat(violations(false, 0)).singleElement().asString().contains("Read 0 and then 1", "one/1#1");
    }

    @Test
    void countMayChangeUnderOneWhoDoesNotKeepWritersOut() {
        share(one, LockMode.CONCURRENT_READ, 1, 10, 20, 5, 7, 8);
        assertThat(violations(false, 0)).isEmpty();
    }

    @Test
    void tokenOfAWriterThatIsNotAboveThoseOfEarlierReadersIsSeen() {
        share(one, LockMode.PROTECTED_READ, 1, 10, 20, 9, 0, 0);
        share(one, LockMode.PROTECTED_READ, 2, 30, 40, 5, 0, 0);
        hold(other, 1, 50, 60, 6, 0);
        assertThat(violations(false, 1)).singleElement().asString().contains("The token did not grow", "one/1#1");
    }

    @Test
    void countThatWasOverwrittenIsSeen() {
        hold(one, 1, 10, 20, 5, 0);
        hold(other, 1, 30, 40, 6, 0);
        assertThat(violations(false, 1)).singleElement().asString().contains("Found 0 in place of 1", "other/1#1");
    }

    @Test
    void countThatIsMissingInTheEndIsSeen() {
        hold(one, 1, 10, 20, 5, 0);
        assertThat(violations(false, 0)).singleElement().asString().contains("The counter is 0");
    }

    @Test
    void tokenThatDoesNotGrowIsSeen() {
        hold(one, 1, 10, 20, 5, 0);
        hold(other, 1, 30, 40, 5, 1);
        assertThat(violations(false, 2)).singleElement().asString().contains("The token did not grow");
    }

    @Test
    void tokenThatIsRefusedToOneWhoHoldsTheLockIsSeen() {
        ask(one, 1, 9);
        one.add(new Event.Entered("1", 1, 10, 5, 0, 0));
        one.add(new Event.Left("1", 1, 20, 20, 1, true, true));
        one.add(new Event.Ended("1", 1, 21, Outcome.RELEASED, ""));
        assertThat(violations(false, 1)).singleElement().asString().contains("its token refused");
    }

    @Test
    void attemptWithoutAnEndIsSeenUnlessItsProcessWasKilled() {
        ask(one, 1, 10);
        assertThat(violations(false, 0)).singleElement().asString().contains("never heard of again");
        assertThat(violations(true, 0)).isEmpty();
    }

    @Test
    void attemptWithoutAnEndBeforeAnotherOneIsFoundThoughItsProcessWasKilled() {
        ask(one, 1, 10);
        ask(one, 2, 11);
        assertThat(violations(true, 0)).singleElement().asString().contains("one/1#1", "never heard of again");
    }

    @Test
    void lockThatIsLostWhileNothingIsWrongIsSeen() {
        lostHold(one, 1, 10, 20, 5, 0);
        assertThat(violations(false, 1)).singleElement().asString().contains("ended LOST while nothing was wrong");
    }

    @Test
    void attemptThatFailsWhileNothingIsWrongIsSeen() {
        ask(one, 1, 10);
        one.add(new Event.Ended("1", 1, 20, Outcome.FAILED, "no answer"));
        assertThat(violations(false, 0))
                .singleElement()
                .asString()
                .contains("ended FAILED while nothing was wrong: no answer");
    }

    @Test
    void eventsThatContradictEachOtherAreSeen() {
        hold(one, 1, 10, 20, 5, 0);
        one.add(new Event.Entered("1", 1, 30, 6, 1, 0));
        assertThat(violations(false, 1))
                .anyMatch(violation -> violation.contains("one/1#1 on 'till' has an unexpected Entered"));
    }

    @Test
    void processThatStandsStillBeyondItsLeaseAndLearnsOfItIsNoViolation() {
        lostHold(one, 1, 1_010, 1_900, 5, 0);
        hold(other, 1, 1_500, 1_510, 6, 0);
        hold(other, 2, 1_600, 1_610, 7, 1);
        assertThat(violations(false, 2))
                .as("its count came too early to be seen")
                .isEmpty();
        assertThat(violations(false, 1)).as("its count came last").isEmpty();
        assertThat(violations(false, 3)).as("a count that was never made").isNotEmpty();
    }

    @Test
    void processThatStandsStillBeyondItsLeaseAndDoesNotLearnOfItIsAViolation() {
        hold(one, 1, 1_010, 1_900, 5, 0);
        hold(other, 1, 1_500, 1_510, 6, 0);
        assertThat(violations(false, 1)).isNotEmpty();
    }

    /** Counts twice, and then converts the lock to another mode that keeps writers out. */
    private static void countAndConvert(List<Event> worker, long countAfter) {
        hold(worker, 1, 1_100, 1_110, 6, 0);
        hold(worker, 2, 1_120, 1_130, 7, 1);
        worker.add(new Event.Asked("1", 3, 1_210, "till", LockMode.PROTECTED_READ, 2));
        worker.add(new Event.Converted("1", 3, 1_210, 2, countAfter));
        worker.add(new Event.Ended("1", 3, 1_230, Outcome.LOST, ""));
    }

    @Test
    void countThatChangesDuringAConversionIsSeen() {
        countAndConvert(other, 1);
        assertThat(violations(false, 2))
                .singleElement()
                .asString()
                .contains("The counter changed from 2 to 1 during the conversion", "other/1#3");
    }

    @Test
    void lockThatIsLostDuringWorkCountsAsHeldUntilItWasLastSeenHeld() {
        lostHold(one, 1, 1_010, 1_490, 1_900, 5, 0);
        hold(other, 1, 1_500, 1_510, 6, 0);
        assertThat(violations(false, 1)).isEmpty();
        hold(other, 2, 1_450, 1_460, 7, 1);
        assertThat(violations(false, 2))
                .anyMatch(violation -> violation.startsWith("Two held it at once") && violation.contains("one/1#1 on"));
    }

    @Test
    void lateWriteOfALostHoldMayChangeTheCountDuringAConversion() {
        lostHold(one, 1, 1_010, 1_215, 5, 0);
        countAndConvert(other, 1);
        assertThat(violations(false, 1)).isEmpty();
    }

    @Test
    void lostHoldThatWroteBeforeAConversionDoesNotExplainAChange() {
        lostHold(one, 1, 1_010, 1_205, 5, 0);
        countAndConvert(other, 1);
        assertThat(violations(false, 2)).singleElement().asString().contains("during the conversion");
    }

    @Test
    void processThatWasKilledMayHaveCountedOrNot() {
        ask(one, 1, 1_009);
        one.add(new Event.Entered("1", 1, 1_010, 5, 0, 0));
        hold(other, 1, 3_500, 3_510, 6, 1);
        assertThat(violations(true, 2)).isEmpty();
        other.clear();
        hold(other, 1, 3_500, 3_510, 6, 0);
        assertThat(violations(true, 1)).isEmpty();
    }
}
