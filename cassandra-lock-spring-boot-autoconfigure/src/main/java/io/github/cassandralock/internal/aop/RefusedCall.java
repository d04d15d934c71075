package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.LockNotAcquiredException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The result or the exception of a call that does not wait, and found a lock taken. */
final class RefusedCall {

    private RefusedCall() {}

    static @Nullable Object answer(LockOperation operation, List<String> lockIds, Class<?> returnType) {
        if (operation.whenBusy() == WhenBusy.THROW) {
            throw exception(operation, lockIds);
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

    /** Of several locks, the exception concerns the first one; the message names all. */
    static LockNotAcquiredException exception(LockOperation operation, List<String> lockIds) {
        String which = lockIds.size() == 1 ? "Lock '" + lockIds.get(0) + "'" : "One of the " + LockIds.text(lockIds);
        return new LockNotAcquiredException(
                lockIds.get(0),
                which + " is taken, so " + operation.methodName()
                        + " was not run; try again later, or wait for it with strategy = GET_LOCK");
    }
}
