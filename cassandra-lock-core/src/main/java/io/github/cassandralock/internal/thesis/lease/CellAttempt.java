package io.github.cassandralock.internal.thesis.lease;

import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One thread's attempt to take a lock by cells. Each step is one operation. The next step begins when the operation has
 * completed. A write that was not acknowledged is repeated with a higher timestamp before the next step. If the attempt ends
 * without a grant, it deletes every cell that it may have written.
 */
public abstract class CellAttempt implements Attempt {

    /** Longer conflicts would turn a try into a wait. */
    private static final Duration LONGEST_CONFLICT = Duration.ofSeconds(1);

    private final String algorithm;
    private final CellContext cells;
    private final AcquireRequest request;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private final Steps steps;

    /** In the order in which they are deleted. */
    private final List<OwnCell> ownCells = new ArrayList<>();

    private @Nullable Long firstConflictAt;

    /**
     * An attempt that has not begun. If the store fails, an attempt that waits ends after a lease without a success; another ends at
     * once.
     *
     * @param algorithm its name, for people
     */
    protected CellAttempt(String algorithm, CellContext cells, AcquireRequest request) {
        this.algorithm = algorithm;
        this.cells = cells;
        this.request = request;
        this.steps = new Steps(
                Runnable::run,
                cells.ticker(),
                cells.timers(),
                cells.settings().retry(),
                request.waits() ? cells.settings().lease() : Duration.ZERO,
                this::fail);
    }

    /** Begins the first step. */
    protected abstract void begin();

    /** Begins. Called once. */
    public final Attempt started() {
        begin();
        return this;
    }

    @Override
    public final CompletionStage<Optional<Grant>> getOutcome() {
        return outcome;
    }

    @Override
    public final Optional<Obstacle> getObstacle() {
        return steps.lastFailure().map(Obstacle.StoreFails::new);
    }

    @Override
    public final void giveUp() {
        steps.abandon();
    }

    /** A cell of this attempt. Belongs to its steps. */
    protected final class OwnCell {

        private final CellWriter writer;
        private final Cell cell;
        private boolean mayBeThere;
        private long writtenAt;

        private OwnCell(CellWriter writer, Cell cell) {
            this.writer = writer;
            this.cell = cell;
        }

        public String name() {
            return cell.name();
        }

        /** When the last acknowledged write was sent. */
        public long writtenAt() {
            return writtenAt;
        }

        /** Whether the cell still exists for certain. */
        public boolean isCertain() {
            return cells.ticker().nanos() - writtenAt
                    < cells.settings().certain().toNanos();
        }

        /** Writes the cell, then runs the next step. */
        public void write(Runnable next) {
            mayBeThere = true;
            steps.step(() -> writer.write(cell), sentAt -> {
                writtenAt = sentAt;
                next.run();
            });
        }

        /** Deletes the cell, then runs the next step. */
        public void delete(Runnable next) {
            steps.step(() -> writer.delete(cell), done -> {
                mayBeThere = false;
                next.run();
            });
        }
    }

    /** Returns a cell that is not written yet. If the attempt fails, cells are deleted in the order of these calls. */
    protected final OwnCell ownCell(CellWriter writer, CellStore row, String name) {
        OwnCell cell = new OwnCell(writer, new Cell(row, request.lockId(), name));
        ownCells.add(cell);
        return cell;
    }

    /**
     * Ends the attempt with the lock.
     *
     * @param held in the order in which a release deletes them
     */
    protected final void acquired(OwnCell... held) {
        CellLease lease = CellLease.hold(
                Stream.of(held).map(own -> own.cell).toList(),
                held[0].writer,
                Stream.of(held).mapToLong(OwnCell::writtenAt).min().orElseThrow(),
                algorithm);
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

    /** Deletes the cells that may have been written. A cell that was never written is not deleted: tombstones slow reads. */
    private CompletionStage<Void> deleteCells() {
        CompletionStage<Void> deleted = CompletableFuture.completedFuture(null);
        for (OwnCell own : ownCells) {
            if (own.mayBeThere) {
                deleted = deleted.thenCompose(done -> own.writer.delete(own.cell));
            }
        }
        return deleted;
    }

    /** Whether a try has been in conflict with other threads for too long. Conflicts begin with the first call. */
    protected final boolean isConflictTooLong() {
        long now = cells.ticker().nanos();
        if (firstConflictAt == null) {
            firstConflictAt = now;
        }
        return now - firstConflictAt >= LONGEST_CONFLICT.toNanos();
    }

    protected final boolean waits() {
        return request.waits();
    }

    protected final Steps steps() {
        return steps;
    }

    protected final CellContext cells() {
        return cells;
    }

    protected final String lockId() {
        return request.lockId();
    }

    protected final String threadId() {
        return request.threadId();
    }
}
