package io.github.cassandralock.autoconfigure.locker;

import io.github.cassandralock.internal.locker.AlgorithmLocker;
import java.util.concurrent.atomic.AtomicReference;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;

/**
 * Begins a new session when the process is restored from a checkpoint. A checkpoint may be restored several times, and two
 * processes must not share a session. The platform holds a weak reference only; the application context keeps the bean alive.
 */
final class SessionPerRestore implements Resource, LockerHook {

    private final AtomicReference<@Nullable AlgorithmLocker> locker = new AtomicReference<>();

    /** Registers the locker: each restore is reported to it. */
    @Override
    public void created(AlgorithmLocker created) {
        locker.set(created);
        Core.getGlobalContext().register(this);
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) {
        // Locks stay held: the process may continue at once, and the renewals continue with it.
    }

    @Override
    public void afterRestore(Context<? extends Resource> context) {
        AlgorithmLocker created = locker.get();
        if (created != null) {
            created.restored();
        }
    }
}
