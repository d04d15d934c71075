package io.github.cassandralock.exactlyonce.copy;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;

/** Runs tasks of a copy at the same time. Thread-safe. */
@FunctionalInterface
public interface Branches {

    /**
     * Runs tasks at the same time, and returns when all of them have ended. Blocks as long as they do.
     *
     * @param tasks that end if they are interrupted
     * @throws InterruptedException if the thread was interrupted: the tasks were interrupted as well, and have ended
     * @throws Exception the first that a task threw, in the order of the tasks
     */
    void run(List<Callable<?>> tasks) throws Exception;

    /**
     * Branches in threads, which end when they have had nothing to do for a second. The calling thread runs the first task itself.
     *
     * @param factory makes the threads
     */
    static Branches inThreads(ThreadFactory factory) {
        return new ThreadBranches(factory);
    }
}
