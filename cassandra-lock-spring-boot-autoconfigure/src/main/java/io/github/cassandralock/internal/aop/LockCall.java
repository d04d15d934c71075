package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What one annotated call requests of the locker: one lock, or several together.
 *
 * @param <G> what the locker grants
 */
sealed interface LockCall<G> {

    /** @param named what the key names, without the locks of outer calls */
    static LockCall<?> of(RemoteLocker locker, LockOperation operation, MultiLockRequest named) {
        LockRequest first = named.getRequests().get(0);
        return named.getRequests().size() == 1 && first.getPath().isEmpty()
                ? new OneLock(locker, operation, operation.request(first))
                : new SeveralLocks(locker, operation, operation.requests(named));
    }

    RemoteLocker locker();

    LockOperation operation();

    /** Returns one for each lock, in the order of acquisition. */
    List<LockRequest> requests();

    /** Waits, at most for the time-out of the annotation. */
    G get();

    /** Returns empty if a lock is taken. */
    Optional<G> tryGet();

    CompletableFuture<G> getAsync();

    CompletableFuture<Optional<G>> tryGetAsync();

    /** Returns one of the granted locks. */
    RemoteLock lock(G granted, String lockId);

    default List<String> lockIds() {
        return requests().stream().map(LockRequest::getLockId).toList();
    }

    /** Whether the locks are nodes of paths. */
    default boolean isOfPaths() {
        return requests().get(0).getPath().isPresent();
    }

    /** Returns one for each lock, in the order of acquisition. */
    default List<Hold> holds(G granted) {
        return requests().stream()
                .map(one -> Hold.of(locker(), one, lock(granted, one.getLockId()), operation()))
                .toList();
    }

    /**
     * Acquires the locks. Locks for a stage belong to it and not to the calling thread. If that thread requests such a lock
     * meanwhile, it waits like any other thread.
     *
     * @param forStage whether the call returns a stage
     * @return empty if the strategy does not wait, and one of the locks is taken
     */
    default Optional<List<Hold>> take(boolean forStage) {
        return switch (operation().strategy()) {
            case GET_LOCK -> Optional.of(forStage ? holdsOfItsOwn(await(getAsync())) : holds(get()));
            case TRY_GET_LOCK -> forStage ? await(tryGetAsync()).map(this::holdsOfItsOwn) : tryGet().map(this::holds);
        };
    }

    /** Returns holds that belong to a stage or a publisher. */
    default List<Hold> holdsOfItsOwn(G granted) {
        return holds(granted).stream().map(Hold::ofItsOwn).toList();
    }

    private <T> T await(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            leave(future);
            throw new LockInterruptedException(
                    lockIds().get(0),
                    "The thread was interrupted while it waited for " + LockIds.text(lockIds())
                            + "; the queue was left and nothing is held",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (IllegalStateException mustNotWait) {
            leave(future);
            throw mustNotWait;
        }
    }

    private static void leave(CompletableFuture<?> future) {
        if (!future.cancel(false)) {
            future.thenAccept(LockCall::release);
        }
    }

    /**
     * Returns an answer of the locker. A mock of a locker may return null.
     *
     * @throws IllegalStateException if it is null
     */
    default <T> T required(@Nullable T answer) {
        if (answer == null) {
            throw new IllegalStateException("The RemoteLocker returned null for " + LockIds.text(lockIds())
                    + ". If it is a mock, stub getLock(LockRequest), or getLock(LockRequest, Duration) if the annotation has a"
                    + " timeout, with a RemoteLock; for a method that returns a stage or a publisher, stub getLockAsync with a"
                    + " future of a RemoteLock; for a key that is a collection, stub getLocks and getLocksAsync");
        }
        return answer;
    }

    /** Closes what was granted after the call has ended: locks, or an answer with locks. */
    static void release(Object granted) {
        if (granted instanceof RemoteLock lock) {
            lock.closeAsync();
        } else if (granted instanceof RemoteLocks locks) {
            locks.closeAsync();
        } else if (granted instanceof Optional<?> answer) {
            answer.ifPresent(LockCall::release);
        }
    }

    /** An annotated call that acquires one lock. */
    record OneLock(RemoteLocker locker, LockOperation operation, LockRequest request) implements LockCall<RemoteLock> {

        @Override
        public List<LockRequest> requests() {
            return List.of(request);
        }

        @Override
        public RemoteLock get() {
            Duration timeout = operation.timeout();
            return required(timeout == null ? locker.getLock(request) : locker.getLock(request, timeout));
        }

        @Override
        public Optional<RemoteLock> tryGet() {
            return locker.tryGetLock(request);
        }

        @Override
        public CompletableFuture<RemoteLock> getAsync() {
            Duration timeout = operation.timeout();
            return required(timeout == null ? locker.getLockAsync(request) : locker.getLockAsync(request, timeout));
        }

        @Override
        public CompletableFuture<Optional<RemoteLock>> tryGetAsync() {
            return required(locker.tryGetLockAsync(request));
        }

        @Override
        public RemoteLock lock(RemoteLock granted, String lockId) {
            return granted;
        }
    }

    /** An annotated call that acquires several locks, or the nodes of a path, all or none. */
    record SeveralLocks(RemoteLocker locker, LockOperation operation, MultiLockRequest request)
            implements LockCall<RemoteLocks> {

        @Override
        public List<LockRequest> requests() {
            return request.getRequests();
        }

        @Override
        public RemoteLocks get() {
            Duration timeout = operation.timeout();
            return required(timeout == null ? locker.getLocks(request) : locker.getLocks(request, timeout));
        }

        @Override
        public Optional<RemoteLocks> tryGet() {
            return locker.tryGetLocks(request);
        }

        @Override
        public CompletableFuture<RemoteLocks> getAsync() {
            Duration timeout = operation.timeout();
            return required(timeout == null ? locker.getLocksAsync(request) : locker.getLocksAsync(request, timeout));
        }

        @Override
        public CompletableFuture<Optional<RemoteLocks>> tryGetAsync() {
            return required(locker.tryGetLocksAsync(request));
        }

        @Override
        public RemoteLock lock(RemoteLocks granted, String lockId) {
            return required(granted.get(lockId));
        }
    }
}
