package io.github.cassandralock.internal.locker.observe;

import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Observes the calls for locks of this process: their beginning, their end, and how long each lock is held. It is called at once,
 * on the thread that makes the call or that runs the caller's code. It misses only calls that are refused at once for their
 * arguments. The locks do not depend on it. Its exceptions are logged, and no release waits for it. If it blocks, it delays the
 * caller, or the shutdown of the locker. Thread-safe.
 */
@FunctionalInterface
public interface CallObserver {

    /** Observes no call. */
    CallObserver NONE = (request, threadId, waits) -> Call.UNOBSERVED;

    /**
     * A call begins. Runs on the thread that makes it. An asynchronous call for several locks requests all but the first on a
     * thread of the locker. That thread then has the caller's {@link #context()}.
     *
     * @param request which lock the call is for, and how it is to be held
     * @param threadId the acquisition, as {@link io.github.cassandralock.RemoteLock#getThreadId()} will return it
     * @param waits whether the call waits for a lock that is taken
     */
    Call requested(LockRequest request, String threadId, boolean waits);

    /**
     * The work of the calling thread, so that another thread can request locks on its behalf.
     *
     * @return {@link Context#NONE} if an observer uses no work of this thread
     */
    default Context context() {
        return Context.NONE;
    }

    /** The work of a thread, such as a span. */
    @FunctionalInterface
    interface Context {

        Context NONE = () -> () -> {};

        /**
         * Begins the work on the calling thread as well.
         *
         * @return ends that, on the same thread
         */
        Runnable open();
    }

    /** One call. One of its methods is called, once, at the end of the call. Each does nothing unless it is overridden. */
    interface Call {

        /** A call that is not observed. */
        Call UNOBSERVED = new Call() {};

        /**
         * The caller gets the lock.
         *
         * @return is called once, when the lock is closed, with the loss if the lock was lost before
         */
        default Consumer<Optional<LockLostException>> granted() {
            return loss -> {};
        }

        /** The lock was taken by others, and the call does not wait. */
        default void refused() {}

        /**
         * The call ends without a lock.
         *
         * @param reason what the caller receives; a {@link java.util.concurrent.CancellationException} if the caller has ended the
         *     call itself
         */
        default void failed(Throwable reason) {}
    }
}
