package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockPath;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lock shared by nested calls. The last call releases it, even if that is a {@code CompletionStage} that ends after the call that
 * acquired the lock. Thread-safe.
 */
final class Hold {

    /** One id under two lockers names two locks. */
    record Key(RemoteLocker locker, String id) {}

    private final Key key;
    private final LockRequest request;
    private final RemoteLock lock;
    private final LockOperation taker;
    private final AtomicInteger sharers = new AtomicInteger(1);

    /** The interrupts of the calls that run under it now. A hold may outlast any number of calls. */
    private final Set<Runnable> interrupts = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean watched = new AtomicBoolean();
    private volatile boolean lost;

    /** Whether it may be held while the thread that acquired it does something else. */
    private volatile boolean ofItsOwn;

    private Hold(Key key, LockRequest request, RemoteLock lock, LockOperation taker) {
        this.key = key;
        this.request = request;
        this.lock = lock;
        this.taker = taker;
    }

    /**
     * @param locker that granted the lock
     * @param request that was sent to it
     * @param taker of the call that sent it
     */
    static Hold of(RemoteLocker locker, LockRequest request, RemoteLock lock, LockOperation taker) {
        String id = request.getPath().isPresent() ? lock.getThreadId() : request.getLockId();
        return new Hold(new Key(locker, id), request, lock, taker);
    }

    /**
     * Nested calls find it by this key: the locker and the lock id. The key is unique for a node of a path, which they request
     * again and do not share.
     */
    Key key() {
        return key;
    }

    boolean isNode() {
        return request.getPath().isPresent();
    }

    /** The lock id of the node directly above this node; empty if this is no node, or the highest. */
    Optional<String> nodeAbove() {
        return request.getPath().flatMap(LockPath::getParent).map(LockPath::getLockId);
    }

    /** Marks the hold as belonging to a stage or a publisher, not to the calling thread. */
    Hold ofItsOwn() {
        ofItsOwn = true;
        return this;
    }

    /**
     * A nested call on a path with this node would wait for its outer call, except on one thread.
     *
     * @param ofThread whether the nested call belongs to the thread
     * @throws IllegalStateException if they have different owners
     */
    void requireSameOwner(LockOperation nested, boolean ofThread) {
        if (ofItsOwn || !ofThread) {
            throw new IllegalStateException(runsUnder(nested)
                    + " One of the two returns a stage or a publisher, whose locks are its own. The two could wait for"
                    + " each other for ever. Take both paths by one method: its key may be a collection of paths");
        }
    }

    /** One of the two calls names the lock by its id, the other call names a node of a path. */
    IllegalStateException namedOtherwise(LockOperation nested) {
        return new IllegalStateException(runsUnder(nested)
                + " One of the two names it by its id, and the other names it as a node of a path. They could wait for each"
                + " other for ever. Name the lock as a LockPath in both keys");
    }

    private String runsUnder(LockOperation nested) {
        return nested.methodName() + " needs lock '" + lockId() + "', but runs under the lock of " + taker.methodName()
                + ". This lock is held until that call, or the transaction in which it was made, ends.";
    }

    /** The locker that granted the lock. */
    RemoteLocker locker() {
        return key.locker();
    }

    String lockId() {
        return request.getLockId();
    }

    RemoteLock lock() {
        return lock;
    }

    /** @throws IllegalStateException if the mode or the permits of the held lock do not suffice for a nested call */
    void requireCovers(LockOperation nested) {
        if (taker.permits() > nested.permits()) {
            throw new IllegalStateException(runsUnder(nested) + " The outer call shares the lock with "
                    + (taker.permits() - 1) + " others, and the inner one "
                    + (nested.permits() == 1 ? "needs it alone." : "with fewer.")
                    + " Set permits = " + nested.permits() + " on " + taker.methodName()
                    + ", or on the method that begins the transaction, or use another key");
        }
        if (!taker.mode().covers(nested.mode())) {
            throw new IllegalStateException(nested.methodName() + " needs lock '" + lockId() + "' in mode "
                    + nested.mode() + ", but runs under the lock of " + taker.methodName()
                    + ". This lock is held in mode " + taker.mode()
                    + " until that call, or the transaction in which it was made, ends. A call does not change the mode"
                    + " of a lock that it runs under. Take the stronger mode first: set mode = LockMode."
                    + taker.mode().leastCovering(nested.mode()) + " on " + taker.methodName()
                    + ", or on the method that begins the transaction");
        }
    }

    /**
     * Adds a sharer, which must leave by {@link Holds}.
     *
     * @throws IllegalStateException if the last sharer has left already
     */
    Hold share() {
        if (sharers.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
            throw new IllegalStateException("Lock '" + lockId()
                    + "' has been released by the call that took it. A call that it started cannot share the lock; the outer"
                    + " call must wait for the inner call");
        }
        return this;
    }

    /**
     * Runs the interrupt when the lock is lost, or at once if it is lost already.
     *
     * @param interrupt may run twice; it is registered until {@link #forget}
     */
    void interruptWhenLost(Runnable interrupt) {
        interrupts.add(interrupt);
        if (watched.compareAndSet(false, true)) {
            lock.onLost(loss -> interruptAll());
        }
        if (lost) {
            interrupt.run();
        }
    }

    private void interruptAll() {
        lost = true;
        interrupts.forEach(Runnable::run);
    }

    void forget(Runnable interrupt) {
        interrupts.remove(interrupt);
    }

    /** Whether all sharers have left, so that the lock is closed or about to be. */
    boolean isOver() {
        return sharers.get() == 0;
    }

    /** Removes a sharer. The caller closes the lock if it was the last. */
    boolean isLastToLeave() {
        return sharers.decrementAndGet() == 0;
    }
}
