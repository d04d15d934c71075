package io.github.cassandralock.internal.ticket;

import static io.github.cassandralock.internal.threads.Races.require;

import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.threads.Leftovers;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One process for races, whose store answers at once; it skips short pauses, and long ones never end. */
final class RacingProcess {

    static final String LOCK = "lock";

    private final AtomicLong clock = new AtomicLong();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicReference<@Nullable Grant> holder = new AtomicReference<>();
    private final InstantStore store = new InstantStore(new SimulatedTime());
    private final TicketAlgorithm algorithm;
    private final Runnable whileHeld;

    /** Without notices. */
    RacingProcess() {
        this(NoticeChannel.OFF, Duration.ZERO, () -> {});
    }

    /**
     * Creates it.
     *
     * @param keep for how long locks are kept
     * @param whileHeld runs under the lock, each time
     */
    RacingProcess(NoticeChannel channel, Duration keep, Runnable whileHeld) {
        this.whileHeld = whileHeld;
        SessionContext sessions = new SessionContext(
                store,
                new SessionSettings(Duration.ofSeconds(15), 0.05),
                clock::get,
                this::timer,
                () -> new UUID(0, ids.incrementAndGet()),
                "test");
        PollBounds poll = new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250));
        TicketSettings settings = TicketSettings.of(Duration.ofMillis(50), poll).keeping(keep);
        algorithm = new TicketAlgorithm(store, sessions, channel, settings, () -> 0, Optional.empty());
    }

    private CompletableFuture<Void> timer(Duration delay) {
        if (delay.compareTo(Duration.ofSeconds(1)) >= 0) {
            return new CompletableFuture<>();
        }
        clock.addAndGet(delay.toNanos());
        return CompletableFuture.completedFuture(null);
    }

    void takeAndGiveBack() {
        algorithm
                .acquire(AcquireRequest.waits(LOCK, "thread"))
                .getOutcome()
                .toCompletableFuture()
                .join()
                .ifPresent(this::holdAndGiveBack);
    }

    void tryToTakeAndGiveBack() {
        algorithm
                .acquire(AcquireRequest.tries(LOCK, "thread"))
                .getOutcome()
                .toCompletableFuture()
                .join()
                .ifPresent(this::holdAndGiveBack);
    }

    void takeAndGiveUp() {
        Attempt attempt = algorithm.acquire(AcquireRequest.waits(LOCK, "thread"));
        attempt.giveUp();
        attempt.getOutcome()
                .toCompletableFuture()
                .exceptionally(givenUp -> Optional.empty())
                .join()
                .ifPresent(this::holdAndGiveBack);
    }

    /** The algorithm may end meanwhile. */
    void takeAndGiveBackIfPossible() {
        algorithm
                .acquire(AcquireRequest.waits(LOCK, "thread"))
                .getOutcome()
                .toCompletableFuture()
                .exceptionally(ended -> Optional.empty())
                .join()
                .ifPresent(this::holdAndGiveBack);
    }

    private void holdAndGiveBack(Grant grant) {
        Grant before = holder.getAndSet(grant);
        require(before == null || !before.isValid(), "two hold the lock");
        whileHeld.run();
        grant.release();
    }

    /** This process's slot as it was written last; empty if the lock was released. */
    Optional<Slot> slot() {
        return store.slot(LOCK);
    }

    int queues() {
        return Leftovers.in(algorithm, "actors");
    }

    CompletionStage<Void> closeAsync() {
        return algorithm.closeAsync();
    }

    void mustBeEmpty() {
        require(store.wanted() == 0, "a slot was left behind that blocks others");
        require(queues() == 0, "a queue was left behind");
        CompletableFuture<Optional<Grant>> next = algorithm
                .acquire(AcquireRequest.tries(LOCK, "thread"))
                .getOutcome()
                .toCompletableFuture();
        require(next.isDone() && next.join().isPresent(), "the lock is not free although no thread wants it");
    }
}
