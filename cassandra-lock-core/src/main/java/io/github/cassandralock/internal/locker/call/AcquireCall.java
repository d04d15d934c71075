package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.internal.inspect.LocalLock;
import io.github.cassandralock.internal.locker.held.Caller;
import io.github.cassandralock.internal.locker.held.GrantedLock;
import io.github.cassandralock.internal.locker.held.GrantedLocks;
import io.github.cassandralock.internal.locker.observe.CallObservers.ObservedCall;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call for a lock. Its answer is empty if the lock was refused. A grant may arrive after the answer, because the call timed out
 * or was interrupted, or the locker was closed. It is then released at once, so that no lock stays held without an owner.
 */
public final class AcquireCall extends PendingCall<Optional<GrantedLock>> {

    static final Comparator<AcquireCall> OLDEST_FIRST =
            Comparator.<AcquireCall>comparingLong(PendingCall::startedAt).thenComparing(call -> call.caller.threadId());

    private final LockRequest request;
    private final Caller caller;
    private final ObservedCall observed;
    private final @Nullable Throwable callSite;

    /**
     * @param waits whether the call waits for others
     * @param observed receives the end of the call together with the caller
     * @param callSite where the call was made; null if that is not recorded
     */
    public AcquireCall(
            LockRequest request,
            Caller caller,
            Attempt attempt,
            boolean waits,
            ObservedCall observed,
            @Nullable Throwable callSite,
            CallContext context) {
        super(request.getLockId(), attempt, waits, context);
        this.request = request;
        this.caller = caller;
        this.observed = observed;
        this.callSite = callSite;
    }

    /**
     * Follows the attempt. If the locker is closed, the call ends. If a grant cannot be accepted, the exception is the answer, and
     * the grant is released.
     *
     * @param beforeAnswer receives a granted lock before it is the answer
     */
    public void follow(GrantedLocks locks, Consumer<GrantedLock> beforeAnswer) {
        if (locks.isClosed()) {
            end(GrantedLocks.closedWhile("waiting for", request.getLockId()));
        }
        attempt().getOutcome().whenComplete((grant, failure) -> {
            if (failure != null) {
                fail(failure);
            } else if (grant == null || grant.isEmpty()) {
                succeed(Optional.empty());
            } else {
                granted(grant.get(), locks, beforeAnswer);
            }
        });
    }

    private void granted(Grant grant, GrantedLocks locks, Consumer<GrantedLock> beforeAnswer) {
        GrantedLock lock;
        try {
            lock = locks.granted(request, caller, waited(), grant, observed);
            beforeAnswer.accept(lock);
        } catch (RuntimeException | Error e) {
            fail(e);
            grant.release();
            return;
        }
        if (!succeed(Optional.of(lock))) {
            lock.discard();
        }
    }

    @Override
    LockMode mode() {
        return request.getMode();
    }

    @Override
    String who() {
        return "thread '" + caller.thread() + "'";
    }

    public LocalLock localLock() {
        return new LocalLock(lockId(), mode(), caller.threadId(), caller.thread(), waited(), false);
    }

    /** Where the call was made; null if that is not recorded. */
    public @Nullable Throwable callSite() {
        return callSite;
    }

    /** Completes before the call waits for others without a limit. */
    CompletionStage<Void> whenItWaits() {
        return attempt().getWait();
    }

    /** The answer comes first: a grant that arrives later is released. */
    @Override
    public void end(RuntimeException reason) {
        if (fail(reason)) {
            attempt().giveUp();
        }
    }

    /** Ends the call, or releases the lock if it was granted. A repetition does nothing. */
    private void cancel(RuntimeException reason) {
        end(reason);
        answer().thenAccept(lock -> lock.ifPresent(GrantedLock::discard));
    }

    /**
     * Ends the call for its caller. Observers receive that first. Otherwise {@link GrantedLocks#deliver} could report a loss to
     * them.
     */
    void cancel() {
        observed.cancelled();
        cancel(new EndedByCaller());
    }

    @Override
    <R> boolean endForCaller(
            CallFuture<R> future, BooleanSupplier completion, Function<Optional<GrantedLock>, R> result) {
        boolean ended = completion.getAsBoolean();
        if (ended) {
            cancel();
        }
        return ended;
    }

    @Override
    void endByInterrupt(InterruptedException cause) {
        LockInterruptedException reason = new LockInterruptedException(
                lockId(),
                "The thread was interrupted after waiting " + DurationText.of(waited()) + " for lock '" + lockId()
                        + "'; the queue was left and nothing is held",
                cause);
        cancel(reason);
        beforeThrow(reason);
        throw reason;
    }

    @Override
    void cancelled() {
        observed.cancelled();
    }

    @Override
    void beforeReturn(Optional<GrantedLock> lock) {
        if (lock.isEmpty()) {
            observed.refused();
        }
    }

    @Override
    void beforeThrow(RuntimeException failure) {
        observed.failed(failure);
    }

    @Override
    String notWithin(String time) {
        return "Lock '" + lockId() + "' was not granted within " + time + "; the queue was left. ";
    }

    @Override
    String advice(Optional<Obstacle> obstacle) {
        return obstacle.map(PendingCall::text)
                .orElse("Another holder has it, or Cassandra is slow: try again later or allow more time");
    }

    @Override
    RuntimeException storeFailed(Throwable cause) {
        String why = RefusedRequestException.in(cause)
                .map(refusal -> ". Nothing is held. " + refusal.getMessage())
                .orElseGet(() -> ": after " + DurationText.of(waited()) + " without success, the last request failed ("
                        + cause.getMessage() + "). Nothing is held; check the cluster and try again");
        return new LockStoreException(lockId(), "Lock '" + lockId() + "' could not be taken" + why, cause);
    }
}
