package io.github.cassandralock.internal.aop;

import io.github.cassandralock.RemoteLock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The locks under which one call runs: those that it shares with outer calls, and those that it has taken itself. Thread-safe.
 *
 * @param taken in the order in which they were taken
 */
record Holds(List<Hold> shared, List<Hold> taken) {

    /** The lock that the call has taken last; null if it has taken none, because its work is part of that of an outer call then. */
    @Nullable
    RemoteLock lastTaken() {
        return taken.isEmpty() ? null : taken.get(taken.size() - 1).lock();
    }

    List<Hold> all() {
        List<Hold> all = new ArrayList<>(shared);
        all.addAll(taken);
        return all;
    }

    /** @throws io.github.cassandralock.LockLostException if any of them is lost */
    void ensureHeld() {
        all().forEach(hold -> hold.lock().ensureHeld());
    }

    void onLost(Consumer<String> callback) {
        all().forEach(hold -> hold.lock().onLost(callback));
    }

    /** Begins all releases, that of the lock that was taken last first, and then waits for them. */
    void leave() {
        List<RemoteLock> closing = closing();
        if (closing.size() > 1) {
            closing.forEach(RemoteLock::closeAsync);
        }
        closing.forEach(RemoteLock::close);
    }

    /** The same, without blocking. */
    CompletionStage<Void> leaveAsync() {
        return CompletableFuture.allOf(closing().stream()
                .map(lock -> lock.closeAsync().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }

    private List<RemoteLock> closing() {
        List<Hold> lastFirst = all();
        Collections.reverse(lastFirst);
        return lastFirst.stream().filter(Hold::isLastToLeave).map(Hold::lock).toList();
    }

    /** For messages: {@code lock 'a'}, or {@code locks 'a', 'b'}. */
    String names() {
        return LockIds.text(all().stream().map(hold -> hold.lock().getLockId()).toList());
    }
}
