package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockRequests;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An annotated call that has to take several locks, or the nodes of a path, all or none. */
record SeveralLocks(RemoteLocker locker, LockOperation operation, LockRequests request)
        implements LockCall<RemoteLocks> {

    @Override
    public List<LockRequest> requests() {
        return request.inOrder();
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
        return required(granted.getLock(lockId));
    }
}
