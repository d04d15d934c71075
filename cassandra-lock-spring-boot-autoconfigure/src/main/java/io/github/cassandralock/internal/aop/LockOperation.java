package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.OnLost;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.DistributedLock.WhenUnavailable;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockNotAcquiredException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.internal.store.RefusedRequestException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@link io.github.cassandralock.DistributedLock} of one method, validated and parsed.
 *
 * @param methodName for messages
 * @param locker the name of its bean; empty if the annotation chooses none
 * @param mode how the locks are held
 * @param permits how many calls may hold each lock at once
 * @param timeout null: no limit
 * @param holdAtLeast zero: no minimum
 * @param holdAtMost null: no bound
 * @param onceFor the period of each call
 * @param skipped logs the runs that are skipped
 * @param unavailable logs the runs that are skipped because Cassandra is unavailable
 */
record LockOperation(
        String methodName,
        String locker,
        LockName key,
        Strategy strategy,
        LockMode mode,
        int permits,
        @Nullable Duration timeout,
        Duration holdAtLeast,
        @Nullable Duration holdAtMost,
        WhenBusy whenBusy,
        WhenUnavailable whenUnavailable,
        OnLost onLost,
        OncePeriod.Source onceFor,
        SkippedRuns skipped,
        SkippedRuns unavailable) {

    /** What a call that needs one lock requests of the locker. */
    LockRequest request(LockRequest named) {
        LockRequest request = named.mode(mode).holdAtLeast(holdAtLeast).permits(permits);
        return holdAtMost == null ? request : request.holdAtMost(holdAtMost);
    }

    /** What a call that needs several locks requests of the locker. */
    MultiLockRequest requests(MultiLockRequest named) {
        MultiLockRequest request = named.mode(mode).holdAtLeast(holdAtLeast).permits(permits);
        return holdAtMost == null ? request : request.holdAtMost(holdAtMost);
    }

    boolean hasPeriod() {
        return onceFor != OncePeriod.Source.NONE;
    }

    /** The result of a call that found a lock taken and does not wait. */
    @Nullable
    Object resultIfTaken(List<String> lockIds, Class<?> returnType) {
        if (whenBusy == WhenBusy.THROW) {
            throw taken(lockIds);
        }
        skip(lockIds);
        return ResultTypes.ofSkipped(returnType);
    }

    /**
     * The result of a call during an outage of Cassandra.
     *
     * @throws LockStoreException the failure, if such calls are not skipped, or if Cassandra has refused the request
     */
    @Nullable
    Object resultIfUnavailable(LockStoreException failure, Class<?> returnType) {
        if (!isSkipped(failure)) {
            throw failure;
        }
        skip(failure);
        return ResultTypes.ofSkipped(returnType);
    }

    /** Whether a call is skipped after this failure. Cassandra would refuse the next calls as well: a refusal is no outage. */
    boolean isSkipped(LockStoreException failure) {
        return whenUnavailable == WhenUnavailable.SKIP
                && RefusedRequestException.in(failure).isEmpty();
    }

    /** Logs a run that is skipped because Cassandra was unavailable. */
    void skip(LockStoreException failure) {
        unavailable.add(methodName + " was not run, because its lock could not be requested: " + failure.getMessage());
    }

    /** Logs a run that is skipped. */
    void skip(List<String> lockIds) {
        skipped.add(problem(lockIds));
    }

    /** Logs a run whose period, or a later one, is completed. */
    void skip(Holds holds, OncePeriod period) {
        skipped.add("The period " + period.period() + " of " + holds.names()
                + " is not later than the last completed one, so " + methodName + " was not run");
    }

    /** The exception of a call with a period that runs in a transaction of its caller. */
    IllegalStateException recordedBeforeTheCommit() {
        return new IllegalStateException(
                methodName
                        + " has onceFor and was called in a transaction, which may roll back after the period is recorded; the method was"
                        + " not run. Begin the transaction inside: put @Transactional on the method itself, or call it without a transaction");
    }

    /** The exception of a publisher that has to acquire locks in a transaction of its caller. */
    IllegalStateException releasedBeforeTheCommit(List<String> lockIds) {
        return new IllegalStateException(methodName + " needs the " + LockIds.text(lockIds)
                + " and was called in a transaction. It returns a publisher, which would release its lock before the transaction"
                + " commits, so the method was not run. Begin the transaction inside: put @Transactional on the method itself, or"
                + " take the lock around the transaction");
    }

    private String problem(List<String> lockIds) {
        String which = lockIds.size() == 1 ? "Lock '" + lockIds.get(0) + "'" : "One of the " + LockIds.text(lockIds);
        return which + " is taken, so " + methodName + " was not run";
    }

    /** The exception of a call that found a lock taken. Of several locks, it concerns the first one; its message names all. */
    LockNotAcquiredException taken(List<String> lockIds) {
        return new LockNotAcquiredException(
                lockIds.get(0), problem(lockIds) + "; try again later, or wait for it with strategy = GET_LOCK");
    }
}
