package io.github.cassandralock.internal.ticket;

import static io.github.cassandralock.internal.threads.Races.race;
import static io.github.cassandralock.internal.threads.Races.require;

import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.threads.Leftovers;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Threads of one process take, release and give up one lock at the same time. The tests fail if a queue that was dropped accepts
 * a waiter, and if a release does not check for waiters: each of these faults was planted once.
 */
class LocalQueueRaceTest {

    private static final String LOCK = "lock";

    /** One process, whose store answers at once; it skips short pauses, and long ones never end. */
    private static final class World {

        private final AtomicLong clock = new AtomicLong();
        private final AtomicLong ids = new AtomicLong();
        private final AtomicReference<@Nullable Grant> holder = new AtomicReference<>();
        private final InstantStore store = new InstantStore(new SimulatedTime());
        private final TicketAlgorithm algorithm = new TicketAlgorithm(
                store,
                new SessionContext(
                        store,
                        new SessionSettings(Duration.ofSeconds(15), 0.05),
                        clock::get,
                        this::timer,
                        () -> new UUID(0, ids.incrementAndGet()),
                        "test"),
                TicketSettings.of(Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250))),
                () -> 0);

        private CompletableFuture<Void> timer(Duration delay) {
            if (delay.compareTo(Duration.ofSeconds(1)) >= 0) {
                return new CompletableFuture<>();
            }
            clock.addAndGet(delay.toNanos());
            return CompletableFuture.completedFuture(null);
        }

        void takeAndGiveBack() {
            algorithm
                    .acquire(LOCK, "thread")
                    .outcome()
                    .toCompletableFuture()
                    .join()
                    .ifPresent(this::holdAndGiveBack);
        }

        void tryToTakeAndGiveBack() {
            algorithm
                    .tryAcquire(LOCK, "thread")
                    .outcome()
                    .toCompletableFuture()
                    .join()
                    .ifPresent(this::holdAndGiveBack);
        }

        void takeAndGiveUp() {
            Attempt attempt = algorithm.acquire(LOCK, "thread");
            attempt.giveUp();
            attempt.outcome()
                    .toCompletableFuture()
                    .exceptionally(givenUp -> Optional.empty())
                    .join()
                    .ifPresent(this::holdAndGiveBack);
        }

        /** The algorithm may end meanwhile. */
        void takeAndGiveBackIfPossible() {
            algorithm
                    .acquire(LOCK, "thread")
                    .outcome()
                    .toCompletableFuture()
                    .exceptionally(ended -> Optional.empty())
                    .join()
                    .ifPresent(this::holdAndGiveBack);
        }

        void holdAndGiveBack(Grant grant) {
            Grant before = holder.getAndSet(grant);
            require(before == null || !before.isValid(), "two hold the lock");
            grant.release();
        }

        void mustBeEmpty() {
            require(store.wanted() == 0, "a slot was left behind that blocks others");
            require(Leftovers.in(algorithm, "queues") == 0, "a queue was left behind");
            CompletableFuture<Optional<Grant>> next =
                    algorithm.tryAcquire(LOCK, "thread").outcome().toCompletableFuture();
            require(next.isDone() && next.join().isPresent(), "the lock is not free although no thread wants it");
        }
    }

    private static Runnable often(Runnable task) {
        return () -> IntStream.range(0, 50).forEach(round -> task.run());
    }

    @Test
    void lockThatSeveralThreadsTakeAtOnceHasOneHolderAtATimeAndIsFreeInTheEnd() {
        race(threads -> {
            World world = new World();
            threads.run(
                    often(world::takeAndGiveBack), often(world::takeAndGiveBack), often(world::tryToTakeAndGiveBack));
            world.mustBeEmpty();
        });
    }

    @Test
    void waiterThatGivesUpAtAnyTimeGetsAnAnswerAndLeavesNothingBehind() {
        race(threads -> {
            World world = new World();
            threads.run(often(world::takeAndGiveBack), often(world::takeAndGiveUp), often(world::takeAndGiveUp));
            world.mustBeEmpty();
        });
    }

    @Test
    void waiterThatComesWhileTheAlgorithmEndsGetsAnAnswerAndTheAlgorithmEnds() {
        race(threads -> {
            World world = new World();
            AtomicReference<@Nullable CompletableFuture<Void>> end = new AtomicReference<>();
            threads.run(
                    world::takeAndGiveBackIfPossible,
                    () -> end.set(world.algorithm.closeAsync().toCompletableFuture()),
                    world::takeAndGiveBackIfPossible);
            CompletableFuture<Void> ended = end.get();
            require(ended != null && ended.isDone(), "the algorithm does not end");
            require(Leftovers.in(world.algorithm, "queues") == 0, "a queue was left behind");
        });
    }
}
