package io.github.cassandralock.testing.workload;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** For lockers that share a JVM. A counter is read and written, never incremented in one step. */
public final class ProtectedMemory implements ProtectedResource {

    private final Map<String, Long> counters = new ConcurrentHashMap<>();
    private final Map<String, Long> highest = new ConcurrentHashMap<>();

    @Override
    public long read(String lockId) {
        return counters.getOrDefault(lockId, 0L);
    }

    @Override
    public void write(String lockId, long value) {
        counters.put(lockId, value);
    }

    @Override
    public boolean register(String lockId, long token, String worker, long sequence) {
        AtomicBoolean entered = new AtomicBoolean();
        highest.compute(lockId, (id, seen) -> {
            entered.set(seen == null || seen < token);
            return entered.get() ? token : seen;
        });
        return entered.get();
    }
}
