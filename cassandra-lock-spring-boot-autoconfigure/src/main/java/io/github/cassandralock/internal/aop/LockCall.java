package io.github.cassandralock.internal.aop;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What one annotated call asks the locker for: one lock, or several together.
 *
 * @param <G> what the locker grants
 */
sealed interface LockCall<G> permits OneLock, SeveralLocks {

    LockOperation operation();

    List<String> lockIds();

    /** Whether the locks are nodes of paths. */
    boolean isOfPaths();

    /** Waits, at most for the time-out of the annotation. */
    G get();

    /** Empty if a lock is taken. */
    Optional<G> tryGet();

    CompletableFuture<G> getAsync();

    CompletableFuture<Optional<G>> tryGetAsync();

    /** One for each lock, in the order in which they were taken. */
    List<Hold> holds(G granted);

    /** Takes the locks on the calling thread, or none if the strategy does not wait and one of them is taken. */
    default Optional<List<Hold>> take() {
        return switch (operation().strategy()) {
            case GET_LOCK -> Optional.of(holds(get()));
            case TRY_GET_LOCK -> tryGet().map(this::holds);
        };
    }

    /** Closes what the locker has granted to a call that does not want it any more: locks, or an answer with locks. */
    static void release(Object granted) {
        if (granted instanceof RemoteLock lock) {
            lock.closeAsync();
        } else if (granted instanceof RemoteLocks locks) {
            locks.closeAsync();
        } else if (granted instanceof Optional<?> answer) {
            answer.ifPresent(LockCall::release);
        }
    }
}
