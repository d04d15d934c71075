package io.github.cassandralock.internal.ticket;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.simulation.TicketMember;
import io.github.cassandralock.internal.simulation.TicketWorld;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.rows.HandleRows;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who may convert a lock, who goes first, and what it costs, step by step in a simulated world without faults (lock modes, section
 * 4). Costs nothing. Catches rules whose faults only make somebody wait, which the schedules do not find.
 */
class ConversionSimulationTest {

    private static final Duration A_WHILE = Duration.ofMillis(300);

    /** Longer than the slowest look of a waiter. */
    private static final Duration LONG = Duration.ofSeconds(20);

    private TicketWorld world = TicketWorld.quiet(1, 4);

    private TicketMember member(int number) {
        return world.members().get(number);
    }

    private Attempt acquire(int member, LockMode mode) {
        Attempt attempt = world.acquire(member(member), mode);
        world.time().run(A_WHILE);
        return attempt;
    }

    private Grant granted(int member, LockMode mode) {
        return grantOf(acquire(member, mode), A_WHILE);
    }

    private Grant grantOf(Attempt attempt, Duration within) {
        world.time().runUntil(attempt.getOutcome().toCompletableFuture()::isDone, within);
        assertThat(isGranted(attempt)).as("granted in time").isTrue();
        return attempt.getOutcome().toCompletableFuture().join().orElseThrow();
    }

    private Attempt convert(Grant grant, LockMode mode) {
        Attempt conversion = grant.convert(mode);
        world.time().run(A_WHILE);
        return conversion;
    }

    private void converted(Grant grant, LockMode mode) {
        assertThat(grantOf(grant.convert(mode), A_WHILE)).isSameAs(grant);
    }

    /** Two threads of one process, which share a slot. */
    private List<Grant> grantedTogether(int member, LockMode mode) {
        List<Attempt> attempts = Stream.generate(() -> world.acquire(member(member), mode))
                .limit(2)
                .toList();
        return attempts.stream().map(attempt -> grantOf(attempt, A_WHILE)).toList();
    }

    private static boolean isGranted(Attempt attempt) {
        var outcome = attempt.getOutcome().toCompletableFuture();
        return !outcome.isCompletedExceptionally()
                && outcome.getNow(Optional.empty()).isPresent();
    }

