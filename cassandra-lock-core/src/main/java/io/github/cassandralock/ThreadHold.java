package io.github.cassandralock;

import org.jspecify.annotations.Nullable;

/** One lock that one thread holds, how it was requested, and how often the thread has taken it. Only that thread uses this object. */
final class ThreadHold {

    private final RemoteLock lock;
    private final LockRequest request;
    private int count = 1;

    /** Whether the loss has been reported to the thread. The thread may then take the lock anew. */
    private boolean over;

    ThreadHold(RemoteLock lock, LockRequest request) {
        this.lock = lock;
        this.request = request;
    }

    /** Whether the hold excludes all that this request would exclude. */
    boolean covers(LockRequest other) {
        return request.getMode().covers(other.getMode()) && request.getPermits() <= other.getPermits();
    }

    /** How the lock is held; a part of messages. */
    String how() {
        return how(request);
    }

    static String how(LockRequest request) {
        return "in mode " + request.getMode()
                + (request.getPermits() == 1 ? "" : " with " + request.getPermits() + " permits");
    }

    boolean isHeld() {
        return !over && lock.isHeld();
    }

    boolean isOver() {
        return over;
    }

    /** Takes the lock once more; returns false if the lock is lost. */
    boolean again() {
        if (lock.isHeld()) {
            count++;
            return true;
        }
        over = true;
        lock.close();
        return false;
    }

    /** Unlocks once; returns whether that was the last time. */
    boolean leave() {
        return --count == 0;
    }

    void close() {
        lock.close();
    }

    /** The loss of the lock, before it is released; null if it is held. */
    @Nullable
    LockLostException loss() {
        try {
            lock.ensureHeld();
            return null;
        } catch (LockLostException e) {
            return e;
        } catch (IllegalStateException closed) {
            return new LockLostException(lock.getLockId(), String.valueOf(closed.getMessage()), LockLoss.Reason.CLOSED);
        }
    }
}
