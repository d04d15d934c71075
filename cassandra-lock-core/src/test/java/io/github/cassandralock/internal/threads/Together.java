package io.github.cassandralock.internal.threads;

/** How the threads of a scenario are run. */
@FunctionalInterface
public interface Together {

    /** Runs the tasks at the same time, each on a thread of its own, until all have ended; throws what one of them threw. */
    void run(Runnable... tasks);
}
