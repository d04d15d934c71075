package io.github.cassandralock.internal.aop;

import org.jspecify.annotations.Nullable;

/** Finds what the calls hold in which another one runs. */
interface OuterHolds {

    /** The hold of a lock that was named by its id; null if there is none. */
    @Nullable
    Hold lock(String lockId);

    /** The hold of a node of a path; null if there is none. */
    @Nullable
    Hold node(String lockId);

    /**
     * Checks that a call does not wait for those in which it runs.
     *
     * @param nested what it has to take
     * @param ofThread whether that belongs to the thread
     * @throws IllegalStateException if it would wait for itself
     */
    default void requireNoWaitFor(LockCall<?> nested, boolean ofThread) {
        for (String lockId : nested.lockIds()) {
            Hold node = node(lockId);
            Hold lock = lock(lockId);
            if (node != null && nested.isOfPaths()) {
                node.requireSameOwner(nested.operation(), ofThread);
            } else if (node != null) {
                throw node.namedOtherwise(nested.operation());
            } else if (lock != null) {
                throw lock.namedOtherwise(nested.operation());
            }
        }
    }
}
