package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.simulation.FleetWorld;
import io.github.cassandralock.internal.simulation.SimulatedAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    enum Algorithm {
        TICKET(SimulatedAlgorithm.TICKET),
        QUEUE(SimulatedAlgorithm.QUEUE),
        SHADOW(SimulatedAlgorithm.SHADOW),
        MIGRATION(SimulatedAlgorithm.QUEUE.migratingTo(SimulatedAlgorithm.TICKET));

        private final SimulatedAlgorithm simulated;

        Algorithm(SimulatedAlgorithm simulated) {
            this.simulated = simulated;
        }
    }

    /** Two processes, the first of which has taken the lock at the instant zero. */
    private static final class World {

        private final FleetWorld fleet;
        private final List<SimulatedLocker> lockers = new ArrayList<>();
        private final List<String> losses = new ArrayList<>();
        private final long begin;
        private final RemoteLock lock;

        World(Algorithm algorithm, Duration atLeast) {
            fleet = new FleetWorld(4711, false, List.of(algorithm.simulated, algorithm.simulated));
            fleet.members()
                    .forEach(member -> lockers.add(new SimulatedLocker(
                            member.algorithm(), FleetWorld.LEASE, member.process(), Duration.ZERO, grant -> {})));
            run(Duration.ofSeconds(1));
            CompletableFuture<RemoteLock> call =
                    lockers.get(0).getLockAsync(LockRequest.of(FleetWorld.LOCK).holdAtLeast(atLeast));
            fleet.time().runUntil(call::isDone, SOON);
            begin = fleet.time().now();
            lock = call.join();
            lock.onLost(losses::add);
        }

        void run(Duration duration) {
            fleet.time().run(duration);
        }

        void runUntil(Duration sinceTheGrant) {
            run(sinceTheGrant.minus(sinceTheGrant()));
        }

        Duration sinceTheGrant() {
            return Duration.ofNanos(fleet.time().now() - begin);
        }

        boolean isFreeFor(int process) {
            CompletableFuture<Optional<RemoteLock>> call =
                    lockers.get(process).tryGetLockAsync(LockRequest.of(FleetWorld.LOCK));
            fleet.time().runUntil(call::isDone, Duration.ofSeconds(5));
            call.join().ifPresent(RemoteLock::closeAsync);
            return call.join().isPresent();
        }

        /** How long after the first grant another process, which waits from now on, has the lock. */
        Duration grantedToTheOther() {
            CompletableFuture<RemoteLock> call = lockers.get(1).getLockAsync(LockRequest.of(FleetWorld.LOCK));
            fleet.time().runUntil(call::isDone, Duration.ofMinutes(5));
            assertThat(call).as("the call of the other process").isCompleted();
            return sinceTheGrant();
        }

        Duration timeToClose() {
            Duration from = sinceTheGrant();
            CompletableFuture<Void> end = lockers.get(0).closeAsync().toCompletableFuture();
            fleet.time().runUntil(end::isDone, Duration.ofMinutes(5));
            assertThat(end).as("the end of the locker").isCompleted();
            return sinceTheGrant().minus(from);
        }
    }

    @ParameterizedTest
    @EnumSource
    void lockThatIsClosedSoonerStaysTakenForOthersAndIsFreeAfterwards(Algorithm algorithm) {
        World world = new World(algorithm, SHORT);
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
    void waitersOfBothProcessesGetItWhenTheTimeHasPassed(Algorithm algorithm) {
        World world = new World(algorithm, SHORT);
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
    void lockThatIsClosedLaterIsFreeAtOnce(Algorithm algorithm) {
        World world = new World(algorithm, SHORT);
        world.runUntil(SHORT.plus(SOON));
        world.lock.closeAsync();
        world.run(SOON);
        assertThat(world.isFreeFor(1)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void lockOfACallThatWasCancelledNeedNotStayTaken(Algorithm algorithm) {
        World world = new World(algorithm, Duration.ZERO);
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
    void endOfTheApplicationWaitsForTheRest(Algorithm algorithm) {
        World world = new World(algorithm, SHORT);
        world.lock.closeAsync();
        assertThat(world.timeToClose()).as("the end").isBetween(SHORT.minus(SOON), SHORT.plus(SOON));
        assertThat(world.grantedToTheOther()).as("granted").isBetween(SHORT, SHORT.plus(SOON));
    }

    @ParameterizedTest
    @EnumSource
    void jobThatRunsWhenTheApplicationEndsIsToldAndItsLockStaysTaken(Algorithm algorithm) {
        World world = new World(algorithm, SHORT);
        assertThat(world.timeToClose()).as("the end").isBetween(SHORT.minus(SOON), SHORT.plus(SOON));
        assertThat(world.lock.isHeld()).as("held after the end").isFalse();
        assertThat(world.losses).as("what the holder was told").hasSize(1);
        assertThat(world.grantedToTheOther()).as("granted").isBetween(SHORT, SHORT.plus(SOON));
    }

    @ParameterizedTest
    @EnumSource
    void lockThatStaysTakenForMuchLongerIsLeftBehindAndFreesItself(Algorithm algorithm) {
        World world = new World(algorithm, LONG);
        assertThat(world.isFreeFor(1)).as("free for another process").isFalse();
        world.runUntil(SHORT);
        world.lock.closeAsync();
        assertThat(world.timeToClose()).as("the end").isLessThan(SOON);
        assertThat(world.grantedToTheOther()).as("granted").isBetween(LONG, AFTER_ITS_END);
    }

    @ParameterizedTest
    @EnumSource
    void waiterThatWatchesTheProcessForLongIsKeptOutAfterItsEnd(Algorithm algorithm) {
        World world = new World(algorithm, LONG);
        world.lock.closeAsync();
        world.fleet.time().at(SHORT, () -> world.lockers.get(0).closeAsync());
        assertThat(world.grantedToTheOther()).as("granted").isBetween(LONG, AFTER_ITS_END);
    }

    @ParameterizedTest
    @EnumSource
    void lostLeaseEndsTheTimeAndIsNotReportedToTheHolderThatClosedTheLock(Algorithm algorithm) {
        World world = new World(algorithm, LONG);
        world.lock.closeAsync();
        world.fleet.closeCells(world.fleet.members().get(0), LONG);
        world.fleet.closeSessions(world.fleet.members().get(0), LONG);
        assertThat(world.grantedToTheOther()).as("granted").isLessThan(FleetWorld.LEASE.multipliedBy(3));
        assertThat(world.losses).as("what the holder was told").isEmpty();
    }
}
