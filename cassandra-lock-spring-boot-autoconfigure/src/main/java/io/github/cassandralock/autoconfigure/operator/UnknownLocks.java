package io.github.cassandralock.autoconfigure.operator;

import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import java.util.concurrent.CompletableFuture;

/**
 * The inspector for a {@code RemoteLocker} that is a bean of the application or of a test. It is unknown where such a locker keeps
 * its locks. Therefore each method throws {@link UnsupportedOperationException}.
 */
final class UnknownLocks implements LockInspector {

    private static UnsupportedOperationException unknown(String what) {
        return new UnsupportedOperationException(
                what
                        + " cannot be read: the RemoteLocker is a bean of the application or of a test. Define a LockInspector bean beside it");
    }

    @Override
    public LockState inspect(String lockId) {
        throw unknown("Lock '" + lockId + "'");
    }

    @Override
    public CompletableFuture<LockState> inspectAsync(String lockId) {
        throw unknown("Lock '" + lockId + "'");
    }

    @Override
    public LockPage list(String idPrefix, String page) {
        throw unknown("The list of locks");
    }

    @Override
    public CompletableFuture<LockPage> listAsync(String idPrefix, String page) {
        throw unknown("The list of locks");
    }
}
