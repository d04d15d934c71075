package io.github.cassandralock.testing.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FiguresTest {

    private static long ms(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private static Grant grant(int process, int lock, long asked, long entered, long left) {
        return new Grant(process, 1, lock, ms(asked), ms(entered), ms(left));
    }

    private static Figures figures(long requests, Grant... grants) {
        return Figures.of(List.of(new Turn(0, List.of(grants), requests)));
    }

    @Test
    void timesAreFromAskingToEntering() {
        List<Grant> grants = IntStream.rangeClosed(1, 100)
                .mapToObj(i -> grant(1, 0, 1000L * i, 1001L * i, 1001L * i))
                .toList();
        Figures figures = Figures.of(List.of(new Turn(0, grants, 300)));
        assertThat(figures.meanMs()).isEqualTo(50.5);
        assertThat(figures.p50Ms()).isEqualTo(50);
        assertThat(figures.p99Ms()).isEqualTo(99);
        assertThat(figures.maxMs()).isEqualTo(100);
        assertThat(figures.dbOpsPerLock()).isEqualTo(3);
    }

    @Test
    void rateCountsTheTimeOfAllTurns() {
        Turn first = new Turn(ms(0), List.of(grant(1, 0, 0, 100, 500)), 0);
        Turn second = new Turn(ms(9_000), List.of(grant(1, 0, 9_000, 9_100, 9_500)), 0);
        assertThat(Figures.of(List.of(first, second)).locksPerSecond()).isEqualTo(2);
    }

    @Test
    void aGrantThatBeginsBeforeTheHoldBeforeItEndsIsAViolation() {
        assertThat(figures(0, grant(1, 0, 0, 10, 30), grant(2, 0, 0, 29, 40)).violations())
                .isEqualTo(1);
        assertThat(figures(0, grant(1, 0, 0, 10, 30), grant(2, 0, 0, 31, 40)).violations())
                .isZero();
    }

    @Test
    void aLongHoldIsViolatedByEveryGrantWithinIt() {
        assertThat(figures(0, grant(1, 0, 0, 10, 90), grant(2, 0, 0, 20, 30), grant(3, 0, 0, 40, 50))
                        .violations())
                .isEqualTo(2);
    }

    @Test
    void oneGrantMoreThanThereArePermitsIsAViolation() {
        Grant first = grant(1, 0, 0, 10, 90);
        Grant second = grant(2, 0, 0, 20, 30);
        assertThat(withTwoPermits(first, second, grant(3, 0, 0, 30, 50)).violations())
                .isZero();
        assertThat(withTwoPermits(first, second, grant(3, 0, 0, 29, 50)).violations())
                .isEqualTo(1);
    }

    private static Figures withTwoPermits(Grant... grants) {
        return Figures.of(List.of(new Turn(0, List.of(grants), 0, 2)));
    }

    @Test
    void holdsOfDifferentLocksMayOverlap() {
        assertThat(figures(0, grant(1, 0, 0, 10, 30), grant(2, 1, 0, 20, 40)).violations())
                .isZero();
    }

    @Test
    void changesOfHandsAreCountedInTheOrderOfEntry() {
        Figures figures = figures(
                0, grant(2, 0, 0, 30, 31), grant(1, 0, 0, 10, 11), grant(1, 0, 0, 20, 21), grant(1, 0, 0, 40, 41));
        assertThat(figures.changedHands()).isEqualTo(0.667);
    }

    @Test
    void theHandOverIsTimedForThoseWhoWaited() {
        Turn turn = new Turn(0, List.of(grant(1, 0, 0, 0, 10), grant(2, 0, 5, 13, 20), grant(1, 0, 100, 150, 160)), 0);
        assertThat(Figures.handOverMs(List.of(turn))).isEqualTo(3);
    }

    @Test
    void thereIsNoTimeOfHandOversWhereNobodyWaitedOrSeveralHold() {
        Turn alone = new Turn(0, List.of(grant(1, 0, 0, 0, 10)), 0);
        Turn permits = new Turn(0, List.of(grant(1, 0, 0, 0, 10), grant(2, 0, 5, 13, 20)), 0, 2);
        assertThat(Figures.handOverMs(List.of(alone))).isNaN();
        assertThat(Figures.handOverMs(List.of(permits))).isNaN();
    }

    @Test
    void figureOfSeveralMeasurementsIsTheMedianAndViolationsAreCounted() {
        Figures slow = figures(9, grant(1, 0, 0, 40, 50), grant(2, 0, 0, 45, 60));
        Figures middle = figures(6, grant(1, 0, 0, 20, 29), grant(2, 0, 0, 30, 40));
        Figures quick = figures(3, grant(1, 0, 0, 10, 14), grant(2, 0, 0, 15, 20));
        Figures medians = Figures.medians(List.of(quick, slow, middle));
        assertThat(medians.meanMs()).isEqualTo(middle.meanMs());
        assertThat(medians.locksPerSecond()).isEqualTo(middle.locksPerSecond());
        assertThat(medians.dbOpsPerLock()).isEqualTo(3);
        assertThat(medians.violations()).isEqualTo(1);
    }

    @Test
    void nothingComesOfNothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> figures(0));
    }
}
