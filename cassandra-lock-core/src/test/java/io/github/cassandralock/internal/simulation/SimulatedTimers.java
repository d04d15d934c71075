package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The timers of a process's locks, which may end before the process does. */
public final class SimulatedTimers implements Timers {

    private final SimulatedProcess process;
    private final Map<Long, CompletableFuture<Void>> pending = new LinkedHashMap<>();
    private long begun;
    private boolean closed;
    private boolean brokenDown;

    SimulatedTimers(SimulatedProcess process) {
        this.process = process;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether they have ended before those that need them. */
    boolean isBrokenDown() {
        return brokenDown;
    }

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        CompletableFuture<Void> timer = closed ? new CompletableFuture<>() : process.after(delay);
        if (closed) {
            fail(timer);
        } else {
            long number = begun++;
            pending.put(number, timer);
            timer.whenComplete((done, failure) -> pending.remove(number));
        }
        return timer;
    }

    /** Fails what has not run yet, and what comes. */
    void close() {
        closed = true;
        List.copyOf(pending.values()).forEach(SimulatedTimers::fail);
    }

    /** They end although the locker still needs them. */
    void breakDown() {
        brokenDown = true;
        close();
    }

    private static void fail(CompletableFuture<Void> timer) {
        timer.completeExceptionally(new IllegalStateException("the timers have ended"));
    }
}
