package io.github.cassandralock.exactlyonce.time;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** How a thread waits before it tries again. Thread-safe. */
@FunctionalInterface
public interface Pauser {

    /**
     * Waits for the given time, or for a part of it.
     *
     * @param length the longest wait
     * @throws InterruptedException if the thread was interrupted before or during the wait
     */
    void pause(Duration length) throws InterruptedException;

    /**
     * Sleeps for a random part of the time, at least half of it. Copies that pause together therefore continue at different times.
     */
    static Pauser ofThread() {
        return length -> {
            long nanos = Math.max(1, length.toNanos());
            TimeUnit.NANOSECONDS.sleep(nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
        };
    }
}
