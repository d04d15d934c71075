package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.locker.AlgorithmLocker;
import java.util.concurrent.atomic.AtomicReference;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Begins a new session when the process is restored from a checkpoint: it may be restored more than once, and two processes
 * must not go on with one session. The platform keeps a weak reference; the application context keeps the bean.
 */
final class SessionPerRestore implements Resource, LockerConfiguration.RestoreHook {

    private final AtomicReference<@Nullable AlgorithmLocker> locker = new AtomicReference<>();

    /** From now on this locker hears of restores. */
    @Override
    public void tell(AlgorithmLocker created) {
        locker.set(created);
        Core.getGlobalContext().register(this);
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) {
        // Locks stay held: the process may go on at once, and renewals with it.
    }

    @Override
    public void afterRestore(Context<? extends Resource> context) {
        AlgorithmLocker created = locker.get();
        if (created != null) {
            created.restored();
        }
    }
}
