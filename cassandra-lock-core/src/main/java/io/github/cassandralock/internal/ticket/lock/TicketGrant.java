package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.internal.ticket.handle.HandleValue;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The grant of one handle. It closes the value before the lock receives the end of the handle. Thread-safe. */
public final class TicketGrant implements Grant {

    private final TicketHandle handle;
    private final LockEvents lock;

    /** The handle's use of the lock's value; null if there is none. Only tasks of the lock's mailbox use this field. */
    private @Nullable HandleValue value;

    TicketGrant(TicketHandle handle, LockEvents lock) {
        this.handle = handle;
        this.lock = lock;
    }

    public Executor mailbox() {
        return lock.partition().mailbox();
    }

    public TicketHandle handle() {
        return handle;
    }

    @Override
    public boolean isValid() {
        return handle.isValid();
    }

    @Override
    public CompletionStage<LockLoss> getLoss() {
        return handle.lost();
    }

    @Override
    public CompletionStage<Long> reserveFencingToken() {
        return handle.fencingToken();
    }

    @Override
    public CompletionStage<Void> watchContention() {
        CompletableFuture<Void> contended = new CompletableFuture<>();
        lock.contentionRequested(handle, contended);
        return contended;
    }

    @Override
    public CompletionStage<LockValue> readValue() {
        return withValue(HandleValue::value);
    }

    @Override
    public CompletionStage<Void> writeValue(byte[] bytes) {
        LockValue set = LockValue.of(bytes, false);
        CompletableFuture<Void> answer = new CompletableFuture<>();
        withValue(present -> present.value(set, answer)).whenComplete((done, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }

    @Override
    public CompletionStage<LockValue> readStoredValue() {
        return withValue(HandleValue::stored);
    }

    @Override
    public CompletionStage<Void> storeValue(byte[] bytes) {
        LockValue stored = LockValue.of(bytes, false);
        return withValue(present -> present.store(stored));
    }

    private <T> CompletionStage<T> withValue(Function<HandleValue, CompletableFuture<T>> call) {
        return CompletableFuture.supplyAsync(() -> call.apply(handleValue()), mailbox())
                .thenCompose(Function.identity());
    }

    private HandleValue handleValue() {
        handle.requireHeld("its value was requested");
        HandleValue present = value;
        if (present == null) {
            present = new HandleValue(lock.partition(), handle, () -> lock.holdsAllSlots(handle));
            value = present;
        }
        return present;
    }

    /** Closes the change of the value that the handle has opened, if there is one, and then runs the action. */
    private void closeValueThen(Runnable action) {
        HandleValue present = value;
        if (present == null) {
            action.run();
        } else {
            present.closeThen(action);
        }
    }

    @Override
    public void leaveValueOpen() {
        handle.stop();
    }

    /** The locker itself reports the losses at its end, of which there may be very many. */
    @Override
    public void abandon(LockLoss loss) {
        if (handle.lose(loss) && loss.reason() != Reason.CLOSED) {
            LockPartition partition = lock.partition();
            partition.context().warnings().lost().warn(partition.lockId(), loss.text());
        }
    }

    @Override
    public CompletionStage<Void> release() {
        if (!handle.areRowsValid()) {
            abandon(new LockLoss(Reason.LEASE_EXPIRED, "its lease had run out when it was released"));
        }
        if (handle.release()) {
            mailbox().execute(() -> closeValueThen(() -> lock.released(handle)));
        }
        return handle.released();
    }

    /**
     * The value is stored now, and not at the end of the minimum time. Therefore a crash in between does not make the value
     * doubtful.
     */
    @Override
    public void markFinished() {
        handle.removeOwner();
        mailbox().execute(() -> closeValueThen(() -> {}));
    }

    /** A lock whose lease has run out is released, because it no longer excludes others. */
    @Override
    public CompletionStage<Void> keepTaken(Duration atLeast) {
        if (!isValid()) {
            return release();
        }
        if (handle.release()) {
            mailbox().execute(() -> {
                handle.slots().rows().forEach(row -> row.session().excludeOthersFor(atLeast));
                closeValueThen(() -> lock.leftBehind(handle, atLeast));
            });
        }
        return handle.released();
    }

    @Override
    public Optional<LockMode> getMode() {
        return Optional.of(handle.mode());
    }

    @Override
    public Attempt convert(LockMode mode) {
        return lock.convert(handle, this, mode, false, this::closeValueThen);
    }

    @Override
    public Attempt tryConvert(LockMode mode) {
        return lock.convert(handle, this, mode, true, this::closeValueThen);
    }
}
