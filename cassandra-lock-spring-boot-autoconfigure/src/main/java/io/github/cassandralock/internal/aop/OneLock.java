package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An annotated call that has to take one lock. */
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
