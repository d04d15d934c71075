package io.github.cassandralock.internal.aop;

import io.github.cassandralock.RemoteLocker;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The locks under which the current thread runs, by their keys. Contexts with a common parent that has the aspect share them. */
final class ThreadLocks implements OuterHolds {

    @SuppressWarnings("ThreadLocalUsage") // one per hierarchy of contexts; entries end with their calls
    private final ThreadLocal<@Nullable Map<Hold.Key, Hold>> holds = new ThreadLocal<>();

    @SuppressWarnings("ThreadLocalUsage") // one per hierarchy of contexts; entries end with their calls
    private final ThreadLocal<@Nullable Holds> running = new ThreadLocal<>();

    /** Makes a call the innermost one of this thread, which must close the scope. */
    WorkTracing.Scope enter(Holds call) {
        Holds outer = running.get();
        running.set(call);
        return outer == null ? running::remove : () -> running.set(outer);
    }

    @Override
    public @Nullable Holds running() {
        return running.get();
    }

    @Override
    public @Nullable Hold lock(RemoteLocker locker, String lockId) {
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
    public @Nullable Hold node(RemoteLocker locker, String lockId) {
        return present().values().stream()
                .filter(hold -> hold.isNode()
                        && Objects.equals(hold.locker(), locker)
                        && hold.lockId().equals(lockId))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Stream<RemoteLocker> lockers() {
        return List.copyOf(present().values()).stream().map(Hold::locker).distinct();
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
