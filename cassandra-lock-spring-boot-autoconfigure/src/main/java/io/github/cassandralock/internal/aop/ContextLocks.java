package io.github.cassandralock.internal.aop;

import io.github.cassandralock.RemoteLocker;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The locks under which a subscription runs: locks of outer subscriptions, and of methods on the subscribing thread. */
record ContextLocks(ContextView context, ThreadLocks threadLocks) implements OuterHolds {

    /** The key under which Reactor's context carries a hold. */
    private record HoldKey(ThreadLocks aspect, RemoteLocker locker, String lockId, boolean node) {}

    /** The key under which Reactor's context carries the locks of the innermost call. */
    private record RunningKey(ThreadLocks aspect) {}

    /** Returns the context of the work under these locks. */
    static Context under(Holds holds, ThreadLocks aspect, Context outer) {
        Context context = outer.put(new RunningKey(aspect), holds);
        for (Hold hold : holds.all()) {
            context = context.put(new HoldKey(aspect, hold.locker(), hold.lockId(), hold.isNode()), hold);
        }
        return context;
    }

    @Override
    public @Nullable Holds running() {
        return context.<Holds>getOrEmpty(new RunningKey(threadLocks)).orElseGet(threadLocks::running);
    }

    @Override
    public @Nullable Hold lock(RemoteLocker locker, String lockId) {
        return context.<Hold>getOrEmpty(new HoldKey(threadLocks, locker, lockId, false))
                .orElseGet(() -> threadLocks.lock(locker, lockId));
    }

    @Override
    public @Nullable Hold node(RemoteLocker locker, String lockId) {
        return context.<Hold>getOrEmpty(new HoldKey(threadLocks, locker, lockId, true))
                .orElseGet(() -> threadLocks.node(locker, lockId));
    }

    @Override
    public Stream<RemoteLocker> lockers() {
        Stream<RemoteLocker> ofContext = context.stream()
                .filter(entry -> entry.getValue() instanceof Hold)
                .map(entry -> ((Hold) entry.getValue()).locker());
        return Stream.concat(ofContext, threadLocks.lockers()).distinct();
    }
}
