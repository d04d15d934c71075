package io.github.cassandralock.exactlyonce.copy;

import java.util.concurrent.Callable;

/** Calls the application's code in the thread of a copy. */
public final class UserCode {

    private UserCode() {}

    /**
     * Calls code that may interrupt its own thread, such as a library that restores the flag. The flag is cleared afterwards:
     * otherwise the next request to a store would end the copy. The interrupt of a close is
     * cleared as well, so the caller has to test whether it is closed.
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

    private static void clear(boolean before) {
        if (!before) {
            Thread.interrupted();
        }
    }
}
