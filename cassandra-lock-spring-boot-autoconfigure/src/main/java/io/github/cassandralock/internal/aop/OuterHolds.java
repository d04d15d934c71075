package io.github.cassandralock.internal.aop;

import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.HeldLock;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the holds of outer calls, and the innermost of these calls. */
interface OuterHolds extends CurrentLock {

    /** The locks of the innermost call whose method runs now; null if there is none. */
    @Nullable
    Holds running();

    /** The hold of a lock of a locker that was named by its id; null if there is none. */
    @Nullable
    Hold lock(RemoteLocker locker, String lockId);

    /** The hold of a node of a path; null if there is none. */
    @Nullable
    Hold node(RemoteLocker locker, String lockId);

    /** The lockers of outer calls, and maybe others. */
    Stream<RemoteLocker> lockers();

    @Override
    default HeldLock get() {
        return new LocksOfCall(present());
    }

    @Override
    default HeldLock get(String lockId) {
        String checked = LockRequest.of(lockId).getLockId();
        Holds present = present();
        Hold found = present.find(checked)
                .or(() -> outer(present.locker(), checked))
                .or(() -> lockers()
                        .flatMap(locker -> outer(locker, checked).stream())
                        .findFirst())
                .orElseThrow(() -> new IllegalStateException("The running method has " + present.names()
                        + ", and neither it nor the methods that have called it have lock '" + checked
                        + "'; pass an id that one of their keys names"));
        return new LocksOfCall(new Holds(List.of(found), List.of()));
    }

    private Optional<Hold> outer(RemoteLocker locker, String lockId) {
        return Optional.ofNullable(lock(locker, lockId)).or(() -> Optional.ofNullable(node(locker, lockId)));
    }

    private Holds present() {
        Holds present = running();
        if (present == null) {
            throw new IllegalStateException("No method with @DistributedLock runs here, on thread '"
                    + Thread.currentThread().getName()
                    + "', so there is no current lock. If such a method was called by 'this', the call did not pass the"
                    + " proxy: inject the bean into itself. In work that the method has begun on another thread, use the"
                    + " HeldLock that get() returns in the method; in a publisher or a coroutine, use ReactiveCurrentLock."
                    + " Elsewhere take the lock by RemoteLocker");
        }
        return present;
    }

    /**
     * What a call shares and acquires.
     *
     * @param shared holds of outer calls
     * @param missing empty if outer calls hold everything
     */
    record Division(List<Hold> shared, Optional<MultiLockRequest> missing) {}

    /**
     * Divides the locks that a call names. Nodes of paths are always missing, because the locker counts the nodes of their owner.
     */
    default Division divide(MultiLockRequest named, RemoteLocker locker) {
        List<Hold> shared = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (LockRequest one : named.getRequests()) {
            Hold hold = one.getPath().isPresent() ? null : lock(locker, one.getLockId());
            if (hold == null) {
                missing.add(one.getLockId());
            } else {
                shared.add(hold);
            }
        }
        if (shared.isEmpty()) {
            return new Division(List.of(), Optional.of(named));
        }
        return new Division(shared, missing.isEmpty() ? Optional.empty() : Optional.of(MultiLockRequest.of(missing)));
    }

    /**
     * Checks that a call does not wait for the outer calls.
     *
     * @param nested what it has to acquire
     * @param ofThread whether that belongs to the thread
     * @throws IllegalStateException if it would wait for itself
     */
    default void requireNoWaitFor(LockCall<?> nested, boolean ofThread) {
        for (String lockId : nested.lockIds()) {
            Hold node = node(nested.locker(), lockId);
            Hold lock = lock(nested.locker(), lockId);
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
