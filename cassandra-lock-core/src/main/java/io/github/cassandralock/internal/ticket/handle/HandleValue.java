package io.github.cassandralock.internal.ticket.handle;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.internal.period.StoredPeriod;
import io.github.cassandralock.internal.steps.Steps;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.store.StoredValue;
import io.github.cassandralock.internal.store.UnusableValueException;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The use of the lock's value by one handle (lock modes, section 6). The handle reads the value, or opens a change and closes it
 * at the end. Used in the lock's mailbox alone.
 */
public final class HandleValue {

    /*
     * The first call in a mode that may write the value opens a change. The opening is acknowledged before the call is answered.
     * The closing is acknowledged before another holder may get the lock, so that each later read shows it. The field "closing"
     * is the end of a change and of the action that follows. Calls that come meanwhile begin after it.
     */

    private static final Logger log = LoggerFactory.getLogger(HandleValue.class);

    private final LockPartition partition;
    private final TicketHandle handle;
    private final BooleanSupplier hasItsSlots;

    /** The change that the handle opens, or has opened; null if there is none. */
    private @Nullable CompletableFuture<Change> change;

    private CompletableFuture<Void> closing = CompletableFuture.completedFuture(null);

    /** The last call that sets the value. The next call follows it, so that the call with the last answer counts. */
    private CompletableFuture<Void> setting = CompletableFuture.completedFuture(null);

    /**
     * A change whose opening is acknowledged.
     *
     * @param token under which it is opened and closed
     * @param value as read, or as the holder has set it since
     */
    private record Change(long token, LockValue value) {}

    /** @param hasItsSlots whether the handle's slots exclude others, even while it is being released */
    public HandleValue(LockPartition partition, TicketHandle handle, BooleanSupplier hasItsSlots) {
        this.partition = partition;
        this.handle = handle;
        this.hasItsSlots = hasItsSlots;
    }

    /**
     * Whether a handle in this mode may set the value. Meanwhile no other handle sets the value, or reads it under protection.
     */
    public static boolean isWritableIn(LockMode mode) {
        return mode.covers(LockMode.PROTECTED_WRITE);
    }

    /** The value. In a mode that may write the value, a change is open from then on. */
    public CompletableFuture<LockValue> value() {
        return afterClosing(() -> isWritableIn(mode()) ? opened().thenApply(Change::value) : read())
                .thenApply(value -> {
                    handle.requireHeld("its value was read");
                    return requireNoPeriod(value);
                });
    }

    /** The value as it is stored. No change is opened. */
    public CompletableFuture<LockValue> stored() {
        return afterClosing(this::read).thenApply(value -> {
            handle.requireHeld("its value was read");
            return value;
        });
    }

    /**
     * Sets the value and closes the change, so that the holder receives the outcome before it releases the lock. A period is
     * compared with the value of the open change. No other call of the handle can change that value meanwhile.
     *
     * @return fails if the value is not set, or its outcome is unknown. Fails with {@link UnusableValueException} if the value is
     *        a period and the present value is a later period, or no period
     */
    public CompletableFuture<Void> store(LockValue value) {
        return afterClosing(() -> isWritableIn(mode()) ? storeInOpened(value) : notWritable())
                .thenRun(() -> handle.requireHeld("its value was certainly stored"));
    }

    private CompletableFuture<Void> storeInOpened(LockValue value) {
        CompletableFuture<Change> present = opened();
        return present.thenComposeAsync(
                open -> present == change ? store(replaced(open, value)) : store(value), partition.mailbox());
    }

    /**
     * Returns the change with the new value. An equal period is stored again, because the read may have come from a single
     * replica.
     */
    private Change replaced(Change open, LockValue value) {
        byte[] bytes = value.getBytes();
        if (StoredPeriod.isIn(bytes)) {
            StoredPeriod.requireOrder(partition.lockId(), open.value().getBytes(), bytes);
        }
        return new Change(open.token(), value);
    }

    private CompletableFuture<Void> store(Change set) {
        handle.requireHeld("its value was stored");
        change = null;
        CompletableFuture<Void> stored = send(set);
        closing = stored.<Void>handle((done, failure) -> null);
        return stored;
    }

    /** Fails if the value is a period, because the application can only read its own values. */
    private LockValue requireNoPeriod(LockValue value) {
        if (StoredPeriod.isIn(value.getBytes())) {
            throw new UnusableValueException(
                    "The value of lock '" + partition.lockId()
                            + "' is the last completed period, and cannot be used otherwise; take another lock id for a value of the application");
        }
        return value;
    }

    /**
     * Sets the value that the end of the change will store, unless the caller has given up by then.
     *
     * @param answer completed when the value is set; a caller that completes it has given up
     * @return fails if the value is not set
     */
    public CompletableFuture<Void> value(LockValue value, CompletableFuture<Void> answer) {
        CompletableFuture<Void> call = setting.isDone()
                ? set(value, answer)
                : setting.handle((done, failure) -> answer)
                        .thenComposeAsync(own -> set(value, own), partition.mailbox());
        setting = call;
        return call;
    }

