package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.simulation.FleetWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Locks stay taken for the minimum time of their requests, with every algorithm, in simulated time. Two processes use one lock.
 * Costs a second; it fails if another process or thread gets a lock before its time has passed, while the application runs or
 * after it has ended, or if the lock does not become free afterwards.
 */
class HoldAtLeastTest {

    /** Longer than the lease, which is {@link FleetWorld#LEASE}. */
    private static final Duration SHORT = Duration.ofSeconds(7);

    /** Longer than the end of a locker waits. */
    private static final Duration LONG = Duration.ofSeconds(40);

    private static final Duration SOON = Duration.ofMillis(500);

    /** A process that ended with a lock is watched for the rest of the time, by a clock that may be slower. */
    private static final Duration AFTER_ITS_END = LONG.plus(FleetWorld.LEASE.multipliedBy(2));

    private static HoldWorld world(HoldWorld.Algorithm algorithm, Duration atLeast) {
        return new HoldWorld(algorithm, LockRequest.of(FleetWorld.LOCK).holdAtLeast(atLeast));
    }

    @ParameterizedTest
    @EnumSource
    void lockThatIsClosedSoonerStaysTakenForOthersAndIsFreeAfterwards(HoldWorld.Algorithm algorithm) {
        HoldWorld world = world(algorithm, SHORT);
        CompletableFuture<Void> closed = world.lock.closeAsync().toCompletableFuture();
        world.run(Duration.ofMillis(1));
        assertThat(closed).as("the close").isCompleted();
        assertThat(world.lock.isHeld()).as("the closed lock is held").isFalse();
        world.runUntil(SHORT.minus(SOON));
        assertThat(world.isFreeFor(0)).as("free for the same process").isFalse();
        assertThat(world.isFreeFor(1)).as("free for another process").isFalse();
        world.runUntil(SHORT.plus(SOON));
        assertThat(world.isFreeFor(1)).as("free afterwards").isTrue();
        assertThat(world.losses).as("what the holder was told").isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void waitersOfBothProcessesGetItWhenTheTimeHasPassed(HoldWorld.Algorithm algorithm) {
        HoldWorld world = world(algorithm, SHORT);
        List<Duration> grants = new ArrayList<>();
        for (SimulatedLocker locker : world.lockers) {
            locker.getLockAsync(LockRequest.of(FleetWorld.LOCK)).thenAccept(granted -> {
                grants.add(world.sinceTheGrant());
                granted.closeAsync();
            });
        }
        world.lock.closeAsync();
        world.runUntil(SHORT.plus(SOON).plus(SOON));
        assertThat(grants)
                .as("when they got it")
                .hasSize(2)
                .allSatisfy(at -> assertThat(at).isGreaterThanOrEqualTo(SHORT));
    }

    @ParameterizedTest
    @EnumSource
    void lockThatIsClosedLaterIsFreeAtOnce(HoldWorld.Algorithm algorithm) {
        HoldWorld world = world(algorithm, SHORT);
        world.runUntil(SHORT.plus(SOON));
        world.lock.closeAsync();
        world.run(SOON);
        assertThat(world.isFreeFor(1)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void lockOfACallThatWasCancelledNeedNotStayTaken(HoldWorld.Algorithm algorithm) {
        HoldWorld world = world(algorithm, Duration.ZERO);
        CompletableFuture<RemoteLock> cancelled = world.lockers
                .get(0)
                .getLockAsync(LockRequest.of(FleetWorld.LOCK).holdAtLeast(LONG));
        cancelled.thenAccept(lock -> {
            throw new AssertionError("granted");
        });
        world.lock.closeAsync();
        cancelled.cancel(false);
        world.run(SOON);
        assertThat(world.isFreeFor(1)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void endOfTheApplicationWaitsForTheRest(HoldWorld.Algorithm algorithm) {
        HoldWorld world = world(algorithm, SHORT);
        world.lock.closeAsync();
        assertThat(world.timeToClose()).as("the end").isBetween(SHORT.minus(SOON), SHORT.plus(SOON));
        assertThat(world.grantedToTheOther()).as("granted").isBetween(SHORT, SHORT.plus(SOON));
    }

    @ParameterizedTest
    @EnumSource
    void jobThatRunsWhenTheApplicationEndsIsToldAndItsLockStaysTaken(HoldWorld.Algorithm algorithm) {
        HoldWorld world = world(algorithm, SHORT);
        assertThat(world.timeToClose()).as("the end").isBetween(SHORT.minus(SOON), SHORT.plus(SOON));
        assertThat(world.lock.isHeld()).as("held after the end").isFalse();
        assertThat(world.losses).as("what the holder was told").hasSize(1);
        assertThat(world.grantedToTheOther()).as("granted").isBetween(SHORT, SHORT.plus(SOON));
    }

    @ParameterizedTest
    @EnumSource
    void lockThatStaysTakenForMuchLongerIsLeftBehindAndFreesItself(HoldWorld.Algorithm algorithm) {
        HoldWorld world = world(algorithm, LONG);
        assertThat(world.isFreeFor(1)).as("free for another process").isFalse();
        world.runUntil(SHORT);
        world.lock.closeAsync();
        assertThat(world.timeToClose()).as("the end").isLessThan(SOON);
        assertThat(world.grantedToTheOther()).as("granted").isBetween(LONG, AFTER_ITS_END);
    }

    @ParameterizedTest
    @EnumSource
    void waiterThatWatchesTheProcessForLongIsKeptOutAfterItsEnd(HoldWorld.Algorithm algorithm) {
        HoldWorld world = world(algorithm, LONG);
        world.lock.closeAsync();
        world.fleet.time().at(SHORT, () -> world.lockers.get(0).closeAsync());
        assertThat(world.grantedToTheOther()).as("granted").isBetween(LONG, AFTER_ITS_END);
    }

    @ParameterizedTest
    @EnumSource
    void lostLeaseEndsTheTimeAndIsNotReportedToTheHolderThatClosedTheLock(HoldWorld.Algorithm algorithm) {
        HoldWorld world = world(algorithm, LONG);
        world.lock.closeAsync();
        world.fleet.closeCells(world.fleet.members().get(0), LONG);
        world.fleet.closeSessions(world.fleet.members().get(0), LONG);
        assertThat(world.grantedToTheOther()).as("granted").isLessThan(FleetWorld.LEASE.multipliedBy(3));
        assertThat(world.losses).as("what the holder was told").isEmpty();
    }
}
