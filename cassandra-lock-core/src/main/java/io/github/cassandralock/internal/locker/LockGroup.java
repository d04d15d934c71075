package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.locker.call.CallContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The handle of several locks that one call has taken together. */
final class LockGroup implements RemoteLocks {

    /** How many lock ids {@link #toString} lists. */
    private static final int PRINTED = 10;

    private final Map<String, LockHandle> locks;
    private final CallContext context;

    /** @param inOrder as they were taken */
    LockGroup(List<LockHandle> inOrder, CallContext context) {
        Map<String, LockHandle> byId = new LinkedHashMap<>();
        inOrder.forEach(lock -> byId.put(lock.getLockId(), lock));
        this.locks = Collections.unmodifiableMap(byId);
        this.context = context;
    }

    @Override
    public Set<String> getLockIds() {
        return locks.keySet();
    }

    @Override
    public RemoteLock get(String lockId) {
        LockHandle lock = locks.get(lockId);
        if (lock == null) {
            throw new IllegalArgumentException("Lock '" + LockRequest.of(lockId).getLockId()
                    + "' is not one of the locks that were taken together; getLockIds() returns their ids");
        }
        return lock;
    }

    @Override
    public boolean isHeld() {
        return locks.values().stream().allMatch(LockHandle::isHeld);
    }

    /** Throws the loss of a lock even if the locks were closed since. */
    @Override
    public void ensureHeld() {
        @Nullable IllegalStateException closed = null;
        for (LockHandle lock : locks.values()) {
            try {
                lock.ensureHeld();
            } catch (IllegalStateException e) {
                closed = closed == null ? e : closed;
            }
        }
        if (closed != null) {
            throw closed;
        }
    }

    @Override
    public void onLost(Consumer<LockLoss> callback) {
        AtomicBoolean ran = new AtomicBoolean();
        locks.values()
                .forEach(lock -> lock.onLost(loss -> {
                    if (ran.compareAndSet(false, true)) {
                        callback.accept(loss.ofLock(lock.getLockId()));
                    }
                }));
    }

    @Override
    public void onContention(Runnable callback) {
        AtomicBoolean ran = new AtomicBoolean();
        locks.values()
                .forEach(lock -> lock.onContention(() -> {
                    if (isHeld() && ran.compareAndSet(false, true)) {
                        callback.run();
                    }
                }));
    }

    /** Releases the lock that was taken last first. */
    private CompletableFuture<Void> release() {
        List<LockHandle> lastFirst = new ArrayList<>(locks.values());
        Collections.reverse(lastFirst);
        return CompletableFuture.allOf(
                lastFirst.stream().map(handle -> handle.lock().release()).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void close() {
        context.await(
                release(),
                () -> locks.size() + " locks that were taken together, the first of them '"
                        + locks.keySet().iterator().next() + "',");
    }

    /** The first lock ids, and whether all locks are held. */
    @Override
    public String toString() {
        String first = locks.keySet().stream().limit(PRINTED).collect(Collectors.joining(", "));
        String others = locks.size() > PRINTED ? " and " + (locks.size() - PRINTED) + " more" : "";
        return "RemoteLocks[" + first + others + ", " + (isHeld() ? "held" : "not held") + "]";
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        return context.releasedOnCallbackThread(
                release(), locks.keySet().iterator().next());
    }
}
