package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.simulation.TicketMember;
import io.github.cassandralock.internal.simulation.TicketWorld;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who gets a permit, who waits, and what it costs, step by step in a simulated world without faults (lock modes, section 8). Costs
 * nothing. Catches rules whose faults cost time only, which the schedules do not find.
 */
class PermitsTest {

    private static final Duration A_WHILE = Duration.ofMillis(300);

    private final TicketWorld world = TicketWorld.quiet(1, 4);
    private final TicketMember one = world.members().get(0);
    private final TicketMember two = world.members().get(1);
    private final TicketMember three = world.members().get(2);
    private final TicketMember four = world.members().get(3);

    private Grant grantOf(Attempt attempt) {
        world.time().runUntil(attempt.getOutcome().toCompletableFuture()::isDone, A_WHILE);
        assertThat(isGranted(attempt)).as("granted within a while").isTrue();
        return grant(attempt);
    }

    private static Grant grant(Attempt attempt) {
        return attempt.getOutcome().toCompletableFuture().join().orElseThrow();
    }

    private static boolean isGranted(Attempt attempt) {
        return attempt.getOutcome()
                .toCompletableFuture()
                .getNow(Optional.empty())
                .isPresent();
    }

    private Grant permit(TicketMember member, int permits) {
        return grantOf(world.acquirePermit(member, permits));
    }

    @Test
    void asManyHoldTheLockAsThereArePermitsAndTheNextOneWaits() {
        Grant first = permit(one, 3);
        permit(two, 3);
        permit(three, 3);
        Attempt next = world.acquirePermit(four, 3);
        world.time().run(A_WHILE);
        assertThat(isGranted(next)).isFalse();
        first.release();
        grantOf(next);
    }

    @Test
    void threadsOfOneProcessHoldAsManyPermitsAsThereAre() {
        List<Grant> held = new ArrayList<>();
        for (int thread = 0; thread < 3; thread++) {
            held.add(permit(one, 3));
        }
        Attempt next = world.acquirePermit(one, 3);
        world.time().run(Duration.ofMillis(1));
        assertThat(isGranted(next)).isFalse();
        long before = world.slots().operations();
        held.get(2).release();
        world.time().run(Duration.ZERO);
        assertThat(isGranted(next)).as("handed over at once").isTrue();
        assertThat(world.slots().operations() - before)
                .as("operations of the hand-over")
                .isZero();
        Attempt elsewhere = world.acquirePermit(two, 3);
        world.time().run(A_WHILE);
        assertThat(isGranted(elsewhere)).isFalse();
        held.get(0).release();
        grantOf(elsewhere);
    }

    @Test
    void permitCostsWhatALockWithoutPermitsCosts() {
        permit(one, 3).release();
        world.time().run(A_WHILE);
        assertThat(operationsOf(() -> permit(two, 3).release()))
                .isEqualTo(operationsOf(() -> grantOf(world.acquire(three)).release()));
    }

    private long operationsOf(Runnable use) {
        long before = world.slots().operations();
        use.run();
        world.time().run(A_WHILE);
        return world.slots().operations() - before;
    }

