package io.github.cassandralock.autoconfigure.locker;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Runs what has to wait until all beans are there. Thread-safe. */
public class AfterStart implements SmartInitializingSingleton {

    private final List<Runnable> waiting = new ArrayList<>();
    private boolean ready;

    @Override
    public void afterSingletonsInstantiated() {
        List<Runnable> due;
        synchronized (waiting) {
            ready = true;
            due = List.copyOf(waiting);
        }
        due.forEach(Runnable::run);
    }

    /** Runs the action when all beans are there: at once, or on the thread that creates them. */
    public final void whenReady(Runnable action) {
        synchronized (waiting) {
            if (!ready) {
                waiting.add(action);
                return;
            }
        }
        action.run();
    }
}
