package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A pause of the application's start between two requests to Cassandra. */
final class StartPause {

    private StartPause() {}

    /**
     * Repeats a request until it is answered, with this pause between two attempts. Blocks.
     *
     * @param attempts how often the request is sent at most, at least 1
     * @param mayPass whether another attempt may succeed after this failure
     * @param meanwhile what was going on, for the message
     * @throws DriverException the failure of the last attempt
     * @throws IllegalStateException if the thread is interrupted in a pause; its interrupt flag is set
     */
    static <T> T between(
            int attempts, Duration pause, String meanwhile, Predicate<DriverException> mayPass, Supplier<T> request) {
        for (int left = attempts - 1; ; left--) {
            try {
                return request.get();
            } catch (DriverException e) {
                if (left == 0 || !mayPass.test(e)) {
                    throw e;
                }
                of(pause, meanwhile);
            }
        }
    }

    /**
     * Blocks for this time.
     *
     * @param meanwhile what was going on, for the message
     * @throws IllegalStateException if the thread is interrupted; its interrupt flag is set
     */
    static void of(Duration time, String meanwhile) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The start was interrupted while " + meanwhile, e);
        }
    }
}
