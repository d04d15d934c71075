package io.github.cassandralock.testing.checkers;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the threads of this JVM that are under one lock at the same time. Thread-safe. */
public final class HoldCounter {

    private final AtomicInteger holders = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger holds = new AtomicInteger();

    /** The calling thread has just got the lock. */
    public void enter() {
        holds.incrementAndGet();
        most.accumulateAndGet(holders.incrementAndGet(), Math::max);
    }

    /** The calling thread is about to release the lock. */
    public void leave() {
        holders.decrementAndGet();
    }

    /** How many were under the lock at the same time, at most. */
    public int most() {
        return most.get();
    }

    /** How often the lock was got. */
    public int holds() {
        return holds.get();
    }
}
