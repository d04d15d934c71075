package io.github.cassandralock;

import java.io.Serializable;
import java.util.List;

/**
 * The call waited in a deadlock: in a circle of owners each of which holds locks and waits for the next one. It was chosen to end
 * the deadlock. It has left the queue, and holds what its owner held before: a lock that was to be converted is still held in its
 * former mode. The others wait until the owner closes its locks. So close them, undo the work under them, and begin again.
 */
public final class LockDeadlockException extends LockException {

    private static final long serialVersionUID = 1L;

    private final List<Wait> circle;

    /**
     * One call that waits.
     *
     * @param owner to whom the call belongs, as messages name it: a thread, or the owner that the request named
     * @param process host and process of the owner
     * @param lockId the lock for which the call waits
     * @param mode the mode for which it waits
     */
    public record Wait(String owner, String process, String lockId, LockMode mode) implements Serializable {}

    /**
     * Creates the exception.
     *
     * @param lockId the lock that was not granted
     * @param message what happened, to which lock, and what to do
     * @param circle the calls that waited for each other, this one first; each waited for the next one, and the last one for this one
     */
    public LockDeadlockException(String lockId, String message, List<Wait> circle) {
        super(lockId, message, null);
        this.circle = List.copyOf(circle);
    }

    /**
     * Returns the calls that waited for each other.
     *
     * @return this call first; each waited for the owner of the next one, and the last one for that of the first
     */
    public List<Wait> getCircle() {
        return circle;
    }
}
