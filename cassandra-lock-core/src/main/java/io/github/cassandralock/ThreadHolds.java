package io.github.cassandralock;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which locks each thread holds. What is stored for a thread ends with it. Thread-safe. */
final class ThreadHolds {

    private final ThreadLocal<Map<String, ThreadHold>> ofThisThread = ThreadLocal.withInitial(HashMap::new);

    /** What the current thread holds under this lock id; null if nothing. */
    @Nullable
    ThreadHold get(String lockId) {
        return ofThisThread.get().get(lockId);
    }

    void put(String lockId, ThreadHold hold) {
        ofThisThread.get().put(lockId, hold);
    }

    void remove(String lockId) {
        Map<String, ThreadHold> holds = ofThisThread.get();
        holds.remove(lockId);
        if (holds.isEmpty()) {
            ofThisThread.remove();
        }
    }

    /** How many locks the current thread holds. */
    int size() {
        return ofThisThread.get().size();
    }
}
