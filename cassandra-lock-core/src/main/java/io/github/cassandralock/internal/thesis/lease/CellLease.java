package io.github.cassandralock.internal.thesis.lease;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.steps.Deadline;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.NextTimer;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a held lock: its cells are rewritten every N/2 until the lock is released or lost.
 *
 * <p>Source: thesis, section 5.3. Thread-safe.
 */
public final class CellLease implements Grant {

    /*
     * The lease is valid until a deadline: N, less drift, after the last acknowledged round of writes was sent. An
     * acknowledgement after the deadline does not make the lease valid again. The cells may have expired in between, and another
     * thread may have found the main row empty. Therefore no state becomes HELD again, and only compareAndSet changes the state.
     *
     * If a renewal is under way when the lock is released, the deletion usually has the higher timestamp and wins. If the renewal
     * draws its timestamps after the deletion, its cells stay until they expire. Other threads then wait for a lease, and mutual
     * exclusion still holds. If it draws them after the lease was left behind, the cells expire with the lease.
     */

    private enum State {
        HELD,
        /** Lost by its locker, which releases it later. */
        ABANDONED,
        /** Lost by its time. The cells are being deleted. */
        LOST,
        RELEASED
    }

    private static final int LEAVING_TRIES = 3;

    private final List<Cell> cells;
    private final CellWriter writer;
    private final CellContext context;
    private final String algorithm;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> cleaned = new CompletableFuture<>();
    private final Deadline certain;
    private final NextTimer renewal;
    private final NextTimer expiry;

    private CellLease(List<Cell> cells, CellWriter writer, long sentAt, String algorithm) {
        this.cells = cells;
        this.writer = writer;
        this.context = writer.context();
        this.algorithm = algorithm;
        this.renewal = new NextTimer(context.timers());
        this.expiry = new NextTimer(context.timers());
        this.certain = new Deadline(
                context.ticker(), sentAt + context.settings().certain().toNanos());
    }

    /**
     * Starts to renew cells that have been written.
     *
     * @param cells in the order in which a release deletes them
     * @param sentAt when the oldest of their acknowledged writes was sent
     * @param algorithm its name, for messages
     */
    public static CellLease hold(List<Cell> cells, CellWriter writer, long sentAt, String algorithm) {
        CellLease lease = new CellLease(List.copyOf(cells), writer, sentAt, algorithm);
        lease.watchExpiry();
        lease.renewSince(sentAt);
        return lease;
    }

    @Override
    public boolean isValid() {
        return state.get() == State.HELD && !certain.hasPassed();
    }

    @Override
    public CompletionStage<LockLoss> getLoss() {
        return lost;
    }

    @Override
    public CompletionStage<Long> reserveFencingToken() {
        throw new UnsupportedOperationException("The algorithm '" + algorithm
                + "' has no fencing tokens. To use reserveFencingToken(), move all instances to the"
                + " algorithm 'ticket', in the steps of docs/guide/moving.md");
    }

    /** Renews the cells half a lease after they were written. */
    private void renewSince(long sentAt) {
        renewAfter(sentAt
                + context.settings().renewal().toNanos()
                - context.ticker().nanos());
    }

    private void renewAfter(long nanos) {
        renewal.after(Duration.ofNanos(Math.max(0, nanos)))
                .whenComplete((done, failure) -> unlessTimersEnded(failure, this::renew));
    }

    /** If a timer fails, the lease is lost at once. Without timers, nothing would renew it or notice its end. */
    private void unlessTimersEnded(@Nullable Throwable failure, Runnable next) {
        if (failure == null) {
            next.run();
        } else if (!(failure instanceof CancellationException)) {
            lose(new LockLoss(Reason.CLOSED, "the timers that renew it have been shut down"));
        }
    }

    private void renew() {
        if (!isValid()) {
            loseExpired("its lease of " + lease() + " ran out before a renewal was sent");
            return;
        }
        long sentAt = context.ticker().nanos();
        Operation.all(cells.stream().map(cell -> writer.write(cell)))
                .whenComplete((done, failure) -> renewed(sentAt, failure));
    }

