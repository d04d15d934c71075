package io.github.cassandralock.internal.thesis.shadow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** TryGetLock on listing 4: is refused if another thread is the owner. */
final class SoftAttempt extends ShadowAttempt {

    /*
     * If several try at once, each may see the others and leave; so they try again as listing 5 does, or nobody would
     * get a lock that is free. For a while only: the other one may be dead, and its cell there until it expires.
     */
    private static final Duration CONFLICT_WINDOW = Duration.ofSeconds(1);

    private @Nullable Long firstConflictAt;

    SoftAttempt(ShadowAlgorithm.Context context, String lockId, String threadId) {
        super(context, lockId, threadId, Duration.ZERO);
    }

    @Override
    void anotherThreadIsOwner() {
        refuse();
    }

    @Override
    void concurrentAttempt() {
        long now = context().ticker().nanos();
        if (firstConflictAt == null) {
            firstConflictAt = now;
        }
        if (now - firstConflictAt < CONFLICT_WINDOW.toNanos()) {
            sleepAfterConcurrentAttempt();
        } else {
            refuse();
        }
    }
}
