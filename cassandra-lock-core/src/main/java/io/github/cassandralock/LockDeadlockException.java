package io.github.cassandralock;

import java.io.Serializable;
import java.util.List;

/**
 * The call waited in a cycle of owners, each of which holds locks and waits for the next owner. It was chosen to end this
 * deadlock, and has left the queue. Its owner still holds what it held before: a lock that was to be converted has its former
 * mode. The other calls wait until the owner closes its locks. To resolve the deadlock, close these locks, undo the work under
 * them, and begin again.
 */
public final class LockDeadlockException extends LockException {

    private static final long serialVersionUID = 1L;

    private final List<Wait> cycle;

    /**
     * One call that waits.
     *
     * @param owner the owner of the call, as messages name it: a thread, or the owner that the request named
     * @param process host and process of the owner
     * @param lockId the lock for which the call waits
     * @param mode the requested mode
     */
    public record Wait(String owner, String process, String lockId, LockMode mode) implements Serializable {}

    /**
     * Creates the exception.
     *
     * @param lockId the lock that was not granted
     * @param message what happened, to which lock, and what to do
     * @param cycle the calls that waited, beginning with this call. Each waited for the owner of the next call, and the last
     *     waited for this owner
     */
    public LockDeadlockException(String lockId, String message, List<Wait> cycle) {
        super(lockId, message, null);
        this.cycle = List.copyOf(cycle);
    }

    /**
     * Returns the calls of the deadlock.
     *
     * @return this call first. Each waited for the owner of the next call, and the last waited for the owner of this call
     */
    public List<Wait> getCycle() {
        return cycle;
    }
}
