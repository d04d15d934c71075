package io.github.cassandralock.autoconfigure.operator;

import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import java.util.concurrent.CompletableFuture;

/** The inspector beside a locker of the application or of a test: where that has its locks is unknown. */
final class UnknownLocks implements LockInspector {

    private static UnsupportedOperationException unknown(String id) {
        return new UnsupportedOperationException(
                "Lock '" + id
                        + "' cannot be inspected: the RemoteLocker is a bean of the application or of a test. Define a LockInspector bean beside it");
    }

    @Override
    public LockState inspect(String lockId) {
        throw unknown(lockId);
    }

    @Override
    public CompletableFuture<LockState> inspectAsync(String lockId) {
        throw unknown(lockId);
    }

    @Override
    public LockPage list(String idPrefix, String page) {
        throw unknown(idPrefix);
    }

    @Override
    public CompletableFuture<LockPage> listAsync(String idPrefix, String page) {
        throw unknown(idPrefix);
    }
}
