package io.github.cassandralock.exactlyonce.copy;

import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/** Calls the application's code in the thread of a copy. */
public final class UserCode {

    /** Whether the copy that runs in this thread is closed. */
    private static final ThreadLocal<BooleanSupplier> CLOSED = ThreadLocal.withInitial(() -> () -> false);

    private UserCode() {}

    static void beginCopy(BooleanSupplier isClosed) {
        CLOSED.set(isClosed);
    }

    static void endCopy() {
        CLOSED.remove();
    }

    /**
     * Calls code that may interrupt its own thread, such as a library that restores the flag. The flag is cleared afterwards:
     * otherwise the next request to a store would end the copy. If the copy is closed meanwhile, its next request ends it, whatever
     * became of the interrupt.
     *
     * @param code to call
     * @return its result
     * @throws Exception what the code throws
     */
    public static <T> T call(Callable<T> code) throws Exception {
        boolean before = Thread.currentThread().isInterrupted();
        try {
            return code.call();
        } finally {
            clear(before);
        }
    }

    /**
     * Runs code as {@link #call} does.
     *
     * @param code to run
     */
    public static void run(Runnable code) {
        boolean before = Thread.currentThread().isInterrupted();
        try {
            code.run();
        } finally {
            clear(before);
        }
    }

    /** A close interrupts the thread after the copy counts as closed. */
    private static void clear(boolean before) {
        if (!before) {
            Thread.interrupted();
        }
        if (CLOSED.get().getAsBoolean()) {
            Thread.currentThread().interrupt();
        }
    }
}