    private CompletableFuture<Void> set(LockValue value, CompletableFuture<Void> answer) {
        return afterClosing(() -> isWritableIn(mode()) ? setInOpened(value, answer) : notWritable());
    }

    private CompletableFuture<Void> setInOpened(LockValue value, CompletableFuture<Void> answer) {
        CompletableFuture<Change> present = opened();
        return present.thenComposeAsync(open -> set(open, present, value, answer), partition.mailbox());
    }

    /** Sets the value in the present change. If the change has been closed meanwhile, the value belongs to the next change. */
    private CompletableFuture<Void> set(
            Change open, CompletableFuture<Change> present, LockValue value, CompletableFuture<Void> answer) {
        handle.requireHeld("its value was set");
        requireNoPeriod(open.value());
        if (present != change) {
            return set(value, answer);
        }
        if (answer.complete(null)) {
            change = CompletableFuture.completedFuture(new Change(open.token(), value));
        }
        return CompletableFuture.completedFuture(null);
    }

    private LockMode mode() {
        return handle.mode();
    }

    private CompletableFuture<Void> notWritable() {
        return CompletableFuture.failedFuture(new IllegalStateException("The value of lock '" + partition.lockId()
                + "' was not set: its handle is in mode " + mode() + "; convert it to PROTECTED_WRITE or EXCLUSIVE"));
    }

    private <T> CompletableFuture<T> afterClosing(Supplier<CompletableFuture<T>> call) {
        return closing.isDone()
                ? call.get()
                : closing.thenComposeAsync(
                        done -> {
                            handle.requireHeld("its value was requested");
                            return afterClosing(call);
                        },
                        partition.mailbox());
    }

    private CompletableFuture<LockValue> read() {
        return partition.stepsTo((steps, end) ->
                steps.step(this::readHeld, read -> end.complete(LockValue.of(read.bytes(), read.isDoubtful()))));
    }

    private CompletableFuture<StoredValue> readHeld() {
        requireSlots();
        return partition.readValue().toCompletableFuture();
    }

    private CompletableFuture<Change> opened() {
        CompletableFuture<Change> present = change;
        if (present == null || present.isCompletedExceptionally()) {
            present = partition.stepsTo((steps, end) -> steps.step(this::readHeld, read -> open(read, steps, end)));
            change = present;
        }
        return present;
    }

    private void open(StoredValue read, Steps steps, CompletableFuture<Change> end) {
        Change opening = new Change(read.nextToken(), LockValue.of(read.bytes(), read.isDoubtful()));
        steps.step(
                () -> {
                    requireSlots();
                    return partition.openValue(opening.token());
                },
                done -> end.complete(opening));
    }

    /**
     * Sends nothing for a lost or stopped handle, or after its slots were force-released during its release. The next holder may
     * have opened a change under the same token.
     */
    private void requireSlots() {
        if (!hasItsSlots.getAsBoolean() || handle.wasStopped()) {
            throw new RefusedRequestException(
                    "lock '" + partition.lockId() + "' is lost", new IllegalStateException("the lease has run out"));
        }
    }

    /**
     * Closes the change, if there is one, and then runs the action. After the action, the handle may no longer exclude others.
     * Runs the action at once if there is nothing to close.
     *
     * @param action must not throw
     */
    public void closeThen(Runnable action) {
        if (change == null && closing.isDone()) {
            action.run();
        } else {
            closing = closing.thenComposeAsync(done -> close(), partition.mailbox())
                    .thenRunAsync(action, partition.mailbox());
        }
    }

    /** Never fails: a change that cannot be closed stays open, and makes the value doubtful. */
    private CompletableFuture<Void> close() {
        CompletableFuture<Change> present = change;
        change = null;
        return present == null
                ? CompletableFuture.completedFuture(null)
                : present.handleAsync((open, notOpened) -> Optional.ofNullable(open), partition.mailbox())
                        .thenCompose(
                                open -> open.map(this::close).orElseGet(() -> CompletableFuture.completedFuture(null)));
    }

    /**
     * A doubtful value stays doubtful unless it was set. A stopped or lost handle closes nothing. A request sent while the handle
     * had its slots may arrive late. Its token is lower than every later change's, so it has no effect then.
     */
    private CompletableFuture<Void> close(Change open) {
        if (open.value().isDoubtful() || handle.wasStopped()) {
            return CompletableFuture.completedFuture(null);
        }
        return send(open).handle((done, failure) -> warnUnlessDone(failure));
    }

    private CompletableFuture<Void> send(Change closed) {
        byte[] bytes = closed.value().getBytes();
        return partition.stepsTo((steps, end) -> steps.step(
                () -> {
                    requireSlots();
                    return partition.closeValue(closed.token(), bytes);
                },
                end::complete));
    }

    private @Nullable Void warnUnlessDone(@Nullable Throwable failure) {
        if (failure != null) {
            log.warn(
                    "The value of lock '{}' was not stored, so that the next holder finds it doubtful. Cause: {}",
                    partition.lockId(),
                    failure.getMessage());
        }
        return null;
    }
}
