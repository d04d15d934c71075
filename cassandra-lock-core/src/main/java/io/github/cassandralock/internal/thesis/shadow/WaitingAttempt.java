package io.github.cassandralock.internal.thesis.shadow;

/** GetLock (thesis, listing 5): repeats TryLock until it succeeds. */
final class WaitingAttempt extends ShadowAttempt {

    WaitingAttempt(ShadowContext context, String lockId, String threadId) {
        super(context, lockId, threadId, context.cells().settings().lease());
    }

    @Override
    void anotherThreadIsOwner() {
        sleepWhileOwned();
    }

    @Override
    void concurrentAttempt() {
        sleepAfterConcurrentAttempt();
    }
}
