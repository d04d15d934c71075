package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.simulation.FleetWorld;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Locks are lost after the longest time of their requests, with every algorithm, in simulated time. Two processes use one lock.
 * Costs a second; it fails if a lock outlives its time, if its loss is not reported, or if a lock that ended sooner is lost.
 */
class HoldAtMostTest {

    private static final Duration MOST = Duration.ofSeconds(7);
    private static final Duration SOON = Duration.ofMillis(500);
    private static final LockRequest BOUNDED = LockRequest.of(FleetWorld.LOCK).holdAtMost(MOST);

    @ParameterizedTest
    @EnumSource
    void lockIsLostAndFreeWhenItsLongestTimeHasPassed(HoldWorld.Algorithm algorithm) {
        HoldWorld world = new HoldWorld(algorithm, BOUNDED);
        world.runUntil(MOST.minus(SOON));
        assertThat(world.lock.isHeld()).as("held before").isTrue();
        assertThat(world.isFreeFor(1)).as("free before").isFalse();
        assertThat(world.grantedToTheOther()).as("granted").isBetween(MOST, MOST.plus(SOON));
        assertThat(world.lock.isHeld()).as("held after").isFalse();
        assertThat(world.losses).singleElement().asString().contains("longest time (holdAtMost) of 7 s");
        assertThatThrownBy(world.lock::ensureHeld)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.getReason()).isEqualTo(LockLoss.Reason.HELD_AT_MOST))
                .hasMessageContaining("holdAtMost");
    }

    @ParameterizedTest
    @EnumSource
    void clockEndsTheHoldEvenIfTheTimerIsLate(HoldWorld.Algorithm algorithm) {
        HoldWorld world = new HoldWorld(algorithm, BOUNDED.holdAtMost(SOON));
        world.fleet.members().get(0).process().pauseFor(SOON.multipliedBy(3));
        world.runUntil(SOON.multipliedBy(2));
        assertThat(world.losses).as("losses that a timer reported").isEmpty();
        assertThat(world.lock.isHeld()).isFalse();
        assertThatThrownBy(world.lock::ensureHeld).hasMessageContaining("holdAtMost");
        world.lock.holdAtMost(MOST);
        assertThat(world.lock.isHeld()).as("held again").isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void lockThatIsClosedSoonerIsNotLost(HoldWorld.Algorithm algorithm) {
        HoldWorld world = new HoldWorld(algorithm, BOUNDED);
        world.lock.closeAsync();
        world.run(SOON);
        assertThat(world.isFreeFor(1)).as("free").isTrue();
        world.runUntil(MOST.plus(SOON));
        assertThat(world.losses).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void laterBoundReplacesTheOneBefore(HoldWorld.Algorithm algorithm) {
        HoldWorld world = new HoldWorld(algorithm, BOUNDED);
        world.runUntil(MOST.minus(SOON));
        world.lock.holdAtMost(MOST);
        world.runUntil(MOST.plus(MOST).minus(SOON).minus(SOON));
        assertThat(world.lock.isHeld()).as("held before the new end").isTrue();
        world.run(SOON.multipliedBy(2));
        assertThat(world.lock.isHeld()).as("held after the new end").isFalse();
        assertThat(world.losses).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void minimumTimeOfEqualLengthEndsWithIt(HoldWorld.Algorithm algorithm) {
        HoldWorld world = new HoldWorld(algorithm, BOUNDED.holdAtLeast(MOST));
        assertThat(world.grantedToTheOther()).as("granted").isBetween(MOST, MOST.plus(SOON));
        assertThat(world.losses).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void lockThatIsLostSoonerStaysTakenForItsMinimumTime(HoldWorld.Algorithm algorithm) {
        HoldWorld world = new HoldWorld(algorithm, BOUNDED.holdAtLeast(MOST));
        world.lock.holdAtMost(SOON);
        world.runUntil(SOON.multipliedBy(2));
        assertThat(world.lock.isHeld()).as("held").isFalse();
        assertThat(world.losses).hasSize(1);
        assertThat(world.isFreeFor(1)).as("free").isFalse();
        assertThat(world.grantedToTheOther()).as("granted").isBetween(MOST, MOST.plus(SOON.multipliedBy(2)));
    }

    @ParameterizedTest
    @EnumSource
    void timeOfAGroupBeginsWithItsLastLock(HoldWorld.Algorithm algorithm) {
        HoldWorld world = new HoldWorld(algorithm, LockRequest.of(FleetWorld.LOCK));
        MultiLockRequest both =
                MultiLockRequest.of(List.of("a lock before", FleetWorld.LOCK)).holdAtMost(MOST);
        CompletableFuture<RemoteLocks> call = world.lockers.get(0).getLocksAsync(both);
        world.runUntil(MOST.multipliedBy(2));
        assertThat(call).as("a call that waits for longer than that").isNotDone();
        world.lock.closeAsync();
        world.run(SOON);
        RemoteLocks locks = call.join();
        world.run(MOST.minus(SOON).minus(SOON));
        assertThat(locks.isHeld()).as("held before").isTrue();
        world.run(SOON.multipliedBy(2));
        assertThat(locks.isHeld()).as("held after").isFalse();
    }
}
