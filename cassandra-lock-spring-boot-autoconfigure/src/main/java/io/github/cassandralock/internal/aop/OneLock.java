package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An annotated call that has to take one lock. */
record OneLock(RemoteLocker locker, LockOperation operation, String lockId) implements LockCall<RemoteLock> {

    @Override
    public List<String> lockIds() {
        return List.of(lockId);
    }

    @Override
    public boolean isOfPaths() {
        return false;
    }

    @Override
    public RemoteLock get() {
        Duration timeout = operation.timeout();
        return required(timeout == null ? locker.getLock(request()) : locker.getLock(request(), timeout));
    }

    @Override
    public Optional<RemoteLock> tryGet() {
        return locker.tryGetLock(request());
    }

    @Override
    public CompletableFuture<RemoteLock> getAsync() {
        Duration timeout = operation.timeout();
        return required(timeout == null ? locker.getLockAsync(request()) : locker.getLockAsync(request(), timeout));
    }

    @Override
    public CompletableFuture<Optional<RemoteLock>> tryGetAsync() {
        return required(locker.tryGetLockAsync(request()));
    }

    @Override
    public List<Hold> holds(RemoteLock granted) {
        return List.of(Hold.of(request(), granted, operation));
    }

    private LockRequest request() {
        return operation.request(lockId);
    }

    private <T> T required(@Nullable T answer) {
        return LockerAnswers.required(answer, lockIds());
    }
}
