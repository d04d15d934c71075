package io.github.cassandralock.internal.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Looks at something in intervals, as long as that is needed. One look at a time. Thread-safe; never blocks. */
public final class RepeatedLook {

    private final Timers timers;
    private final Duration interval;
    private final BooleanSupplier needed;
    private final Runnable look;
    private final AtomicBoolean looking = new AtomicBoolean();

    /**
     * @param needed whether there is something to look at
     * @param look runs on a thread of the timers
     */
    public RepeatedLook(Timers timers, Duration interval, BooleanSupplier needed, Runnable look) {
        this.timers = timers;
        this.interval = interval;
        this.needed = needed;
        this.look = look;
    }

    /** Begins to look, unless that has begun before. Called when there is something to look at. */
    public void begin() {
        if (!looking.get() && looking.compareAndSet(false, true)) {
            lookLater();
        }
    }

    /** No look follows after the timers have ended: they end with the application. */
    private void lookLater() {
        timers.afterOrFailed(interval).thenRun(this::lookNow);
    }

    private void lookNow() {
        try {
            look.run();
        } finally {
            repeatOrEnd();
        }
    }

    private void repeatOrEnd() {
        if (needed.getAsBoolean()) {
            lookLater();
            return;
        }
        looking.set(false);
        if (needed.getAsBoolean()) {
            begin();
        }
    }
}
