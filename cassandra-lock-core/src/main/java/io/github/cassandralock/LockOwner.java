package io.github.cassandralock;

import org.jspecify.annotations.Nullable;

/**
 * Who holds locks and waits for them. A request may name an owner ({@link LockRequest#owner(LockOwner)}). Otherwise a call that
 * blocks belongs to its thread, and an asynchronous call has no owner. The locks of one owner belong together.
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
     * Returns a new owner. Two owners with the same name are different, so pass the same object to each request.
     *
     * @param name for messages of all processes; not blank, printable, and at most 512 bytes in UTF-8
     * @return the owner
     * @throws IllegalArgumentException if the name is null or breaks one of these rules
     */
    public static LockOwner named(String name) {
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("The name of a lock owner is " + (name == null ? "null" : "blank")
                    + "; messages show it, so name the work that needs the locks, e.g. \"transfer 4711\"");
        }
        LockIdRules.requirePrintable("name of a lock owner", name);
        LockIdRules.requireShort("name of a lock owner", name);
        return new LockOwner(name, null);
    }

    /**
     * Returns the owner of the calls that block the current thread. An asynchronous call that names it belongs to the thread.
     *
     * @return equal for the same thread
     */
    public static LockOwner ofCurrentThread() {
        return new LockOwner(null, Thread.currentThread());
    }

    /** Owners of one thread are equal; a named owner is equal to itself only. */
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
