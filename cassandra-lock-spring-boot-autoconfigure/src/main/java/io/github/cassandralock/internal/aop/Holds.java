package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks under which one call runs: locks shared with outer calls, and locks that the call has acquired itself. Thread-safe.
 *
 * @param taken in the order in which they were acquired
 */
record Holds(List<Hold> shared, List<Hold> taken) {

    private static final Logger log = LoggerFactory.getLogger(Holds.class);

    /**
     * Shares holds of outer calls.
     *
     * @param nested of the call that shares them
     * @return each of them is to be left
     * @throws io.github.cassandralock.LockLostException if one of them is lost; none is shared then
     * @throws IllegalStateException if one of them is held in a mode that does not cover the call's mode; none is shared then
     */
    static Holds sharing(List<Hold> outer, LockOperation nested) {
        outer.forEach(hold -> hold.lock().ensureHeld());
        outer.forEach(hold -> hold.requireCovers(nested));
        Holds shared = new Holds(new ArrayList<>(), List.of());
        try {
            outer.forEach(hold -> shared.shared().add(hold.share()));
            return shared;
        } catch (RuntimeException e) {
            shared.leaveAsync();
            throw e;
        }
    }

    /** The observation of the lock that the call acquired last; null if it acquired none: its work is part of an outer call then. */
    @Nullable
    Object observation(WorkTracing tracing) {
        return taken.isEmpty() ? null : tracing.hold(taken.get(taken.size() - 1).lock());
    }

    /**
     * Whether the call has acquired nodes of a path. They belong to the thread, unless the method declares that its work continues.
     */
    boolean areNodes() {
        return taken.stream().anyMatch(Hold::isNode);
    }

    /** The locker of the call: all its locks are of one. */
    RemoteLocker locker() {
        return all().get(0).locker();
    }

    List<Hold> all() {
        List<Hold> all = new ArrayList<>(shared);
        all.addAll(taken);
        return all;
    }

    /** The lock of a call with a period, which has one lock. */
    RemoteLock onlyLock() {
        return all().get(0).lock();
    }

    /** The locks that the key names. Of a path this is the lowest node. */
    List<Hold> named() {
        Set<String> above =
                all().stream().flatMap(hold -> hold.nodeAbove().stream()).collect(Collectors.toSet());
        return all().stream()
                .filter(hold -> !(hold.isNode() && above.contains(hold.lockId())))
                .toList();
    }

    Optional<Hold> find(String lockId) {
        return all().stream().filter(hold -> hold.lockId().equals(lockId)).findFirst();
    }

    /**
     * Throws the loss of a lock even if others were closed since.
     *
     * @throws io.github.cassandralock.LockLostException if any of them is lost
     * @throws IllegalStateException if any of them was closed
     */
    void ensureHeld() {
        IllegalStateException closed = null;
        for (Hold hold : all()) {
            try {
                hold.lock().ensureHeld();
            } catch (IllegalStateException e) {
                closed = closed == null ? e : closed;
            }
        }
        if (closed != null) {
            throw closed;
        }
    }

    /** Of several locks, the loss names its own. */
    void onLost(Consumer<LockLoss> callback) {
        List<Hold> all = all();
        all.forEach(hold ->
                hold.lock().onLost(all.size() == 1 ? callback : loss -> callback.accept(loss.ofLock(hold.lockId()))));
    }

    /** Begins all releases, in the reverse order of their acquisition, and then waits for them. */
    void leave() {
        List<RemoteLock> closing = closing();
        if (closing.size() > 1) {
            closing.forEach(Holds::closeAsync);
        }
        closing.forEach(RemoteLock::close);
    }

    /** Begins all releases, in the reverse order of their acquisition. Does not block or throw. */
    CompletionStage<Void> leaveAsync() {
        return CompletableFuture.allOf(closing().stream().map(Holds::closeAsync).toArray(CompletableFuture<?>[]::new));
    }

    /** If a locker, or a mock, fails to close one lock, the others are closed nevertheless. */
    private static CompletableFuture<Void> closeAsync(RemoteLock lock) {
        try {
            CompletionStage<Void> closed = lock.closeAsync();
            return closed == null ? CompletableFuture.completedFuture(null) : closed.toCompletableFuture();
        } catch (RuntimeException e) {
            log.warn("Lock '{}' could not be closed", lock.getLockId(), e);
            return CompletableFuture.completedFuture(null);
        }
    }

    private List<RemoteLock> closing() {
        List<Hold> lastFirst = all();
        Collections.reverse(lastFirst);
        return lastFirst.stream().filter(Hold::isLastToLeave).map(Hold::lock).toList();
    }

    /** For messages: {@code lock 'a'}, or {@code locks 'a', 'b'}. */
    String names() {
        return LockIds.text(all().stream().map(Hold::lockId).toList());
    }
}
