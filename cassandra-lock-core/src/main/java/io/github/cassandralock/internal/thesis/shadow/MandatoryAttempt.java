package io.github.cassandralock.internal.thesis.shadow;

/** GetLock (thesis, listing 5): repeats TryLock until it succeeds. */
final class MandatoryAttempt extends ShadowAttempt {

    MandatoryAttempt(ShadowAlgorithm.Parts parts, String lockId, String threadId) {
        super(parts, lockId, threadId, parts.terms().lease());
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
