package io.github.cassandralock.internal.thesis.lease;

import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One thread's attempt to take a lock by cells. Each step is one operation; the next one begins when its outcome is known. A write that
 * was not acknowledged is repeated with a higher timestamp before the next step. If the attempt ends without a grant, it deletes every
 * cell that it may have written.
 */
public abstract class CellAttempt implements Attempt {

    /** Conflicts that last for longer would make a try a wait. */
    private static final Duration LONGEST_CONFLICT = Duration.ofSeconds(1);

    private final String algorithm;
    private final CellContext cells;
    private final String lockId;
    private final String threadId;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private final Steps steps;
    private @Nullable Long firstConflictAt;

    /**
     * An attempt that has not begun.
     *
     * @param algorithm its name, for people
     * @param patience how long the store may fail, without a success in between, before the attempt fails
     */
    protected CellAttempt(String algorithm, CellContext cells, String lockId, String threadId, Duration patience) {
        this.algorithm = algorithm;
        this.cells = cells;
        this.lockId = lockId;
        this.threadId = threadId;
        this.steps = new Steps(
                Runnable::run, cells.ticker(), cells.timers(), cells.settings().retry(), patience, this::fail);
    }

    /** Begins the first step. */
    protected abstract void begin();

    /** Deletes the cells that may have been written. A cell that was never written is not deleted: tombstones slow reads. */
    protected abstract CompletionStage<Void> deleteCells();

    /** Begins. Called once. */
    public final Attempt started() {
        begin();
        return this;
    }

    @Override
    public final CompletionStage<Optional<Grant>> outcome() {
        return outcome;
    }

    @Override
    public final Optional<Obstacle> obstacle() {
        return steps.lastFailure().map(Obstacle.StoreFails::new);
    }

    @Override
    public final void giveUp() {
        steps.abandon();
    }

    /**
     * Ends the attempt with the lock.
     *
     * @param held in the order in which a release deletes them
     * @param sentAt when the oldest of their acknowledged writes was sent
     */
    protected final void acquired(List<Cell> held, CellWriter writer, long sentAt) {
        CellLease lease = CellLease.hold(held, writer, sentAt, algorithm);
        if (!outcome.complete(Optional.of(lease))) {
            lease.release();
        }
    }

    /** Ends the attempt without the lock. */
    protected final void refuse() {
        deleteCells().thenRun(() -> outcome.complete(Optional.empty()));
    }

    private void fail(Throwable reason) {
        deleteCells();
        outcome.completeExceptionally(reason);
    }

    /** Whether a cell still exists for certain. */
    protected final boolean isCertain(long sentAt) {
        return cells.ticker().nanos() - sentAt < cells.settings().certain().toNanos();
    }

    /** Whether a try has been in conflict with other threads for too long. Conflicts begin with the first call. */
    protected final boolean isConflictTooLong() {
        long now = cells.ticker().nanos();
        if (firstConflictAt == null) {
            firstConflictAt = now;
        }
        return now - firstConflictAt >= LONGEST_CONFLICT.toNanos();
    }

    protected final Steps steps() {
        return steps;
    }

    protected final CellContext cells() {
        return cells;
    }

    protected final String lockId() {
        return lockId;
    }

    protected final String threadId() {
        return threadId;
    }
}
