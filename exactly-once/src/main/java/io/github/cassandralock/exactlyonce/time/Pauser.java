package io.github.cassandralock.exactlyonce.time;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** How a thread waits before it tries again. Thread-safe. */
@FunctionalInterface
public interface Pauser {

    /**
     * Waits, for about the given time.
     *
     * @param length how long at most
     * @throws InterruptedException if the thread was interrupted before or meanwhile
     */
    void pause(Duration length) throws InterruptedException;

    /** Sleeps for a random part of the time, at least half of it, so that copies which pause together do not go on together. */
    static Pauser ofThread() {
        return length -> {
            long nanos = Math.max(1, length.toNanos());
            TimeUnit.NANOSECONDS.sleep(nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2 + 1));
        };
    }
}
