package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.internal.locker.call.Waits;
import io.github.cassandralock.internal.locker.held.GrantedLock;
import io.github.cassandralock.internal.locker.held.GrantedLocks;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Refuses calls that are wrong, come too late, or could never end. Thread-safe. */
record RequestChecks(LockAlgorithm algorithm, GrantedLocks locks, Waits waits) {

    private static final String NO_PATHS =
            "A path needs other modes than EXCLUSIVE for what is above it: request locks by their ids";

    private static final String TO_TICKET =
            ", or move all instances to the algorithm 'ticket', in the steps of docs/guide/moving.md";

    boolean supports(LockMode mode) {
        return mode == LockMode.EXCLUSIVE || algorithm.supports(mode);
    }

    void check(@Nullable LockRequest request) {
        if (request == null) {
            throw new IllegalArgumentException(
                    "The lock request is null; name the resource to lock, e.g. LockRequest.of(\"account:42\")");
        }
        if (request.getPath().flatMap(LockPath::getParent).isPresent()) {
            throw new IllegalArgumentException("Lock '" + request.getLockId()
                    + "' is a node of a path, and this call would not lock what is above it. Use getLocks or"
                    + " tryGetLocks with MultiLockRequest.ofPath");
        }
        checkEach(request);
    }

    void check(@Nullable MultiLockRequest requests) {
        if (requests == null) {
            throw new IllegalArgumentException("The request for several locks is null; name the resources to lock, e.g."
                    + " MultiLockRequest.of(List.of(\"account:7\", \"account:42\"))");
        }
        requests.getRequests().forEach(this::checkEach);
    }

    private void checkEach(LockRequest request) {
        if (locks.isClosed()) {
            throw GrantedLocks.closedWhile("requesting", request.getLockId());
        }
        requireSupport(
                request.getLockId(),
                request.getMode(),
                request.getPath().isPresent() ? NO_PATHS : "Request it in mode EXCLUSIVE");
        if (request.getPermits() > 1 && !algorithm.supportsPermits()) {
            throw new UnsupportedOperationException("Lock '" + request.getLockId() + "' cannot have "
                    + request.getPermits() + " permits: the algorithm '" + algorithm.getName()
                    + "' supports one holder only. Request it without permits" + TO_TICKET);
        }
    }

    private void requireSupport(String lockId, LockMode mode, String advice) {
        if (!supports(mode)) {
            throw new UnsupportedOperationException(
                    "Lock '" + lockId + "' cannot be held in mode " + mode + ": the algorithm '" + algorithm.getName()
                            + "' does not support that mode. " + advice + TO_TICKET);
        }
    }

    void checkTimeout(LockRequest request, @Nullable Duration timeout) {
        if (isNotPositive(timeout)) {
            throw new IllegalArgumentException("The timeout " + timeout + " for lock '" + request.getLockId()
                    + "' is not more than zero; to try without waiting, use tryGetLock");
        }
    }

    private static boolean isNotPositive(@Nullable Duration timeout) {
        return timeout == null || timeout.isNegative() || timeout.isZero();
    }

    /** @param instead the method that does not wait on the calling thread */
    void requireMayWait(LockRequest request, String instead) {
        waits.requireAllowed(() -> "Lock '" + request.getLockId() + "' was not requested", instead);
    }

    /** Refuses a call that would wait for its own owner. */
    void refuseWaitingForOneself(LockRequest request, LockOwner owner) {
        locks.owners().refuseWaitingForOneself(request, owner);
    }

    /** @param instead the method that does not wait on the calling thread */
    void requireMayWait(GrantedLock converted, String instead) {
        waits.requireAllowed(() -> "Lock '" + converted.lockId() + "' was not converted", instead);
    }

    void checkTimeout(GrantedLock converted, @Nullable Duration timeout) {
        if (isNotPositive(timeout)) {
            throw new IllegalArgumentException("The timeout " + timeout + " for the conversion of lock '"
                    + converted.lockId() + "' is not more than zero; to try without waiting, use tryConvert");
        }
    }

    void refuseWaitingForOneself(GrantedLock converted, LockMode mode) {
        locks.owners().refuseWaitingForOneself(converted, mode, LockOwner.ofCurrentThread());
        converted.owner().ifPresent(owner -> locks.owners().refuseWaitingForOneself(converted, mode, owner));
    }

    void checkConversion(GrantedLock lock, @Nullable LockMode mode) {
        if (mode == null) {
            throw new IllegalArgumentException("The mode to which lock '" + lock.lockId()
                    + "' is to be converted is null; pass one of the modes, e.g. LockMode.EXCLUSIVE");
        }
        lock.ensureHeld();
        if (lock.permits() > 1) {
            throw new UnsupportedOperationException("Lock '" + lock.lockId() + "' is not converted to mode " + mode
                    + ". It is held by one of " + lock.permits()
                    + " permits, which have mode EXCLUSIVE only. Close it, and request the lock in the other mode");
        }
        if (lock.isNode()) {
            throw new UnsupportedOperationException("Lock '" + lock.lockId() + "' is not converted to mode " + mode
                    + ". It belongs to a path, and the locks above would not fit any more. Request the path in"
                    + " the new mode with the same owner: this request converts the locks that are held. Then"
                    + " close the former locks");
        }
        requireSupport(lock.lockId(), mode, "Request it in mode EXCLUSIVE");
    }
}
