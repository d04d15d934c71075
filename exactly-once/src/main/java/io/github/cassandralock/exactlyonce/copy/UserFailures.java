package io.github.cassandralock.exactlyonce.copy;

import java.util.Objects;
import java.util.stream.Stream;

/** Failures of the application's code. */
public final class UserFailures {

    /** Causes may form a circle. */
    private static final int MOST_CAUSES = 50;

    private UserFailures() {}

    /**
     * Returns a failure that a log or a table can take.
     *
     * @param failure of the application's code
     * @return the failure; another failure with its class and its stack trace if it, or a cause of it, cannot describe itself
     */
    public static Throwable describable(Throwable failure) {
        try {
            Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                    .limit(MOST_CAUSES)
                    .forEach(each -> Objects.requireNonNull(each.toString()));
            return failure;
        } catch (RuntimeException | Error e) {
            IllegalStateException described = new IllegalStateException(
                    failure.getClass().getName() + ", or a cause of it, which cannot describe itself");
            described.setStackTrace(failure.getStackTrace());
            return described;
        }
    }
}
