package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.LockNotAcquiredException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The result or the exception of a call whose soft attempt found the lock taken. */
final class RefusedCall {

    private RefusedCall() {}

    static @Nullable Object answer(LockOperation operation, String lockId, Class<?> returnType) {
        if (operation.whenBusy() == WhenBusy.THROW) {
            throw exception(operation, lockId);
        }
        if (returnType == Optional.class) {
            return Optional.empty();
        }
        if (CompletionStage.class.isAssignableFrom(returnType)
                && returnType.isAssignableFrom(CompletableFuture.class)) {
            return CompletableFuture.completedFuture(null);
        }
        return null;
    }

    static LockNotAcquiredException exception(LockOperation operation, String lockId) {
        return new LockNotAcquiredException(
                lockId,
                "Lock '" + lockId + "' is taken, so " + operation.methodName()
                        + " was not run; try again later, or wait for it with strategy = GET_LOCK");
    }
}
