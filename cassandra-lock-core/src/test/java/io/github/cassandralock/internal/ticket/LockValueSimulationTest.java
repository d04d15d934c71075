package io.github.cassandralock.internal.ticket;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.internal.period.StoredPeriod;
import io.github.cassandralock.internal.simulation.TicketMember;
import io.github.cassandralock.internal.simulation.TicketWorld;
import io.github.cassandralock.internal.store.UnusableValueException;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rules of the lock's value (lock modes, section 6) whose faults the schedules do not find, step by step in a simulated world. Costs
 * nothing.
 */
class LockValueSimulationTest {

    /** The handle repeats the request for a lease after the first one has failed. */
    private static final Duration UNTIL_GIVEN_UP = Duration.ofSeconds(20);

    private static final Duration A_WHILE = Duration.ofMillis(300);

    /** In this world, values are numbers. */
    private static final byte[] BYTES = {0, 0, 0, 0, 0, 0, 0, 7};

    private final TicketWorld world = TicketWorld.quiet(1, 2);
    private final TicketMember one = world.members().get(0);
    private final TicketMember other = world.members().get(1);

    private Grant granted(TicketMember member, LockMode mode) {
        CompletableFuture<Optional<Grant>> outcome =
                world.acquire(member, mode).getOutcome().toCompletableFuture();
        world.time().runUntil(outcome::isDone, A_WHILE);
        return outcome.getNow(Optional.empty()).orElseThrow();
    }

    private LockValue seenBy(Grant grant) {
        CompletableFuture<LockValue> value = grant.readValue().toCompletableFuture();
        world.time().runUntil(value::isDone, A_WHILE);
        return value.getNow(LockValue.of(BYTES, true));
    }

    private void release(Grant grant) {
        grant.release();
        world.time().run(A_WHILE);
    }

    /** The opening arrives, and its acknowledgement does not. */
    private Grant holderWhoseOpeningIsNotAcknowledged() {
        Grant grant = granted(one, EXCLUSIVE);
        long before = world.slots().operations();
        CompletableFuture<LockValue> value = grant.readValue().toCompletableFuture();
        world.time().runUntil(() -> world.slots().operations() >= before + 2, A_WHILE);
        world.cutOffFromSlots(one, UNTIL_GIVEN_UP);
        world.time().runUntil(value::isDone, UNTIL_GIVEN_UP);
        assertThat(value).as("the opening").isCompletedExceptionally();
        world.time().run(UNTIL_GIVEN_UP);
        assertThat(grant.isValid()).as("the lock is still held").isTrue();
        return grant;
    }

    @Test
    void changeWhoseOpeningIsNotAcknowledgedIsNotClosed() {
        release(holderWhoseOpeningIsNotAcknowledged());
        assertThat(seenBy(granted(other, PROTECTED_READ)).isDoubtful())
                .as("the opening is there, and nobody has closed it")
                .isTrue();
    }

    @Test
    void nextCallOpensTheChangeAnewAndItsCloseEndsTheDoubtOfTheFirst() {
        Grant grant = holderWhoseOpeningIsNotAcknowledged();
        assertThat(seenBy(grant).isDoubtful()).as("it may be another's").isTrue();
        grant.writeValue(BYTES);
        release(grant);
        assertThat(seenBy(granted(other, PROTECTED_READ))).isEqualTo(LockValue.of(BYTES, false));
    }

    private static <T> CompletableFuture<T> future(CompletionStage<T> stage) {
        return stage.toCompletableFuture();
    }

    @Test
    void valueThatIsStoredAtOnceIsThereBeforeTheReleaseAndOpensNothing() {
        Grant grant = granted(one, EXCLUSIVE);
        CompletableFuture<Void> stored = future(grant.storeValue(BYTES));
        world.time().runUntil(stored::isDone, A_WHILE);
        assertThat(stored).isCompleted();
        one.process().kill();
        CompletableFuture<Optional<Grant>> next =
                future(world.acquire(other, EXCLUSIVE).getOutcome());
        world.time().runUntil(next::isDone, Duration.ofMinutes(1));
        CompletableFuture<LockValue> seen =
                future(next.getNow(Optional.empty()).orElseThrow().readStoredValue());
        world.time().runUntil(seen::isDone, A_WHILE);
        assertThat(seen).isCompletedWithValue(LockValue.of(BYTES, false));
    }

