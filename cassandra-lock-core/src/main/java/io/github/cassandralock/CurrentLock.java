package io.github.cassandralock;

/**
 * Finds the lock of the running method with {@link DistributedLock}: the innermost of the annotated methods that the calling thread
 * runs. With the annotation there is a bean of this type. In publishers and coroutines, {@code ReactiveCurrentLock} takes its place.
 *
 * <pre>{@code
 * @DistributedLock(key = "'publication'")
 * public void publishAll() {
 *     HeldLock lock = currentLock.get();
 *     for (Page page : pages) {
 *         lock.ensureHeld();
 *         pages.publish(page);
 *     }
 * }
 * }</pre>
 *
 * <p>A returned lock may be given to other threads. It reports the state of the lock even after the method has ended. An outer
 * call or a transaction may still hold the lock then.
 *
 * <p>A test without the aspect passes {@code () -> lock} as the {@code CurrentLock}. The methods do no I/O and do not block. Thread-safe.
 */
@FunctionalInterface
public interface CurrentLock {

    /**
     * Returns the lock of the running method. If its key names several locks, they are held as one: {@link HeldLock#isHeld()} and
     * {@link HeldLock#ensureHeld()} check all of them. A callback runs once: for the first lock that is lost, or the first lock
     * that another caller waits for. A loss names the lost lock. {@link #get(String)} returns one of them, with its id and token.
     * If its key names a {@link LockPath}, the id and the token belong to the path. The nodes above the path are held with it.
     *
     * @return the lock; {@link HeldLock#getLockId()} and {@link HeldLock#reserveFencingToken()} throw {@link IllegalStateException} if
     *     there are several
     * @throws IllegalStateException if the calling thread runs no annotated method
     */
    HeldLock get();

    /**
     * Returns one of the locks of the running method, or of the annotated methods that have called it.
     *
     * @param lockId the name of the resource
     * @return the lock
     * @throws IllegalStateException if the calling thread runs no annotated method, or none that has this lock
     */
    default HeldLock get(String lockId) {
        HeldLock lock = get();
        if (lock.getLockId().equals(lockId)) {
            return lock;
        }
        throw new IllegalStateException(
                "The running method has lock '" + lock.getLockId() + "', and not '" + lockId + "'");
    }
}
