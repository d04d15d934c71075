package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The timers of a process's locks, which may end before the process does. */
public final class SimulatedTimers implements Timers {

    private static final int FEW = 64;

    private final SimulatedProcess process;
    private final List<CompletableFuture<Void>> begun = new ArrayList<>();

    /** How many there are when those that are done are removed. */
    private int many = FEW;

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
            add(timer);
        }
        return timer;
    }

    private void add(CompletableFuture<Void> timer) {
        if (begun.size() == many) {
            begun.removeIf(CompletableFuture::isDone);
            many = FEW + 2 * begun.size();
        }
        begun.add(timer);
    }

    /** Fails what has not run yet, and what comes. */
    void close() {
        closed = true;
        List.copyOf(begun).forEach(SimulatedTimers::fail);
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
