package io.github.cassandralock.internal.cassandra;

import java.time.Duration;

/** A pause of the application's start between two requests to Cassandra. */
final class StartPause {

    private StartPause() {}

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
