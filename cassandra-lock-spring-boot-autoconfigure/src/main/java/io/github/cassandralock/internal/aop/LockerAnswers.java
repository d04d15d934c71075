package io.github.cassandralock.internal.aop;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link io.github.cassandralock.RemoteLocker} has returned. One that is a mock returns null until a test says otherwise. */
final class LockerAnswers {

    private LockerAnswers() {}

    /**
     * Returns the answer.
     *
     * @throws IllegalStateException if it is null
     */
    static <T> T required(@Nullable T answer, List<String> lockIds) {
        if (answer == null) {
            throw new IllegalStateException("The RemoteLocker returned null for " + LockIds.text(lockIds)
                    + ". If it is a mock, let getLock(LockRequest), or getLock(LockRequest, Duration) if the annotation has a"
                    + " timeout, return a RemoteLock; for a method that returns a stage or a publisher, let getLockAsync return a"
                    + " future of one; for a key that is a collection, getLocks and getLocksAsync");
        }
        return answer;
    }
}
