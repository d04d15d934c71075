package io.github.cassandralock.internal.ticket;

import static io.github.cassandralock.internal.threads.Races.race;
import static io.github.cassandralock.internal.threads.Races.require;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Threads of one process take, release and give up one lock at the same time. The tests fail if a queue that was dropped accepts
 * a waiter, and if a release does not check for waiters: each of these faults was planted once.
 */
class LockActorRaceTest {

    private static Runnable often(Runnable task) {
        return () -> IntStream.range(0, 50).forEach(round -> task.run());
    }

    @Test
    void lockThatSeveralThreadsTakeAtOnceHasOneHolderAtATimeAndIsFreeInTheEnd() {
        race(threads -> {
            RacingProcess process = new RacingProcess();
            threads.run(
                    often(process::takeAndGiveBack),
                    often(process::takeAndGiveBack),
                    often(process::tryToTakeAndGiveBack));
            process.mustBeEmpty();
        });
    }

    @Test
    void waiterThatGivesUpAtAnyTimeGetsAnAnswerAndLeavesNothingBehind() {
        race(threads -> {
            RacingProcess process = new RacingProcess();
            threads.run(often(process::takeAndGiveBack), often(process::takeAndGiveUp), often(process::takeAndGiveUp));
            process.mustBeEmpty();
        });
    }

    @Test
    void waiterThatComesWhileTheAlgorithmEndsGetsAnAnswerAndTheAlgorithmEnds() {
        race(threads -> {
            RacingProcess process = new RacingProcess();
            AtomicReference<@Nullable CompletableFuture<Void>> end = new AtomicReference<>();
            threads.run(
                    process::takeAndGiveBackIfPossible,
                    () -> end.set(process.closeAsync().toCompletableFuture()),
                    process::takeAndGiveBackIfPossible);
            CompletableFuture<Void> ended = end.get();
            require(ended != null && ended.isDone(), "the algorithm does not end");
            require(process.queues() == 0, "a queue was left behind");
        });
    }
}