    private void renewed(long sentAt, @Nullable Throwable failure) {
        context.counters().add(failure == null ? Counted.RENEWAL_CONFIRMED : Counted.RENEWAL_UNANSWERED);
        boolean inTime = failure == null
                ? certain.extendTo(sentAt + context.settings().certain().toNanos())
                : !certain.hasPassed();
        if (state.get() != State.HELD || !inTime) {
            loseExpired("its renewal was not acknowledged within the lease of " + lease());
        } else if (failure == null) {
            renewSince(sentAt);
        } else {
            context.warnings()
                    .notRenewed()
                    .warn("Renewing lock '" + cells.get(0).lockId() + "' failed and is repeated: "
                            + failure.getMessage());
            renewAfter(context.settings().retry().toNanos());
        }
    }

    /** Reports the loss when the deadline passes, even while a renewal has no answer. */
    private void watchExpiry() {
        expiry.after(Duration.ofNanos(Math.max(0, certain.left())))
                .whenComplete((done, failure) -> unlessTimersEnded(failure, this::checkExpiry));
    }

    private void checkExpiry() {
        if (isValid()) {
            watchExpiry();
        } else {
            loseExpired("its lease of " + lease() + " could not be renewed in time");
        }
    }

    /** Ends the renewal. The release deletes the cells: at the end of the locker, few locks are released at a time. */
    @Override
    public void abandon(LockLoss loss) {
        if (state.compareAndSet(State.HELD, State.ABANDONED)) {
            stopTimers();
            lost.complete(loss);
            if (loss.reason() != Reason.CLOSED) {
                warn(loss);
            }
        }
    }

    private void loseExpired(String text) {
        lose(new LockLoss(Reason.LEASE_EXPIRED, text));
    }

    private void lose(LockLoss loss) {
        if (state.compareAndSet(State.HELD, State.LOST)) {
            end();
            lost.complete(loss);
            warn(loss);
        }
    }

    private void warn(LockLoss loss) {
        context.warnings().lost().warn(cells.get(0).lockId(), loss.text());
    }

    @Override
    public CompletionStage<Void> release() {
        if (!isValid()) {
            loseExpired("its lease of " + lease() + " had run out when it was released");
        }
        if (state.compareAndSet(State.HELD, State.RELEASED) || state.compareAndSet(State.ABANDONED, State.RELEASED)) {
            end();
        }
        return cleaned;
    }

    /** Writes the cells once more, for longer, and leaves them to expire. */
    @Override
    public CompletionStage<Void> keepTaken(Duration atLeast) {
        if (isValid() && state.compareAndSet(State.HELD, State.RELEASED)) {
            stopTimers();
            int ttlSeconds = new LeaseSettings(atLeast, context.settings().clockDrift()).ttlSeconds();
            Operation.all(cells.stream().map(cell -> leave(cell, ttlSeconds, LEAVING_TRIES)))
                    .thenRun(() -> cleaned.complete(null));
            return cleaned;
        }
        return release();
    }

    /** Writes a cell once more. If all tries fail, the cell expires at the end of its last renewal. */
    private CompletionStage<Void> leave(Cell cell, int ttlSeconds, int tries) {
        return writer.write(cell, ttlSeconds)
                .handle((sentAt, failure) -> failure != null && tries > 1)
                .thenCompose(
                        again -> again ? leave(cell, ttlSeconds, tries - 1) : CompletableFuture.completedFuture(null));
    }

    private String lease() {
        return DurationText.of(context.settings().lease());
    }

    private void end() {
        stopTimers();
        deleteFrom(0);
    }

    private void stopTimers() {
        renewal.close();
        expiry.close();
    }

    /** Deletes one cell after the other, so that the next thread in the queue finds the main row empty. */
    private void deleteFrom(int index) {
        if (index == cells.size()) {
            cleaned.complete(null);
        } else {
            writer.delete(cells.get(index)).thenRun(() -> deleteFrom(index + 1));
        }
    }
}
