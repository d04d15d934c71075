package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockRequests;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An annotated call that has to take several locks, all or none. */
record SeveralLocks(RemoteLocker locker, LockOperation operation, List<String> lockIds)
        implements LockCall<RemoteLocks> {

    @Override
    public RemoteLocks get() {
        Duration timeout = operation.timeout();
        return required(timeout == null ? locker.getLocks(request()) : locker.getLocks(request(), timeout));
    }

    @Override
    public Optional<RemoteLocks> tryGet() {
        return locker.tryGetLocks(request());
    }

    @Override
    public CompletableFuture<RemoteLocks> getAsync() {
        Duration timeout = operation.timeout();
        return required(timeout == null ? locker.getLocksAsync(request()) : locker.getLocksAsync(request(), timeout));
    }

    @Override
    public CompletableFuture<Optional<RemoteLocks>> tryGetAsync() {
        return required(locker.tryGetLocksAsync(request()));
    }

    @Override
    public List<Hold> holds(RemoteLocks granted) {
        return request().inOrder().stream()
                .map(LockRequest::lockId)
                .map(lockId -> new Hold(lockId, required(granted.getLock(lockId)), operation))
                .toList();
    }

    private LockRequests request() {
        return operation.requests(lockIds);
    }

    private <T> T required(@Nullable T answer) {
        return LockerAnswers.required(answer, lockIds());
    }
}
