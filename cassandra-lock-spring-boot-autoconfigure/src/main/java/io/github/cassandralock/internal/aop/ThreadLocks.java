package io.github.cassandralock.internal.aop;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The locks under which the current thread runs, by their keys. */
final class ThreadLocks implements OuterHolds {

    @SuppressWarnings("ThreadLocalUsage") // one per application context; entries end with their calls
    private final ThreadLocal<@Nullable Map<String, Hold>> holds = new ThreadLocal<>();

    @Override
    public @Nullable Hold lock(String lockId) {
        return byKey(lockId);
    }

    /** The hold with this key; null if there is none. */
    @Nullable
    Hold byKey(String key) {
        return present().get(key);
    }

    /**
     * First removes holds that another thread has released: a transaction can end on any thread, without a callback on this one.
     */
    private Map<String, Hold> present() {
        Map<String, Hold> mine = holds.get();
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
    public @Nullable Hold node(String lockId) {
        return present().values().stream()
                .filter(hold -> hold.isNode() && hold.lockId().equals(lockId))
                .findFirst()
                .orElse(null);
    }

    /**
     * Shares these holds.
     *
     * @param nested of the call that shares them
     * @return each of them is to be left
     * @throws io.github.cassandralock.LockLostException if one of them is lost; none is shared then
     * @throws IllegalStateException if one of them is held in a mode that does not cover the call's mode; none is shared then
     */
    static List<Hold> shared(List<Hold> outer, LockOperation nested) {
        outer.forEach(hold -> hold.lock().ensureHeld());
        outer.forEach(hold -> hold.requireCovers(nested));
        List<Hold> shared = new ArrayList<>();
        try {
            outer.forEach(hold -> shared.add(hold.share()));
            return shared;
        } catch (RuntimeException e) {
            new Holds(shared, List.of()).leaveAsync();
            throw e;
        }
    }

    void add(Hold hold) {
        Map<String, Hold> mine = holds.get();
        if (mine == null) {
            mine = new LinkedHashMap<>();
            holds.set(mine);
        }
        mine.put(hold.key(), hold);
    }

    void remove(Hold hold) {
        Map<String, Hold> mine = holds.get();
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
