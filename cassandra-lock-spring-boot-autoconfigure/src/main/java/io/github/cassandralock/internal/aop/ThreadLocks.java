package io.github.cassandralock.internal.aop;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The locks under which the current thread runs, by their keys. */
final class ThreadLocks implements OuterHolds {

    @SuppressWarnings("ThreadLocalUsage") // one per application context; entries end with their calls
    private final ThreadLocal<@Nullable Map<Hold.Key, Hold>> holds = new ThreadLocal<>();

    @SuppressWarnings("ThreadLocalUsage") // one per application context; entries end with their calls
    private final ThreadLocal<@Nullable Holds> running = new ThreadLocal<>();

    /** The lockers of calls so far: a few. */
    private final Set<String> lockers = ConcurrentHashMap.newKeySet();

    /** Makes a call the innermost one of this thread, which must close the scope. */
    WorkTracing.Scope enter(Holds call) {
        lockers.add(call.locker());
        Holds outer = running.get();
        running.set(call);
        return outer == null ? running::remove : () -> running.set(outer);
    }

    @Override
    public @Nullable Holds running() {
        return running.get();
    }

    @Override
    public @Nullable Hold lock(String locker, String lockId) {
        return find(new Hold.Key(locker, lockId));
    }

    @Nullable
    Hold find(Hold.Key key) {
        return present().get(key);
    }

    /**
     * First removes holds that another thread has released. A transaction can end on any thread, without a callback on this thread.
     */
    private Map<Hold.Key, Hold> present() {
        Map<Hold.Key, Hold> mine = holds.get();
        if (mine == null) {
            return Map.of();
        }
        mine.values().removeIf(Hold::isOver);
        if (mine.isEmpty()) {
            holds.remove();
        }
        return mine;
    }

    @Override
    public @Nullable Hold node(String locker, String lockId) {
        return present().values().stream()
                .filter(hold -> hold.isNode()
                        && hold.locker().equals(locker)
                        && hold.lockId().equals(lockId))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Collection<String> lockers() {
        return lockers;
    }

    void add(Hold hold) {
        Map<Hold.Key, Hold> mine = holds.get();
        if (mine == null) {
            mine = new LinkedHashMap<>();
            holds.set(mine);
        }
        mine.put(hold.key(), hold);
    }

    void remove(Hold hold) {
        Map<Hold.Key, Hold> mine = holds.get();
        if (mine != null) {
            mine.remove(hold.key(), hold);
            if (mine.isEmpty()) {
                holds.remove();
            }
        }
    }

    /** @throws io.github.cassandralock.LockLostException if any of them is lost */
    void ensureAllHeld() {
        present().values().forEach(hold -> hold.lock().ensureHeld());
    }
}
