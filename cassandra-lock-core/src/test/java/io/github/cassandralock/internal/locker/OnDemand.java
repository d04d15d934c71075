package io.github.cassandralock.internal.locker;

import java.util.ArrayDeque;
import java.util.Deque;

/** Stores tasks until the test runs them. */
final class OnDemand extends ThreadlessExecutor {

    private final Deque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }
}
