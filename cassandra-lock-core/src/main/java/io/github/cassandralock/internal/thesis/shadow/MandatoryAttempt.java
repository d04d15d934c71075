package io.github.cassandralock.internal.thesis.shadow;

/** GetLock (thesis, listing 5): repeats TryLock until it succeeds. */
final class MandatoryAttempt extends ShadowAttempt {

    MandatoryAttempt(ShadowAlgorithm.Context context, String lockId, String threadId) {
        super(context, lockId, threadId, context.settings().lease());
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
