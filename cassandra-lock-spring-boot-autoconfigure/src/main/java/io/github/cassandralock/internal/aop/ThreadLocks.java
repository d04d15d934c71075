package io.github.cassandralock.internal.aop;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The locks under which the current thread is working, by lock id. */
final class ThreadLocks {

    @SuppressWarnings("ThreadLocalUsage") // one per application context; entries end with their calls
    private final ThreadLocal<@Nullable Map<String, Hold>> holds = new ThreadLocal<>();

    @Nullable
    Hold get(String lockId) {
        Map<String, Hold> mine = holds.get();
        return mine == null ? null : mine.get(lockId);
    }

    void add(Hold hold) {
        Map<String, Hold> mine = holds.get();
        if (mine == null) {
            mine = new LinkedHashMap<>();
            holds.set(mine);
        }
        mine.put(hold.lock().getLockId(), hold);
    }

    void remove(Hold hold) {
        Map<String, Hold> mine = holds.get();
        if (mine != null) {
            mine.remove(hold.lock().getLockId(), hold);
            if (mine.isEmpty()) {
                holds.remove();
            }
        }
    }

    /** @throws io.github.cassandralock.LockLostException if any of them is lost */
    void ensureAllHeld() {
        Map<String, Hold> mine = holds.get();
        if (mine != null) {
            mine.values().forEach(hold -> hold.lock().ensureHeld());
        }
    }
}
