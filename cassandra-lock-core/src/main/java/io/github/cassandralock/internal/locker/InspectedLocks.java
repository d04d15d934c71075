package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.locker.call.CallContext;
import io.github.cassandralock.internal.locker.call.PendingCall;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The {@link LockInspector} of a locker: checks calls, waits, and explains failures.
 *
 * @param algorithm its name, for messages
 * @param inspection reads from the store; empty if the algorithm cannot be inspected
 * @param calls have the threads that complete futures, and refuse waits
 */
record InspectedLocks(String algorithm, Supplier<Optional<LockInspection>> inspection, CallContext calls)
        implements LockInspector {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Override
    public LockState inspect(String lockId) {
        checkId(lockId);
        return await(lockId, "inspectAsync", () -> store().inspect(lockId));
    }

    @Override
    public CompletableFuture<LockState> inspectAsync(String lockId) {
        checkId(lockId);
        return future(lockId, store().inspect(lockId));
    }

    @Override
    public LockPage list(String idPrefix, String page) {
        checkPrefix(idPrefix);
        return await(idPrefix, "listAsync", () -> store().list(idPrefix, page));
    }

    @Override
    public CompletableFuture<LockPage> listAsync(String idPrefix, String page) {
        checkPrefix(idPrefix);
        return future(idPrefix, store().list(idPrefix, page));
    }

    private static void checkPrefix(String idPrefix) {
        if (idPrefix == null || !idPrefix.isEmpty()) {
            checkId(idPrefix);
        }
    }

    private static void checkId(String lockId) {
        LockRequest.of(lockId);
    }

    private LockInspection store() {
        return inspection
                .get()
                .orElseThrow(() -> new UnsupportedOperationException("Locks of the algorithm '" + algorithm
                        + "' cannot be inspected: it is the application's own, or its locks are in several clusters"));
    }

    /** @param instead the method that does not wait on the calling thread */
    private <T> T await(String lockId, String instead, Supplier<CompletionStage<T>> read) {
        calls.waits().requireAllowed(() -> "Lock '" + lockId + "' was not inspected", instead);
        try {
            return read.get().toCompletableFuture().get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(
                    lockId, "Lock '" + lockId + "' was not inspected: the thread was interrupted", e);
        } catch (TimeoutException e) {
            throw failure(lockId, "Cassandra did not answer within " + PATIENCE.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw failure(lockId, e);
        }
    }

    /** A callback thread completes it: on a thread of the driver, actions that follow could delay the renewal of a lease. */
    private <T> CompletableFuture<T> future(String lockId, CompletionStage<T> read) {
        CompletableFuture<T> future = new CompletableFuture<>();
        read.whenCompleteAsync(
                (result, failure) -> {
                    if (failure == null) {
                        future.complete(result);
                    } else {
                        future.completeExceptionally(failure(lockId, failure));
                    }
                },
                calls.threads().callbacks());
        return future;
    }

    private static LockStoreException failure(String lockId, Throwable failure) {
        Throwable cause = PendingCall.innermost(failure);
        return failure(lockId, String.valueOf(cause.getMessage()), cause);
    }

    private static LockStoreException failure(String lockId, String why, Throwable cause) {
        return new LockStoreException(
                lockId,
                "Lock '" + lockId + "' could not be inspected: " + why + ". Check the cluster and try again",
                cause);
    }
}
