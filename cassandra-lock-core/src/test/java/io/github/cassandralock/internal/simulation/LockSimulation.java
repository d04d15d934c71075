package io.github.cassandralock.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.spi.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Tests that every algorithm must pass in a simulated world. A failure prints the command that repeats its schedule.
 */
public abstract class LockSimulation {

    private static final Seeds SEEDS = Seeds.of(500);

    /** The actions in a world. */
    protected interface Schedule {
        void run(long seed, FleetWorld world);
    }

    /** The algorithms of the processes of a world. */
    protected abstract List<SimulatedAlgorithm> fleet(long seed, int processes);

    /** @param faulty whether messages get lost or very late, and wall clocks disagree */
    protected final void forEverySeed(int processes, boolean faulty, Schedule schedule) {
        SEEDS.stream().forEach(seed -> {
            FleetWorld world = new FleetWorld(seed, faulty, fleet(seed, processes));
            schedule.run(seed, world);
            assertThat(world.violations()).as("violations; %s", replay(seed)).isEmpty();
        });
    }

    private String replay(long seed) {
        return Seeds.replay("cassandra-lock-core", getClass(), seed);
    }

    @Test
    void neverTwoHoldAndEveryCallIsServedWhateverHappensToProcessesAndMessages() {
        forEverySeed(4, true, (seed, world) -> {
            List<FleetWorld.Worker> workers = startWorkers(world, 5, Duration.ofMillis(800));
            misfortunes(world);
            world.time().runUntil(() -> workers.stream().allMatch(FleetWorld.Worker::isDone), Duration.ofMinutes(20));
            assertThat(workers)
                    .as("workers that got the lock as often as they asked; %s", replay(seed))
                    .allMatch(FleetWorld.Worker::isDone);
        });
    }

    private static List<FleetWorld.Worker> startWorkers(FleetWorld world, int rounds, Duration work) {
        List<FleetWorld.Worker> workers = new ArrayList<>();
        for (FleetWorld.Member member : world.members()) {
            FleetWorld.Worker worker = world.new Worker(member, rounds, work);
            workers.add(worker);
            worker.start();
        }
        return workers;
    }

    /** Pauses, some longer than the lease, and one process killed. */
    private static void misfortunes(FleetWorld world) {
        SplittableRandom random = world.random();
        for (int pause = 0; pause < 6; pause++) {
            FleetWorld.Member victim =
                    world.members().get(random.nextInt(world.members().size()));
            Duration length = Duration.ofMillis(random.nextLong(10, 9_000));
            world.time()
                    .at(
                            Duration.ofMillis(random.nextLong(15_000)),
                            () -> victim.process().pauseFor(length));
        }
        FleetWorld.Member killed =
                world.members().get(random.nextInt(world.members().size()));
        world.time().at(Duration.ofMillis(random.nextLong(10_000)), killed.process()::kill);
    }

    @Test
    void ofSeveralThatTryAFreeLockAtOnceAtLeastOneGetsIt() {
        forEverySeed(5, false, (seed, world) -> {
            List<Attempt> attempts =
                    world.members().stream().map(world::tryAcquire).toList();
            world.time().run(Duration.ofSeconds(3));
            List<Optional<?>> outcomes = attempts.stream()
                    .<Optional<?>>map(attempt ->
                            attempt.getOutcome().toCompletableFuture().getNow(Optional.empty()))
                    .toList();
            assertThat(outcomes).as("grants; %s", replay(seed)).anyMatch(Optional::isPresent);
            assertThat(attempts)
                    .as("answers; %s", replay(seed))
                    .allMatch(attempt ->
                            attempt.getOutcome().toCompletableFuture().isDone());
        });
    }

    @Test
    void attemptThatGivesUpGetsNoLockAndBlocksNoOther() {
        forEverySeed(4, true, (seed, world) -> {
            List<Attempt> given = new ArrayList<>();
            for (FleetWorld.Member member : world.members()) {
                Attempt attempt = world.acquire(member);
                given.add(attempt);
                world.time().at(Duration.ofNanos(world.random().nextLong(40_000_000)), attempt::giveUp);
            }
            world.time().run(Duration.ofSeconds(10));
            world.heal();
            given.forEach(attempt ->
                    attempt.getOutcome().thenAccept(grant -> grant.orElseThrow().release()));
            for (FleetWorld.Member member : world.members()) {
                Attempt next = world.acquire(member);
                world.time()
                        .runUntil(() -> next.getOutcome().toCompletableFuture().isDone(), Duration.ofSeconds(60));
                assertThat(next.getOutcome().toCompletableFuture())
                        .as("the lock for process %d after all attempts gave up; %s", member.number(), replay(seed))
                        .isCompletedWithValueMatching(Optional::isPresent);
                next.getOutcome().thenAccept(grant -> grant.orElseThrow().release());
            }
        });
    }

    @Test
    void attemptThatGivesUpLeavesNothingThatBlocksOthers() {
        forEverySeed(4, false, (seed, world) -> {
            for (FleetWorld.Member member : world.members()) {
                Attempt attempt = world.acquire(member);
                attempt.getOutcome()
                        .thenAccept(grant -> world.time()
                                .at(Duration.ZERO, () -> grant.orElseThrow().release()));
                world.time().at(Duration.ofNanos(world.random().nextLong(40_000_000)), attempt::giveUp);
            }
            world.time().run(Duration.ofSeconds(1));
            for (FleetWorld.Member member : world.members()) {
                Attempt next = world.tryAcquire(member);
                world.time().run(Duration.ofSeconds(1));
                assertThat(next.getOutcome().toCompletableFuture())
                        .as("the lock for process %d, which tries; %s", member.number(), replay(seed))
                        .isCompletedWithValueMatching(Optional::isPresent);
                next.getOutcome().thenAccept(grant -> grant.orElseThrow().release());
                world.time().run(Duration.ofSeconds(1));
            }
        });
    }
}
