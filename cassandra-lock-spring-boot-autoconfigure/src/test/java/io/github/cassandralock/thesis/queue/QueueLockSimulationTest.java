package io.github.cassandralock.thesis.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.simulation.QueueWorld;
import io.github.cassandralock.spi.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The algorithm as it is, in a simulated world. A failure names its seed; {@code -Dsimulation.firstSeed=S
 * -Dsimulation.schedules=1} repeats that schedule alone.
 */
class QueueLockSimulationTest {

    private static final long FIRST_SEED = Long.getLong("simulation.firstSeed", 1);
    private static final int SCHEDULES = Integer.getInteger("simulation.schedules", 500);

    private interface Schedule {
        void run(long seed, QueueWorld world);
    }

    private static void forEverySeed(int processes, boolean faulty, Schedule schedule) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
            QueueWorld world = new QueueWorld(seed, processes, faulty);
            schedule.run(seed, world);
            assertThat(world.violations()).as("violations with seed %d", seed).isEmpty();
        }
    }

    @Test
    void neverTwoHoldAndEverybodyIsServedWhateverHappensToProcessesAndMessages() {
        forEverySeed(4, true, (seed, world) -> {
            List<QueueWorld.Worker> workers = startWorkers(world, 5, Duration.ofMillis(800));
            misfortunes(world);
            world.time().runUntil(() -> workers.stream().allMatch(QueueWorld.Worker::isDone), Duration.ofMinutes(20));
            assertThat(workers)
                    .as("workers that got the lock as often as they asked, seed %d", seed)
                    .allMatch(QueueWorld.Worker::isDone);
        });
    }

    private static List<QueueWorld.Worker> startWorkers(QueueWorld world, int rounds, Duration work) {
        List<QueueWorld.Worker> workers = new ArrayList<>();
        for (QueueWorld.Member member : world.members()) {
            QueueWorld.Worker worker = world.new Worker(member, rounds, work);
            workers.add(worker);
            worker.start();
        }
        return workers;
    }

    /** Pauses, some longer than the lease, and one process killed. */
    private static void misfortunes(QueueWorld world) {
        SplittableRandom random = world.random();
        for (int pause = 0; pause < 6; pause++) {
            QueueWorld.Member victim =
                    world.members().get(random.nextInt(world.members().size()));
            Duration length = Duration.ofMillis(random.nextLong(10, 9_000));
            world.time()
                    .at(
                            Duration.ofMillis(random.nextLong(15_000)),
                            () -> victim.process().pauseFor(length));
        }
        QueueWorld.Member killed = world.members().get(0);
        world.time().at(Duration.ofMillis(random.nextLong(10_000)), killed.process()::kill);
    }

    @Test
    void ofSeveralThatTryAtOnceOnAFreeLockAtLeastOneGetsIt() {
        forEverySeed(5, false, (seed, world) -> {
            List<Attempt> attempts =
                    world.members().stream().map(world::tryAcquire).toList();
            world.time().run(Duration.ofSeconds(3));
            List<Optional<?>> outcomes = attempts.stream()
                    .<Optional<?>>map(
                            attempt -> attempt.outcome().toCompletableFuture().getNow(Optional.empty()))
                    .toList();
            assertThat(outcomes).as("grants, seed %d", seed).anyMatch(Optional::isPresent);
            assertThat(attempts)
                    .as("answers, seed %d", seed)
                    .allMatch(attempt -> attempt.outcome().toCompletableFuture().isDone());
        });
    }

    @Test
    void whoGivesUpBlocksNobodyAndGetsNothing() {
        forEverySeed(3, true, (seed, world) -> {
            List<Attempt> given = new ArrayList<>();
            for (QueueWorld.Member member : world.members()) {
                Attempt attempt = world.acquire(member);
                given.add(attempt);
                world.time().at(Duration.ofNanos(world.random().nextLong(20_000_000)), attempt::giveUp);
            }
            world.time().run(Duration.ofSeconds(10));
            given.forEach(attempt ->
                    attempt.outcome().thenAccept(grant -> grant.orElseThrow().release()));
            Attempt next = world.acquire(world.members().get(0));
            world.time().runUntil(() -> next.outcome().toCompletableFuture().isDone(), Duration.ofSeconds(60));
            assertThat(next.outcome().toCompletableFuture())
                    .as("the lock after everybody gave up, seed %d", seed)
                    .isCompletedWithValueMatching(Optional::isPresent);
        });
    }

    @Test
    void arrivalsAreServedInOrder() {
        forEverySeed(4, false, (seed, world) -> {
            List<Integer> served = new ArrayList<>();
            Attempt first = world.acquire(world.members().get(0));
            world.time().run(Duration.ofSeconds(1));
            for (QueueWorld.Member member : world.members().subList(1, 4)) {
                world.acquire(member).outcome().thenAccept(grant -> {
                    served.add(member.number());
                    member.process()
                            .after(Duration.ofMillis(5))
                            .thenRun(() -> grant.orElseThrow().release());
                });
                world.time().run(Duration.ofSeconds(1));
            }
            first.outcome().thenAccept(grant -> grant.orElseThrow().release());
            world.time().run(Duration.ofSeconds(5));
            assertThat(served).as("order, seed %d", seed).containsExactly(1, 2, 3);
        });
    }
}
