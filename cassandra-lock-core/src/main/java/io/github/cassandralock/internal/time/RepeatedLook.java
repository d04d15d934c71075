package io.github.cassandralock.internal.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Repeats an action in intervals as long as it is needed, one run at a time. Thread-safe; never blocks. */
public final class RepeatedLook {

    private final Timers timers;
    private final Duration interval;
    private final BooleanSupplier needed;
    private final Runnable look;
    private final AtomicBoolean looking = new AtomicBoolean();

    /**
     * @param needed whether another run is needed
     * @param look runs on a thread of the timers
     */
    public RepeatedLook(Timers timers, Duration interval, BooleanSupplier needed, Runnable look) {
        this.timers = timers;
        this.interval = interval;
        this.needed = needed;
        this.look = look;
    }

    /** Begins to repeat the action, unless that has begun before. Called when the action becomes needed. */
    public void begin() {
        if (!looking.get() && looking.compareAndSet(false, true)) {
            lookLater();
        }
    }

    /** No run follows after the timers have ended, which end with the application. */
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
