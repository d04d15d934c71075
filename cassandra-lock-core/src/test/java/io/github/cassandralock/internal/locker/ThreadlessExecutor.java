package io.github.cassandralock.internal.locker;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** An executor without threads of its own. Its tasks run elsewhere, so that its end has nothing to wait for. */
abstract class ThreadlessExecutor extends AbstractExecutorService {

    private volatile boolean ended;

    @Override
    public void shutdown() {
        ended = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return ended;
    }

    @Override
    public boolean isTerminated() {
        return ended;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return ended;
    }
}
