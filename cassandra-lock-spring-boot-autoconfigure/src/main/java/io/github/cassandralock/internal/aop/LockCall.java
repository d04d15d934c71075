package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockRequests;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one annotated call asks the locker for: one lock, or several together.
 *
 * @param lockIds of the locks that the call has to take; at least one
 */
record LockCall(RemoteLocker locker, LockOperation operation, List<String> lockIds) {

    Strategy strategy() {
        return operation.strategy();
    }

    boolean isForOne() {
        return lockIds.size() == 1;
    }

    /** Takes the locks on the calling thread, or none if the strategy does not wait and one of them is taken. */
    Optional<List<Hold>> take() {
        if (strategy() == Strategy.TRY_GET_LOCK) {
            return isForOne()
                    ? locker.tryGetLock(one()).map(lock -> List.of(one(lock)))
                    : locker.tryGetLocks(all()).map(this::each);
        }
        return Optional.of(isForOne() ? List.of(one(getOne())) : each(getAll()));
    }

    private RemoteLock getOne() {
        Duration timeout = timeout();
        return required(timeout == null ? locker.getLock(one()) : locker.getLock(one(), timeout));
    }

    private RemoteLocks getAll() {
        Duration timeout = timeout();
        return required(timeout == null ? locker.getLocks(all()) : locker.getLocks(all(), timeout));
    }

    CompletableFuture<RemoteLock> getOneAsync() {
        Duration timeout = timeout();
        return required(timeout == null ? locker.getLockAsync(one()) : locker.getLockAsync(one(), timeout));
    }

    CompletableFuture<RemoteLocks> getAllAsync() {
        Duration timeout = timeout();
        return required(timeout == null ? locker.getLocksAsync(all()) : locker.getLocksAsync(all(), timeout));
    }

    CompletableFuture<Optional<RemoteLock>> tryOneAsync() {
        return required(locker.tryGetLockAsync(one()));
    }

    CompletableFuture<Optional<RemoteLocks>> tryAllAsync() {
        return required(locker.tryGetLocksAsync(all()));
    }

    private LockRequest one() {
        return operation.request(lockIds.get(0));
    }

    private LockRequests all() {
        return operation.requests(lockIds);
    }

    private @Nullable Duration timeout() {
        return operation.timeout();
    }

    private <T> T required(@Nullable T answer) {
        return LockerAnswers.required(answer, lockIds);
    }

    Hold one(RemoteLock lock) {
        return new Hold(lockIds.get(0), lock);
    }

    /** In the order in which they were taken. */
    List<Hold> each(RemoteLocks locks) {
        return lockIds.stream()
                .sorted()
                .map(lockId -> new Hold(lockId, required(locks.getLock(lockId))))
                .toList();
    }
}
