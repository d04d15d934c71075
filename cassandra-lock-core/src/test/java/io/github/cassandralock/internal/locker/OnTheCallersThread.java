package io.github.cassandralock.internal.locker;

/** Runs each task on the calling thread. */
final class OnTheCallersThread extends ThreadlessExecutor {

    @Override
    public void execute(Runnable task) {
        task.run();
    }
}