    @Test
    void permitBesideOthersNeedsNoTicket() {
        permit(one, 3);
        world.time().run(A_WHILE);
        long before = world.slots().operations();
        permit(two, 3);
        assertThat(world.slots().operations() - before).as("W1 and R1").isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestWithoutPermitsIsAlone(boolean sameProcess) {
        Grant held = permit(one, 3);
        Grant beside = permit(two, 3);
        TicketMember asks = sameProcess ? one : three;
        Attempt alone = world.acquire(asks);
        world.time().run(A_WHILE);
        Attempt later = world.acquirePermit(four, 3);
        world.time().run(A_WHILE);
        held.release();
        world.time().run(A_WHILE);
        assertThat(isGranted(alone) || isGranted(later)).as("beside a permit").isFalse();
        beside.release();
        Grant lone = grantOf(alone);
        world.time().run(A_WHILE);
        assertThat(isGranted(later)).isFalse();
        lone.release();
        grantOf(later);
    }

    @Test
    void readersAndPermitsDoNotShareTheLock() {
        Grant reader = grantOf(world.acquire(one, LockMode.PROTECTED_READ));
        Attempt permit = world.acquirePermit(two, 3);
        world.time().run(A_WHILE);
        assertThat(isGranted(permit)).isFalse();
        reader.release();
        grantOf(permit);
        Attempt next = world.acquire(three, LockMode.PROTECTED_READ);
        world.time().run(A_WHILE);
        assertThat(isGranted(next)).isFalse();
    }

    @Test
    void smallestNumberThatARequestSeesCounts() {
        permit(one, 2);
        permit(two, 4);
        Attempt third = world.acquirePermit(three, 4);
        world.time().run(A_WHILE);
        assertThat(isGranted(third)).as("beside one that has two permits").isFalse();
    }

    @Test
    void laterRequestWithoutPermitsKeepsNoPermitFromThoseBeforeIt() {
        Grant first = permit(one, 2);
        permit(two, 2);
        Attempt next = world.acquirePermit(three, 2);
        world.time().run(A_WHILE);
        world.acquire(four);
        world.time().run(A_WHILE);
        first.release();
        grantOf(next);
    }

    @Test
    void requestThatTriesTakesAFreePermitAndIsRefusedOtherwise() {
        permit(one, 2);
        Attempt second = world.tryAcquirePermit(two, 2);
        grantOf(second);
        for (TicketMember member : List.of(one, three)) {
            Attempt refused = world.tryAcquirePermit(member, 2);
            world.time().run(A_WHILE);
            assertThat(refused.getOutcome().toCompletableFuture()).isCompletedWithValue(Optional.empty());
        }
    }

    @Test
    void threadsOfOneProcessThatTryAtOnceGetAllPermits() {
        List<Attempt> tries =
                Stream.generate(() -> world.tryAcquirePermit(one, 3)).limit(5).toList();
        world.time().run(A_WHILE);
        assertThat(tries).filteredOn(PermitsTest::isGranted).hasSize(3);
        assertThat(tries)
                .allMatch(attempt -> attempt.getOutcome().toCompletableFuture().isDone());
    }

    @Test
    void requestThatTriesDoesNotWaitForAnEarlierOneThatCannotBegin() {
        world.cutOffFromSlots(one, Duration.ofSeconds(20));
        Attempt waits = world.acquirePermit(one, 3);
        Attempt tries = world.tryAcquirePermit(one, 3);
        waits.giveUp();
        world.time().run(Duration.ofSeconds(3));
        assertThat(tries.getOutcome().toCompletableFuture()).isDone();
    }

    @Test
    void waiterIsToldByWhicheverHolderLeaves() {
        for (int leaves = 0; leaves < 3; leaves++) {
            TicketWorld telling = TicketWorld.quietWithNotices(leaves, 5);
            Attempt before = telling.acquire(telling.members().get(4));
            telling.time().run(A_WHILE);
            List<Attempt> holders = telling.members().subList(0, 3).stream()
                    .map(member -> telling.acquirePermit(member, 3))
                    .toList();
            telling.time().run(A_WHILE);
            grant(before).release();
            telling.time().run(Duration.ofSeconds(2));
            Attempt next = telling.acquirePermit(telling.members().get(3), 3);
            telling.time().run(Duration.ofSeconds(2));
            long operations = telling.slots().operations();
            grant(holders.get(leaves)).release();
            telling.time().runUntil(next.getOutcome().toCompletableFuture()::isDone, Duration.ofMillis(5));
            assertThat(isGranted(next)).as("granted by a notice").isTrue();
            assertThat(telling.slots().operations() - operations)
                    .as("operations: the release, and no read")
                    .isLessThanOrEqualTo(1);
        }
    }
}
