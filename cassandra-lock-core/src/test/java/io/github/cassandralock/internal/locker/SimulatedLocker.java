package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** The unchanged locker on a simulated process: each task of its threads is an event of the simulation. */
public final class SimulatedLocker {

    private final AlgorithmLocker locker;
    private final Recorder grants;
    private boolean closed;

    /**
     * @param lease of the process
     * @param delay after which its threads begin a task
     * @param granted receives every grant of the algorithm, before the locker does
     */
    public SimulatedLocker(
            LockAlgorithm algorithm,
            Duration lease,
            SimulatedProcess process,
            Duration delay,
            Consumer<Grant> granted) {
        grants = new Recorder(algorithm, granted, new ConcurrentHashMap<>());
        CallbackThreads threads = new CallbackThreads(
                new ProcessThread(process, delay, true),
                new ProcessThread(process, delay, true),
                new ProcessThread(process, delay, true),
                new ProcessThread(process, delay, false));
        locker = new AlgorithmLocker(
                grants,
                lease,
                process,
                process,
                List.of(),
                () -> CallObserver.NONE,
                threads,
                Optional::empty,
                AbandonedPolicy.IGNORE);
    }

    public CompletableFuture<RemoteLock> getLockAsync(LockRequest request) {
        return locker.getLockAsync(request);
    }

    public CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(LockRequest request) {
        return locker.tryGetLockAsync(request);
    }

    public CompletableFuture<RemoteLocks> getLocksAsync(MultiLockRequest requests) {
        return locker.getLocksAsync(requests);
    }

    public CompletableFuture<RemoteLocks> getLocksAsync(MultiLockRequest requests, Duration timeout) {
        return locker.getLocksAsync(requests, timeout);
    }

    public CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(MultiLockRequest requests) {
        return locker.tryGetLocksAsync(requests);
    }

    /** The grant behind a handle: the handle's own way to a fencing token would block the only thread. */
    public Grant grantOf(RemoteLock lock) {
        return Objects.requireNonNull(grants.byThread.get(lock.getThreadId()));
    }

    public CompletionStage<Void> closeAsync() {
        closed = true;
        return locker.closeAsync();
    }

    public boolean isClosed() {
        return closed;
    }

    /** Stores which grant each thread got. */
    private record Recorder(LockAlgorithm algorithm, Consumer<Grant> granted, Map<String, Grant> byThread)
            implements LockAlgorithm {

        @Override
        public String getName() {
            return algorithm.getName();
        }

        @Override
        public boolean supports(LockMode mode) {
            return algorithm.supports(mode);
        }

        @Override
        public boolean supportsPermits() {
            return algorithm.supportsPermits();
        }

        @Override
        public Attempt acquire(AcquireRequest request) {
            return recorded(algorithm.acquire(request), request.threadId());
        }

        private Attempt recorded(Attempt attempt, String threadId) {
            CompletionStage<Optional<Grant>> outcome = attempt.getOutcome().thenApply(answer -> {
                answer.ifPresent(grant -> {
                    byThread.put(threadId, grant);
                    granted.accept(grant);
                });
                return answer;
            });
            return new RecordedAttempt(attempt, outcome);
        }

        @Override
        public CompletionStage<Void> closeAsync() {
            return algorithm.closeAsync();
        }
    }

    private record RecordedAttempt(Attempt attempt, CompletionStage<Optional<Grant>> outcome) implements Attempt {

        @Override
        public CompletionStage<Void> getWait() {
            return attempt.getWait();
        }

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return outcome;
        }

        @Override
        public Optional<Obstacle> getObstacle() {
            return attempt.getObstacle();
        }

        @Override
        public void giveUp() {
            attempt.giveUp();
        }
    }

    /** Runs tasks one after the other, each as an event of its process. */
    private static final class ProcessThread extends ThreadlessExecutor {

        private final SimulatedProcess process;
        private final Duration delay;
        private final boolean runsWhatComesTooLate;

        /** @param runsWhatComesTooLate whether a task after the end runs on the caller's thread; otherwise it is refused */
        ProcessThread(SimulatedProcess process, Duration delay, boolean runsWhatComesTooLate) {
            this.delay = delay;
            this.process = process;
            this.runsWhatComesTooLate = runsWhatComesTooLate;
        }

        @Override
        public void execute(Runnable task) {
            if (!isShutdown()) {
                process.after(delay).thenRun(task);
            } else if (runsWhatComesTooLate) {
                task.run();
            } else {
                throw new RejectedExecutionException("ended");
            }
        }
    }
}