    private long rows() {
        return world.slots().everything(TicketWorld.LOCK).slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE)
                .count();
    }

    private static Stream<List<LockMode>> pairs() {
        return Arrays.stream(LockMode.values())
                .flatMap(one -> Arrays.stream(LockMode.values()).map(other -> List.of(one, other)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void handleThatWasConvertedIsCompatibleWithWhatItsNewModeIsCompatibleWith(List<LockMode> pair) {
        LockMode before = pair.get(0);
        LockMode after = pair.get(1);
        for (LockMode other : LockMode.values()) {
            Grant grant = granted(0, before);
            converted(grant, after);
            Attempt tries = world.tryAcquire(member(1), other);
            world.time().run(A_WHILE);
            assertThat(isGranted(tries))
                    .as("%s beside %s, which was %s", other, after, before)
                    .isEqualTo(other.isCompatibleWith(after));
            if (isGranted(tries)) {
                grantOf(tries, A_WHILE).release();
            }
            grant.release();
            world.time().run(A_WHILE);
            assertThat(rows()).as("rows that are left").isZero();
        }
    }

    @Test
    void conversionUpCostsThreeOperationsAndOneDownTwoIfASlotIsLetGo() {
        Grant grant = granted(0, PROTECTED_READ);
        world.time().run(A_WHILE);
        long before = world.slots().operations();
        converted(grant, EXCLUSIVE);
        assertThat(world.slots().operations() - before).as("up: W1, R1").isEqualTo(2);
        converted(grant, PROTECTED_READ);
        world.time().run(A_WHILE);
        assertThat(world.slots().operations() - before).as("and down: IDLE").isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void conversionGoesBeforeThoseThatWaitForTheHandle(boolean notices) {
        world = notices ? TicketWorld.quietWithNotices(1, 4) : TicketWorld.quiet(1, 4);
        Grant reader = granted(0, PROTECTED_READ);
        Attempt writer = acquire(1, EXCLUSIVE);
        Attempt sameProcess = acquire(0, EXCLUSIVE);
        converted(reader, EXCLUSIVE);
        assertThat(isGranted(writer) || isGranted(sameProcess)).isFalse();
        reader.release();
        grantOf(writer, LONG).release();
        grantOf(sameProcess, LONG).release();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void conversionWaitsForHoldersThatConflict(boolean notices) {
        world = notices ? TicketWorld.quietWithNotices(1, 4) : TicketWorld.quiet(1, 4);
        List<Grant> together = grantedTogether(0, PROTECTED_READ);
        Grant converting = together.get(0);
        Grant sharing = together.get(1);
        Grant elsewhere = granted(1, PROTECTED_READ);
        Attempt conversion = convert(converting, EXCLUSIVE);
        elsewhere.release();
        world.time().run(LONG);
        assertThat(isGranted(conversion)).as("while a thread shares the slot").isFalse();
        sharing.release();
        grantOf(conversion, A_WHILE);
        assertThat(converting.isValid()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thoseThatWaitGetTheLockWhenItsHolderIsWeakEnough(boolean notices) {
        world = notices ? TicketWorld.quietWithNotices(1, 4) : TicketWorld.quiet(1, 4);
        Grant writer = granted(0, EXCLUSIVE);
        Attempt elsewhere = acquire(1, PROTECTED_READ);
        Attempt sameProcess = acquire(0, PROTECTED_READ);
        converted(writer, PROTECTED_READ);
        grantOf(elsewhere, notices ? Duration.ofMillis(10) : LONG);
        grantOf(sameProcess, A_WHILE);
    }

    @Test
    void sharedSlotBecomesWeakerWhenTheLastThatNeedsMoreHasLeft() {
        List<Grant> together = grantedTogether(0, PROTECTED_READ);
        Grant first = together.get(0);
        Grant second = together.get(1);
        assertThat(rows()).as("rows").isEqualTo(1);
        converted(first, CONCURRENT_READ);
        Attempt writer = acquire(1, CONCURRENT_WRITE);
        assertThat(isGranted(writer)).as("while the second one reads").isFalse();
        second.release();
        grantOf(writer, LONG);
        assertThat(first.isValid()).isTrue();
    }

    /** Rule 8: A holds CR and B holds PR; T wants CW and waits for B; A wants PR and waits for T; B wants EX and waits for A. */
    @Test
    void requestThatHoldsNothingGivesWayToConversions() {
        Grant a = granted(0, CONCURRENT_READ);
        Grant b = granted(1, PROTECTED_READ);
        Attempt t = acquire(2, CONCURRENT_WRITE);
        Attempt exclusive = convert(b, EXCLUSIVE);
        Attempt read = convert(a, PROTECTED_READ);
        grantOf(read, LONG);
        assertThat(isGranted(exclusive) || isGranted(t)).isFalse();
        a.release();
        grantOf(exclusive, LONG);
        b.release();
        grantOf(t, LONG);
    }

    /** A and B share PR; A goes down to NL, so that its conversion up ignores nothing, but the slot stays PR. */
    @Test
    void requestGivesWayAlsoIfSeveralHandlesConvertOneSlot() {
        List<Grant> together = grantedTogether(0, PROTECTED_READ);
        Grant a = together.get(0);
        Grant b = together.get(1);
        converted(a, NULL);
        Attempt w = acquire(1, EXCLUSIVE);
        Attempt first = convert(a, PROTECTED_READ);
        Attempt second = convert(b, PROTECTED_WRITE);
        grantOf(first, LONG);
        a.release();
        grantOf(second, LONG);
        b.release();
        grantOf(w, LONG);
    }

    /**
     * A and B share a slot in PR; A needs CR only. A wants CW and waits for B, T wants PR and waits for A, B wants CW and waits for T.
     */
    @Test
    void requestGivesWayAlsoIfOneHandleOfAProcessWaitsForAnotherOne() {
        List<Grant> together = grantedTogether(0, PROTECTED_READ);
        Grant a = together.get(0);
        Grant b = together.get(1);
        converted(a, CONCURRENT_READ);
        Attempt first = convert(a, CONCURRENT_WRITE);
        Attempt t = acquire(1, PROTECTED_READ);
        Attempt second = convert(b, CONCURRENT_WRITE);
        grantOf(second, LONG);
        grantOf(first, LONG);
        assertThat(isGranted(t)).isFalse();
        a.release();
        b.release();
        grantOf(t, LONG);
    }

    @Test
    void conversionThatIsGivenUpLeavesAllElseAsItWas() {
        Grant grant = granted(0, PROTECTED_READ);
        Grant other = granted(1, PROTECTED_READ);
        Attempt conversion = convert(grant, EXCLUSIVE);
        conversion.giveUp();
        world.time().run(A_WHILE);
        assertThat(conversion.getOutcome().toCompletableFuture()).isCompletedExceptionally();
        assertThat(grant.isValid()).isTrue();
        Grant third = granted(2, PROTECTED_READ);
        other.release();
        third.release();
        converted(grant, EXCLUSIVE);
    }

    @Test
    void tryIsRefusedAtOnceIfOthersHoldTheLockAndLeavesItAsItWas() {
        List<Grant> together = grantedTogether(0, PROTECTED_READ);
        Grant grant = together.get(0);
        Grant sharing = together.get(1);
        assertThat(tried(grant, EXCLUSIVE)).as("while a thread shares the slot").isFalse();
        sharing.release();
        Grant other = granted(1, PROTECTED_READ);
        assertThat(tried(grant, EXCLUSIVE)).as("while another process reads").isFalse();
        other.release();
        world.time().run(A_WHILE);
        assertThat(tried(grant, EXCLUSIVE)).as("when nobody else reads").isTrue();
        assertThat(tried(grant, NULL)).as("down").isTrue();
    }

    private boolean tried(Grant grant, LockMode mode) {
        Attempt attempt = grant.tryConvert(mode);
        world.time().runUntil(attempt.getOutcome().toCompletableFuture()::isDone, A_WHILE);
        return attempt.getOutcome().toCompletableFuture().join().isPresent();
    }

    @Test
    void handleThatIsConvertedToAndFroHasAtMostSixSlots() {
        Grant grant = granted(0, CONCURRENT_WRITE);
        int conversions = 0;
        Attempt next = convert(grant, PROTECTED_READ);
        while (isGranted(next) && conversions < 20) {
            conversions++;
            next = convert(grant, conversions % 2 == 0 ? PROTECTED_READ : CONCURRENT_WRITE);
        }
        assertThat(rows()).as("rows").isLessThanOrEqualTo(HandleRows.MOST);
        if (conversions < 20) {
            assertThatThrownBy(next.getOutcome().toCompletableFuture()::join)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("6 slots");
        }
        assertThat(grant.isValid()).isTrue();
        grant.release();
        world.time().run(A_WHILE);
        assertThat(rows()).as("rows that are left").isZero();
    }

    @Test
    void handleThatWasReleasedIsNotConverted() {
        Grant grant = granted(0, PROTECTED_READ);
        grant.release();
        Attempt conversion = convert(grant, EXCLUSIVE);
        assertThatThrownBy(conversion.getOutcome().toCompletableFuture()::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("its handle was closed");
    }

    @Test
    void releaseEndsAConversion() {
        Grant grant = granted(0, PROTECTED_READ);
        Grant other = granted(1, PROTECTED_READ);
        Attempt conversion = convert(grant, EXCLUSIVE);
        grant.release();
        world.time().run(A_WHILE);
        assertThat(conversion.getOutcome().toCompletableFuture()).isCompletedExceptionally();
        other.release();
        world.time().run(A_WHILE);
        assertThat(rows()).as("rows that are left").isZero();
    }

    /** The handle is over before its conversion has the lock, and the task that says so comes later. */
    @Test
    void slotOfAConversionWhoseHandleIsOverMeanwhileIsGivenUp() {
        Grant grant = granted(0, PROTECTED_READ);
        Grant other = granted(1, PROTECTED_READ);
        Attempt conversion = convert(grant, EXCLUSIVE);
        grant.abandon(new LockLoss(LockLoss.Reason.OTHER, "the test says so"));
        other.release();
        world.time().run(LONG);
        assertThat(conversion.getOutcome().toCompletableFuture()).isCompletedExceptionally();
        assertThat(rows()).as("the handle's own row").isEqualTo(1);
        grant.release();
        world.time().run(A_WHILE);
        assertThat(rows()).as("rows that are left").isZero();
    }

    @Test
    void secondConversionOfAHandleIsRefusedWhileTheFirstOneWaits() {
        Grant grant = granted(0, PROTECTED_READ);
        granted(1, PROTECTED_READ);
        convert(grant, EXCLUSIVE);
        Attempt second = convert(grant, PROTECTED_WRITE);
        assertThatThrownBy(second.getOutcome().toCompletableFuture()::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another conversion of the same handle is under way");
    }

    @Test
    void holderIsToldThatAConversionWaitsForItAndNotOfItsOwn() {
        List<Grant> together = grantedTogether(0, PROTECTED_READ);
        Grant first = together.get(0);
        Grant second = together.get(1);
        var toldFirst = first.watchContention().toCompletableFuture();
        var toldSecond = second.watchContention().toCompletableFuture();
        world.time().run(A_WHILE);
        convert(first, EXCLUSIVE);
        assertThat(toldSecond).isCompleted();
        world.time().run(LONG);
        assertThat(toldFirst).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void holderThatHasMadeRoomIsToldOfThoseThatWaitFromThenOn(boolean notices) {
        world = notices ? TicketWorld.quietWithNotices(1, 4) : TicketWorld.quiet(1, 4);
        for (int member : List.of(0, 1)) {
            Grant grant = granted(0, EXCLUSIVE);
            var told = grant.watchContention().toCompletableFuture();
            Attempt reader = acquire(member, PROTECTED_READ);
            world.time().run(LONG);
            assertThat(told).as("told of the reader").isCompleted();
            converted(grant, PROTECTED_READ);
            Grant read = grantOf(reader, A_WHILE);
            var toldAgain = grant.watchContention().toCompletableFuture();
            world.time().run(LONG);
            assertThat(toldAgain).as("told again, while nobody waits").isNotDone();
            Attempt writer = acquire(member, EXCLUSIVE);
            world.time().run(LONG);
            assertThat(toldAgain).as("told of the writer").isCompleted();
            read.release();
            grant.release();
            grantOf(writer, LONG).release();
            world.time().run(A_WHILE);
        }
    }

    /** The writer does not get the lock by the conversion, and says so again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void holderThatHasMadeRoomForReadersIsToldOfTheWriterThatWaitsStill(boolean notices) {
        world = notices ? TicketWorld.quietWithNotices(1, 4) : TicketWorld.quiet(1, 4);
        Grant grant = granted(0, EXCLUSIVE);
        Attempt writer = acquire(1, EXCLUSIVE);
        converted(grant, PROTECTED_READ);
        var told = grant.watchContention().toCompletableFuture();
        world.time().run(LONG);
        assertThat(told).isCompleted();
        assertThat(isGranted(writer)).isFalse();
    }
}
