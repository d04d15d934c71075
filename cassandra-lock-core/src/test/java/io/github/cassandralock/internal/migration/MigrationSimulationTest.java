package io.github.cassandralock.internal.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.internal.simulation.FleetWorld;
import io.github.cassandralock.internal.simulation.LockSimulation;
import io.github.cassandralock.internal.simulation.SimulatedAlgorithm;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Processes during both phases of a migration: first some use the old algorithm and some migrate, then some migrate and some
 * use the new algorithm.
 */
class MigrationSimulationTest extends LockSimulation {

    private static final List<SimulatedAlgorithm> ALL = List.of(
            SimulatedAlgorithm.SHADOW,
            SimulatedAlgorithm.QUEUE,
            SimulatedAlgorithm.TICKET,
            SimulatedAlgorithm.MAJORITY);
    private static final Duration LONGER_THAN_A_LEASE = FleetWorld.LEASE.multipliedBy(3);

    /** The seed decides on the two algorithms and on the phase. */
    @Override
    protected List<SimulatedAlgorithm> fleet(long seed, int processes) {
        int pair = (int) (seed / 2 % 12);
        SimulatedAlgorithm from = ALL.get(pair % 4);
        SimulatedAlgorithm to = ALL.get((pair % 4 + 1 + pair / 4) % 4);
        SimulatedAlgorithm settled = seed % 2 == 0 ? from : to;
        List<SimulatedAlgorithm> fleet = new ArrayList<>();
        for (int process = 0; process < processes; process++) {
            fleet.add(process % 2 == 0 ? settled : from.migratingTo(to));
        }
        return fleet;
    }

    /** A process with each of the two algorithms alone, and one that migrates between them. */
    private record Trio(FleetWorld world, FleetWorld.Member old, FleetWorld.Member migrating, FleetWorld.Member young) {

        static Trio of(long seed, SimulatedAlgorithm from, SimulatedAlgorithm to) {
            FleetWorld world = new FleetWorld(seed, false, List.of(from, from.migratingTo(to), to));
            return new Trio(
                    world,
                    world.members().get(0),
                    world.members().get(1),
                    world.members().get(2));
        }

        Grant granted(FleetWorld.Member member) {
            CompletableFuture<Optional<Grant>> outcome =
                    world.acquire(member).getOutcome().toCompletableFuture();
            world.time().runUntil(outcome::isDone, Duration.ofMinutes(1));
            assertThat(outcome).as("the lock for process %d", member.number()).isDone();
            return outcome.join().orElseThrow();
        }

        void assertBothHalvesAreFree() {
            assertThat(tried(old)).as("the old half").isPresent();
            assertThat(tried(young)).as("the new half").isPresent();
        }

        Optional<Grant> tried(FleetWorld.Member member) {
            CompletableFuture<Optional<Grant>> outcome = member.algorithm()
                    .acquire(AcquireRequest.tries(
                            FleetWorld.LOCK,
                            "tries-" + member.number() + "-" + world.time().now()))
                    .getOutcome()
                    .toCompletableFuture();
            world.time().runUntil(outcome::isDone, Duration.ofMinutes(1));
            return outcome.join();
        }

        void run(Duration duration) {
            world.time().run(duration);
        }
    }

    @Test
    void holderExcludesProcessesWithEitherAlgorithmUntilItReleases() {
        Trio trio = Trio.of(1, SimulatedAlgorithm.SHADOW, SimulatedAlgorithm.TICKET);
        Grant both = trio.granted(trio.migrating());
        trio.run(LONGER_THAN_A_LEASE);
        assertThat(trio.tried(trio.old())).as("the old half while it is held").isEmpty();
        assertThat(trio.tried(trio.young())).as("the new half while it is held").isEmpty();
        assertThat(both.isValid()).as("held").isTrue();
        both.release();
        trio.run(Duration.ofSeconds(1));
        trio.assertBothHalvesAreFree();
    }

    @Test
    void softAttemptIsRefusedIfEitherHalfIsTakenAndKeepsNeither() {
        Trio trio = Trio.of(2, SimulatedAlgorithm.QUEUE, SimulatedAlgorithm.TICKET);
        Grant old = trio.granted(trio.old());
        assertThat(trio.tried(trio.migrating()))
                .as("while the old half is held")
                .isEmpty();
        Optional<Grant> young = trio.tried(trio.young());
        assertThat(young).as("the new half, which was given back").isPresent();
        old.release();
        trio.run(Duration.ofSeconds(1));
        assertThat(trio.tried(trio.migrating()))
                .as("while the new half is held")
                .isEmpty();
        young.orElseThrow().release();
        trio.run(Duration.ofSeconds(1));
        trio.assertBothHalvesAreFree();
    }

