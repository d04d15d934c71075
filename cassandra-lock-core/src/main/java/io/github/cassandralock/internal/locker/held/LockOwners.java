package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;

/**
 * Records which owner holds which lock, to refuse a call in which an owner would wait for itself. Entries end with the lock.
 * Thread-safe.
 */
public final class LockOwners {

    private record Holding(String lockId, LockOwner owner) {}

    /** An owner may hold a lock more than once, because {@code tryGetLock} grants it again in a compatible mode. */
    private final Grouped<Holding, GrantedLock> locks = new Grouped<>();

    /** Called when the caller gets the lock. A lock whose call ended before belongs to nobody. */
    void add(GrantedLock lock) {
        lock.owner().ifPresent(owner -> locks.add(new Holding(lock.lockId(), owner), lock));
        if (lock.isClosed()) {
            remove(lock);
        }
    }

    /** Called when the release begins. */
    void remove(GrantedLock lock) {
        lock.owner().ifPresent(owner -> locks.remove(new Holding(lock.lockId(), owner), lock));
    }

    /**
     * Refuses a call that may wait for its own owner. In a compatible mode that happens behind a caller that waits for the end of
     * the owner's first hold. Nodes of paths are not refused, because they are counted.
     *
     * @throws IllegalStateException if the owner holds the lock, in any mode
     */
    public void refuseWaitingForOneself(LockRequest request, LockOwner owner) {
        for (GrantedLock lock : locks.get(new Holding(request.getLockId(), owner))) {
            if (lock.isHeld() && !(lock.isNode() && request.getPath().isPresent())) {
                throw lock.isNode() || request.getPath().isPresent()
                        ? mixed(request, owner, lock)
                        : waitingForOneself(request, owner, lock);
            }
        }
    }

    /**
     * Refuses a conversion that would wait for its own owner.
     *
     * @throws IllegalStateException if the owner holds the lock by another handle, in a mode incompatible with the new mode
     */
    public void refuseWaitingForOneself(GrantedLock converted, LockMode mode, LockOwner owner) {
        for (GrantedLock lock : locks.get(new Holding(converted.lockId(), owner))) {
            if (lock != converted && lock.isHeld() && !lock.mode().isCompatibleWith(mode)) {
                throw new IllegalStateException("The conversion is refused: " + owner + " holds lock '"
                        + converted.lockId() + "' in mode " + lock.mode() + " by another handle. A conversion to mode "
                        + mode + " would wait for the other handle for ever. Close the other handle first");
            }
        }
    }

    private static IllegalStateException mixed(LockRequest request, LockOwner owner, GrantedLock held) {
        return new IllegalStateException("The call is refused: " + owner + " holds lock '" + request.getLockId()
                + (held.isNode()
                        ? "' as a node of a path, and requests it by its id"
                        : "' by its id, and requests it as a node of a path")
                + ". It could wait for itself for ever. Name the lock as a LockPath in both calls");
    }

    private static IllegalStateException waitingForOneself(LockRequest request, LockOwner owner, GrantedLock lock) {
        LockMode held = lock.mode();
        if (request.getPermits() > 1 && lock.permits() > 1) {
            return new IllegalStateException("The call is refused: " + owner + " already holds lock '"
                    + request.getLockId() + "', and requests one of its " + request.getPermits()
                    + " permits. It could wait for itself for ever, if all who hold a permit request another one."
                    + " Pass the RemoteLock on, close it first, or call tryGetLock, which does not wait");
        }
        boolean exclusive = held == LockMode.EXCLUSIVE && request.getMode() == LockMode.EXCLUSIVE;
        return new IllegalStateException("The call is refused: " + owner + " already holds lock '" + request.getLockId()
                + (exclusive
                        ? "' and would wait for itself for ever: locks are not reentrant."
                        : "' in mode " + held + ", and requests it in mode " + request.getMode()
                                + ". It could wait for itself for ever, behind others that wait for its first"
                                + " lock: locks are not reentrant.")
                + (held.covers(request.getMode())
                        ? " Pass the RemoteLock on, close it first, or use @DistributedLock, whose nested calls use"
                                + " the lock of the outer one"
                        : " Close it first, or take the lock in the stronger mode from the beginning"));
    }
}
