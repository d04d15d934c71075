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
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
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
        return await(Subject.lock(lockId), "inspectAsync", () -> store().inspect(lockId));
    }

    @Override
    public CompletableFuture<LockState> inspectAsync(String lockId) {
        checkId(lockId);
        return future(Subject.lock(lockId), store().inspect(lockId));
    }

    @Override
    public LockPage list(String idPrefix, String page) {
        checkPrefix(idPrefix);
        return await(Subject.list(idPrefix), "listAsync", () -> store().list(idPrefix, page));
    }

    @Override
    public CompletableFuture<LockPage> listAsync(String idPrefix, String page) {
        checkPrefix(idPrefix);
        return future(Subject.list(idPrefix), store().list(idPrefix, page));
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

    /**
     * What a call reads.
     *
     * @param lockId the lock, or the beginning of the ids
     * @param text begins messages
     */
    private record Subject(String lockId, String text) {

        private static Subject lock(String lockId) {
            return new Subject(lockId, "Lock '" + lockId + "'");
        }

        private static Subject list(String idPrefix) {
            return new Subject(
                    idPrefix, idPrefix.isEmpty() ? "The list of locks" : "The list of locks '" + idPrefix + "…'");
        }

        private String notRead() {
            return text + " was not read";
        }

        private LockStoreException failure(String why, Throwable cause) {
            return new LockStoreException(
                    lockId, text + " could not be read: " + why + ". Check the cluster and try again", cause);
        }

        private LockStoreException failure(Throwable failure) {
            Throwable cause = PendingCall.innermost(failure);
            return failure(String.valueOf(cause.getMessage()), cause);
        }
    }

    /** @param instead the method that does not wait on the calling thread */
    private <T> T await(Subject subject, String instead, Supplier<CompletionStage<T>> read) {
        calls.waits().requireAllowed(subject::notRead, instead);
        try (CallbackThreads.Replacement meanwhile = CallbackThreads.replaceThisThreadOfLosses()) {
            return read.get().toCompletableFuture().get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(subject.lockId(), subject.notRead() + ": the thread was interrupted", e);
        } catch (TimeoutException e) {
            throw subject.failure("Cassandra did not answer within " + PATIENCE.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw subject.failure(e);
        }
    }

    private <T> CompletableFuture<T> future(Subject subject, CompletionStage<T> read) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        read.whenComplete((result, failure) -> {
            if (failure == null) {
                answer.complete(result);
            } else {
                answer.completeExceptionally(subject.failure(failure));
            }
        });
        return calls.onCallbackThread(answer, subject.lockId());
    }
}