    @Test
    void attemptThatGivesUpWhileTheOldHalfIsTakenReleasesTheNewOne() {
        Trio trio = Trio.of(3, SimulatedAlgorithm.SHADOW, SimulatedAlgorithm.TICKET);
        trio.granted(trio.old());
        Attempt waiting = trio.world().acquire(trio.migrating());
        trio.run(Duration.ofSeconds(3));
        assertThat(trio.tried(trio.young())).as("the new half while it is held").isEmpty();
        waiting.giveUp();
        trio.run(Duration.ofSeconds(1));
        assertThat(waiting.getOutcome().toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(CancellationException.class);
        assertThat(trio.tried(trio.young())).as("the new half").isPresent();
    }

    @Test
    void failureOfTheOldHalfFailsTheAttemptAndReleasesTheNewOne() {
        Trio trio = Trio.of(4, SimulatedAlgorithm.QUEUE, SimulatedAlgorithm.TICKET);
        trio.granted(trio.migrating()).release();
        trio.run(Duration.ofSeconds(1));
        trio.world().closeCells(trio.migrating(), LONGER_THAN_A_LEASE);
        CompletableFuture<Optional<Grant>> outcome =
                trio.world().acquire(trio.migrating()).getOutcome().toCompletableFuture();
        trio.run(LONGER_THAN_A_LEASE.plusSeconds(5));
        assertThat(outcome).as("the attempt without the old half").isCompletedExceptionally();
        trio.assertBothHalvesAreFree();
    }

    @Test
    void lockIsLostWithItsOldHalfAndItsReleaseStillFreesTheNewOne() {
        Trio trio = Trio.of(5, SimulatedAlgorithm.QUEUE, SimulatedAlgorithm.TICKET);
        Grant both = trio.granted(trio.migrating());
        trio.world().closeCells(trio.migrating(), LONGER_THAN_A_LEASE);
        trio.run(LONGER_THAN_A_LEASE);
        assertThat(trio.tried(trio.young()))
                .as("the new half before its holder lets go")
                .isEmpty();
        assertLostAndLetGo(trio, both);
        trio.assertBothHalvesAreFree();
    }

    /** Processes that wait for the lost session evict its slot. */
    @Test
    void lockIsLostWithItsNewHalfAndItsReleaseStillFreesTheOldOne() {
        Trio trio = Trio.of(6, SimulatedAlgorithm.QUEUE, SimulatedAlgorithm.TICKET);
        Grant both = trio.granted(trio.migrating());
        trio.world().closeSessions(trio.migrating(), LONGER_THAN_A_LEASE);
        trio.run(LONGER_THAN_A_LEASE);
        assertThat(trio.tried(trio.old()))
                .as("the old half before its holder lets go")
                .isEmpty();
        assertLostAndLetGo(trio, both);
        assertThat(trio.tried(trio.old())).as("the old half").isPresent();
        assertThat(trio.granted(trio.young()).isValid()).as("the new half").isTrue();
    }

    private static void assertLostAndLetGo(Trio trio, Grant both) {
        assertThat(both.isValid()).as("held").isFalse();
        assertThat(both.getLoss().toCompletableFuture())
                .as("the report that it is lost")
                .isCompleted();
        CompletableFuture<Void> released = both.release().toCompletableFuture();
        trio.run(Duration.ofSeconds(2));
        assertThat(released).as("the release").isCompleted();
    }

    @Test
    void waiterThatLosesTheNewHalfBeginsAgainAndGetsTheLock() {
        Trio trio = Trio.of(7, SimulatedAlgorithm.QUEUE, SimulatedAlgorithm.TICKET);
        Grant old = trio.granted(trio.old());
        Attempt waiting = trio.world().acquire(trio.migrating());
        trio.run(Duration.ofSeconds(1));
        trio.world()
                .closeSessions(
                        trio.migrating(), FleetWorld.LEASE.multipliedBy(3).dividedBy(2));
        trio.run(LONGER_THAN_A_LEASE);
        assertThat(waiting.getOutcome().toCompletableFuture()).as("the waiter").isNotDone();
        assertThat(trio.tried(trio.young()))
                .as("the new half, which is taken again")
                .isEmpty();
        trio.run(LONGER_THAN_A_LEASE);
        assertThat(trio.tried(trio.young()))
                .as("the new half, when what was left of the lost one is gone")
                .isEmpty();
        old.release();
        trio.run(Duration.ofSeconds(5));
        assertThat(waiting.getOutcome().toCompletableFuture())
                .as("the waiter once the old half is free")
                .isCompletedWithValueMatching(
                        grant -> grant.filter(Grant::isValid).isPresent());
    }

    @Test
    void holderExcludesProcessesThatUseAMajorityOrTheTicketLockAlone() {
        for (Trio trio : List.of(
                Trio.of(9, SimulatedAlgorithm.TICKET, SimulatedAlgorithm.MAJORITY),
                Trio.of(10, SimulatedAlgorithm.MAJORITY, SimulatedAlgorithm.TICKET))) {
            Grant both = trio.granted(trio.migrating());
            trio.run(LONGER_THAN_A_LEASE);
            assertThat(trio.tried(trio.old()))
                    .as("the old half while it is held")
                    .isEmpty();
            assertThat(trio.tried(trio.young()))
                    .as("the new half while it is held")
                    .isEmpty();
            assertThat(both.isValid()).as("held").isTrue();
            both.release();
            trio.run(Duration.ofSeconds(1));
            trio.assertBothHalvesAreFree();
        }
    }

    @Test
    void noFencingTokenIsShownIfBothHalvesHaveSome() {
        Trio trio = Trio.of(11, SimulatedAlgorithm.TICKET, SimulatedAlgorithm.MAJORITY);
        Grant both = trio.granted(trio.migrating());
        assertThatThrownBy(both::reserveFencingToken)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll("'ticket'", "'majority'", "while no instance runs");
    }

    @Test
    void fencingTokensComeFromTheHalfThatHasThem() {
        for (Trio trio : List.of(
                Trio.of(8, SimulatedAlgorithm.SHADOW, SimulatedAlgorithm.TICKET),
                Trio.of(8, SimulatedAlgorithm.MAJORITY, SimulatedAlgorithm.SHADOW),
                Trio.of(8, SimulatedAlgorithm.TICKET, SimulatedAlgorithm.QUEUE))) {
            long before = 0;
            for (int round = 0; round < 3; round++) {
                Grant grant = trio.granted(trio.migrating());
                CompletableFuture<Long> token = grant.reserveFencingToken().toCompletableFuture();
                trio.run(Duration.ofSeconds(1));
                assertThat(token.getNow(0L)).as("token of round %d", round).isGreaterThan(before);
                before = token.join();
                grant.release();
                trio.run(Duration.ofSeconds(1));
            }
        }
    }
}
