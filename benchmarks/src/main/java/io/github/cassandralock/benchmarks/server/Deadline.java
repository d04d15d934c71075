package io.github.cassandralock.benchmarks.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Bounds a wait that looks again and again. */
final class Deadline {

    private static final long PAUSE_MILLIS = 50;

    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    static Deadline in(Duration bound) {
        return new Deadline(System.nanoTime() + bound.toNanos());
    }

    boolean isOver() {
        return System.nanoTime() - end >= 0;
    }

    /** Waits until it is time for another look. */
    void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
}
