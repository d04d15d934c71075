package io.github.cassandralock.internal.ticket.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.ticket.process.HandOverEstimates;
import io.github.cassandralock.internal.ticket.process.NoticeHealth.Trust;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TicketPollIntervalTest {

    private static final PollBounds NEXT = new PollBounds(Duration.ofMillis(1), Duration.ofMillis(250));
    private static final Duration FAR_BACK = Duration.ofMillis(1_500);
    private static final long MILLI = 1_000_000;

    /** Announced at 0, drawn after 5 ms. */
    private static TicketPollInterval expecting(long handOverMillis, int ahead) {
        return new TicketPollInterval(
                NEXT, FAR_BACK, HandOverEstimates.Estimate.guess(handOverMillis * MILLI), ahead, 0, 5 * MILLI);
    }

    @Test
    void waiterThatMayBeNextReadsAtOnce() {
        assertThat(expecting(10, 1).beforeFirstLook()).isZero();
    }

    @Test
    void firstPauseSpansEightHandOversOrAThirdOfThemAtMost() {
        assertThat(expecting(10, 5).beforeFirstLook())
                .as("five ahead: four until next, less half of their spread")
                .isEqualTo(Duration.ofMillis(30));
        assertThat(expecting(10, 20).beforeFirstLook()).as("twenty ahead").isEqualTo(Duration.ofMillis(80));
        assertThat(expecting(10, 100).beforeFirstLook()).as("a hundred ahead").isEqualTo(Duration.ofMillis(330));
    }

    @Test
    void waiterThatIsNextPausesForHalfTheTimeForWhichTheLockHasNotMoved() {
        TicketPollInterval pollInterval = expecting(10, 1);
        assertThat(pollInterval.pause(1, 6 * MILLI))
                .as("has not moved for 1 ms")
                .isEqualTo(NEXT.min());
        assertThat(pollInterval.pause(1, 45 * MILLI))
                .as("has not moved for 40 ms")
                .isEqualTo(Duration.ofMillis(20));
        assertThat(pollInterval.pause(1, 2_005 * MILLI))
                .as("has not moved for 2 s")
                .isEqualTo(NEXT.max());
    }

    /** Five of six are left at this time, so four until next, and three of them are slept through. */
    private static Duration pauseAfterOneOfSix(long now) {
        return expecting(10, 6).pause(5, now);
    }

    @Test
    void estimateFallsAtOnceWithQuickHandOvers() {
        assertThat(pauseAfterOneOfSix(9 * MILLI)).as("one took 4 ms").isEqualTo(Duration.ofMillis(12));
    }

    @Test
    void estimateRisesByAQuarterAtEachReadWithSlowHandOvers() {
        assertThat(pauseAfterOneOfSix(45 * MILLI))
                .as("one took 40 ms, 12.5 ms are believed")
                .isEqualTo(Duration.ofNanos(37_500_000));
    }

    @Test
    void pauseIsAtMostOneAndAHalfTimesTheTimeWaitedAlready() {
        TicketPollInterval pollInterval = expecting(10, 100);
        assertThat(pollInterval.pause(99, 15 * MILLI)).isEqualTo(Duration.ofNanos(22_500_000));
    }

    @Test
    void nextAttemptExpectsTheAverageOfThisOneOrAQuarterMoreThanItsExpectation() {
        assertThat(expecting(10, 4).measured(25 * MILLI).cautious())
                .as("four in 20 ms")
                .isEqualTo(5 * MILLI);
        assertThat(expecting(10, 4).measured(85 * MILLI).cautious())
                .as("four in 80 ms")
                .isEqualTo(12_500_000);
    }

    /** Two, after 105 ms and 220 ms, took 110 ms each since the announcement: less than the 115 ms of the last one. */
    @Test
    void estimateIsTheLowerOfTheLastTimeAndTheAverage() {
        TicketPollInterval late = new TicketPollInterval(
                NEXT, FAR_BACK, HandOverEstimates.Estimate.guess(200 * MILLI), 6, 1_000 * MILLI, 1_005 * MILLI);
        late.pause(5, 1_105 * MILLI);
        assertThat(late.pause(4, 1_220 * MILLI))
                .as("three until next, less half of their spread, of 110 ms each")
                .isBetween(Duration.ofMillis(234), Duration.ofMillis(235));
    }

    @Test
    void timeIsDividedByTheHandOversThatOneReadShows() {
        assertThat(expecting(10, 6).pause(4, 13 * MILLI))
                .as("three until next, less half of their spread, of 4 ms each")
                .isBetween(Duration.ofNanos(8_500_000), Duration.ofNanos(8_600_000));
    }

    @Test
    void pauseDependsOnTheTimeSinceTheAnnouncementAlone() {
        TicketPollInterval late = new TicketPollInterval(
                NEXT, FAR_BACK, HandOverEstimates.Estimate.guess(10 * MILLI), 100, 1_000 * MILLI, 1_005 * MILLI);
        assertThat(late.pause(99, 1_015 * MILLI)).isEqualTo(Duration.ofNanos(22_500_000));
    }

    @Test
    void longestPauseOfAWaiterThatIsToldGrowsWithThoseAheadBeyondSixteen() {
        for (int ahead : new int[] {2, 16, 160}) {
            assertThat(expecting(1_000, ahead)
                            .untilOverdue(ahead, 6 * MILLI, Trust.ARRIVING)
                            .untilWaiting())
                    .as("%d ahead", ahead)
                    .isEqualTo(ahead <= 16 ? FAR_BACK : FAR_BACK.multipliedBy(10));
        }
    }

    @Test
    void overdueWaiterAsksByItsEstimateAndLooksByTheAverage() {
        assertThat(expecting(1, 100).untilOverdue(84, 160 * MILLI, Trust.ARRIVING))
                .as("sixteen took 10 ms each, of which 1.25 ms are believed: twice the time of the other 84")
                .isEqualTo(new TicketPollInterval.Overdue(Duration.ofMillis(105), Duration.ofMillis(1_680)));
        assertThat(expecting(1, 100)
                        .untilOverdue(85, 150 * MILLI, Trust.ARRIVING)
                        .untilRead())
                .as("fifteen are too few: twice the time of the other 85, at 1.25 ms each")
                .isEqualTo(Duration.ofNanos(212_500_000));
    }

    @Test
    void waiterLooksInPlaceOfAskingIfANoticeWasLostLately() {
        assertThat(expecting(1, 100).untilOverdue(84, 160 * MILLI, Trust.LOST_LATELY))
                .isEqualTo(new TicketPollInterval.Overdue(Duration.ofMillis(105), Duration.ofMillis(105)));
    }

    @Test
    void waiterThatHasNeverBeenToldLooksWhenTwiceTheExpectedTimeHasPassed() {
        assertThat(expecting(1, 100).untilOverdue(84, 160 * MILLI, Trust.UNKNOWN))
                .isEqualTo(new TicketPollInterval.Overdue(Duration.ofMillis(210), Duration.ofMillis(210)));
    }

    @Test
    void turnThatIsExpectedLateIsOverdueSoonerThanAfterTwiceItsTime() {
        assertThat(expecting(50, 64).untilOverdue(64, 6 * MILLI, Trust.ARRIVING))
                .as("expected after 3.2 s: 1.5 s more")
                .isEqualTo(new TicketPollInterval.Overdue(Duration.ofMillis(3_200), Duration.ofMillis(4_700)));
        assertThat(expecting(50, 200).untilOverdue(200, 6 * MILLI, Trust.ARRIVING))
                .as("expected after ten seconds: a quarter more")
                .isEqualTo(new TicketPollInterval.Overdue(Duration.ofSeconds(10), Duration.ofMillis(12_500)));
    }

    @Test
    void pausesBetweenRepetitionsGrowByAQuarterToTheLongestPause() {
        assertThat(expecting(10, 4).beforeRepeating(Duration.ofMillis(100))).isEqualTo(Duration.ofMillis(125));
        assertThat(expecting(10, 4).beforeRepeating(Duration.ofSeconds(10))).isEqualTo(FAR_BACK);
    }

    @Test
    void nextAttemptExpectsTheAverageOfSixteenHandOvers() {
        assertThat(expecting(1, 16).measured(1_605 * MILLI))
                .isEqualTo(new HandOverEstimates.Estimate(1_250_000, 100 * MILLI));
        assertThat(expecting(1, 15).measured(1_505 * MILLI)).isEqualTo(HandOverEstimates.Estimate.guess(1_250_000));
    }
}
