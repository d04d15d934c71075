package io.github.cassandralock;

import org.jspecify.annotations.Nullable;

/**
 * Who holds locks and waits for them. A call that blocks belongs to its thread unless its
 * request names another owner ({@link LockRequest#owner(LockOwner)}). An asynchronous call belongs to nobody unless its request
 * names an owner: then the locker knows which locks belong together, as it does for the locks of a thread.
 *
 * <pre>{@code
 * LockOwner transfer = LockOwner.named("transfer 4711");
 * locker.getLockAsync(LockRequest.of("account:42").owner(transfer));
 * }</pre>
 *
 * <p>An owner exists in one process only. Immutable and thread-safe.
 */
public final class LockOwner {

    /** Null if it is a thread. */
    private final @Nullable String name;

    private final @Nullable Thread thread;

    private LockOwner(@Nullable String name, @Nullable Thread thread) {
        this.name = name;
        this.thread = thread;
    }

    /**
     * Returns a new owner. Two owners with the same name are different ones, so keep the object and pass it to each request.
     *
     * @param name for messages; not blank
     * @return the owner
     * @throws IllegalArgumentException if the name is null or blank
     */
    public static LockOwner named(String name) {
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("The name of a lock owner is " + (name == null ? "null" : "blank")
                    + "; messages show it, so name the work that needs the locks, e.g. \"transfer 4711\"");
        }
        return new LockOwner(name, null);
    }

    /**
     * Returns the owner to which the calls belong that block the current thread. An asynchronous call that names it belongs to the
     * thread, too.
     *
     * @return equal for the same thread
     */
    public static LockOwner ofCurrentThread() {
        return new LockOwner(null, Thread.currentThread());
    }

    /** The owner of the current thread is equal to each other one of that thread; others are equal to themselves only. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (thread != null && other instanceof LockOwner owner && owner.thread == thread);
    }

    @Override
    public int hashCode() {
        return thread == null ? System.identityHashCode(this) : System.identityHashCode(thread);
    }

    /** Returns the name as messages show it, for example {@code owner 'transfer 4711'} or {@code thread 'main'}. */
    @Override
    public String toString() {
        return thread == null ? "owner '" + name + "'" : "thread '" + thread.getName() + "'";
    }
}