    @Test
    void periodIsNoValueOfTheApplication() {
        Grant grant = granted(one, EXCLUSIVE);
        CompletableFuture<Void> stored =
                future(grant.storeValue(StoredPeriod.of(7).bytes()));
        world.time().runUntil(stored::isDone, A_WHILE);
        CompletableFuture<LockValue> read = future(grant.readValue());
        CompletableFuture<Void> written = future(grant.writeValue(BYTES));
        world.time().run(A_WHILE);
        assertThat(read).isCompletedExceptionally();
        assertThat(written).isCompletedExceptionally();
    }

    private static byte[] period(int number) {
        return StoredPeriod.of(number).bytes();
    }

    private LockValue storedBefore(Grant next) {
        CompletableFuture<LockValue> value = future(next.readStoredValue());
        world.time().runUntil(value::isDone, A_WHILE);
        return value.getNow(LockValue.of(BYTES, true));
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 9})
    void periodsThatAreRecordedAtOnceStayInTheirOrder(int rival) {
        Grant grant = granted(one, EXCLUSIVE);
        CompletableFuture<Void> first = future(grant.storeValue(period(rival)));
        CompletableFuture<Void> second = future(grant.storeValue(period(8)));
        world.time().runUntil(() -> first.isDone() && second.isDone(), Duration.ofSeconds(1));
        assertThat(rival > 8 ? first : second).as("the record of the later one").isCompleted();
        release(grant);
        assertThat(storedBefore(granted(other, EXCLUSIVE))).isEqualTo(LockValue.of(period(Math.max(8, rival)), false));
    }

    @Test
    void earlierPeriodIsRefusedAndTheSameOneIsStoredAgain() {
        Grant grant = granted(one, EXCLUSIVE);
        CompletableFuture<Void> later = future(grant.storeValue(period(8)));
        world.time().runUntil(later::isDone, A_WHILE);
        CompletableFuture<Void> earlier = future(grant.storeValue(period(7)));
        world.time().runUntil(earlier::isDone, A_WHILE);
        assertThat(earlier)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(UnusableValueException.class);
        CompletableFuture<Void> same = future(grant.storeValue(period(8)));
        world.time().runUntil(same::isDone, A_WHILE);
        assertThat(same).isCompleted();
        release(grant);
        assertThat(storedBefore(granted(other, EXCLUSIVE))).isEqualTo(LockValue.of(period(8), false));
    }

    @Test
    void periodDoesNotReplaceAValueThatTheApplicationHasWrittenMeanwhile() {
        Grant grant = granted(one, EXCLUSIVE);
        CompletableFuture<Void> written = future(grant.writeValue(BYTES));
        world.time().runUntil(written::isDone, A_WHILE);
        CompletableFuture<Void> recorded = future(grant.storeValue(period(7)));
        world.time().runUntil(recorded::isDone, A_WHILE);
        assertThat(written).isCompleted();
        assertThat(recorded)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(UnusableValueException.class);
        release(grant);
        assertThat(seenBy(granted(other, PROTECTED_READ))).isEqualTo(LockValue.of(BYTES, false));
    }

    @Test
    void valueIsStoredWhenTheHoldersPartIsOverAlthoughTheLockStaysTaken() {
        Grant grant = granted(one, PROTECTED_WRITE);
        grant.writeValue(BYTES);
        world.time().run(A_WHILE);
        Grant reader = granted(other, CONCURRENT_READ);
        assertThat(seenBy(reader).isDoubtful()).as("while it is being changed").isTrue();
        grant.markFinished();
        world.time().run(A_WHILE);
        assertThat(seenBy(reader)).isEqualTo(LockValue.of(BYTES, false));
        assertThat(grant.isValid()).isTrue();
    }
}
