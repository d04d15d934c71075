package io.github.cassandralock.internal.thesis.shadow;

import java.time.Duration;

/** TryGetLock with listing 4: is refused if another thread is the owner. */
final class TryAttempt extends ShadowAttempt {

    /*
     * If several threads try a free lock at the same time, each may see the others and leave, and none gets the lock. Therefore
     * they try again, as in listing 5. A limit ends this, because the other thread may be dead, and its cell exists until it
     * expires.
     */

    TryAttempt(ShadowContext context, String lockId, String threadId) {
        super(context, lockId, threadId, Duration.ZERO);
    }

    @Override
    void anotherThreadIsOwner() {
        refuse();
    }

    @Override
    void concurrentAttempt() {
        if (isConflictTooLong()) {
            refuse();
        } else {
            sleepAfterConcurrentAttempt();
        }
    }
}
