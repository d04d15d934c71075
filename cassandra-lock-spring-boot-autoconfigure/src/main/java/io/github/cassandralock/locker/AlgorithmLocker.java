package io.github.cassandralock.locker;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link RemoteLocker} over any {@link LockAlgorithm}. Owns the algorithm and the threads that run callbacks;
 * {@link #close()} ends both.
 */
public final class AlgorithmLocker implements RemoteLocker, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(AlgorithmLocker.class);
    private static final Duration SHUTDOWN = Duration.ofSeconds(10);

    private final LockAlgorithm algorithm;
    private final Duration lease;
    private final Ticker ticker;
    private final ListenerCalls listeners;
    private final ExecutorService callbacks = CallbackThreads.forCallbacks();
    private final ExecutorService losses = CallbackThreads.forLosses();
    private final ThreadIds threadIds = new ThreadIds();
    private final HoldingThreads holdingThreads = new HoldingThreads();
    private final Set<Acquisition> waiting = ConcurrentHashMap.newKeySet();
    private final Set<HeldLock> held = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param lease how long a crashed holder blocks others, at most, for messages and for bounding a release */
    public AlgorithmLocker(LockAlgorithm algorithm, Duration lease, Ticker ticker, List<LockListener> listeners) {
        this.algorithm = algorithm;
        this.lease = lease;
        this.ticker = ticker;
        this.listeners = new ListenerCalls(listeners);
    }

    @Override
    public RemoteLock getLock(String lockId) {
        checkCall(lockId);
        holdingThreads.refuseWaitingForOneself(lockId);
        return heldByThisThread(mandatory(lockId).await().orElseThrow());
    }

    @Override
    public RemoteLock getLock(String lockId, Duration timeout) {
        checkCall(lockId);
        checkTimeout(lockId, timeout);
        holdingThreads.refuseWaitingForOneself(lockId);
        return heldByThisThread(mandatory(lockId).await(timeout).orElseThrow());
    }

    @Override
    public Optional<RemoteLock> tryGetLock(String lockId) {
        checkCall(lockId);
        return soft(lockId).await().map(this::heldByThisThread);
    }

    @Override
    public CompletableFuture<RemoteLock> getLockAsync(String lockId) {
        checkCall(lockId);
        return future(mandatory(lockId), Optional::orElseThrow);
    }

    @Override
    public CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(String lockId) {
        checkCall(lockId);
        return future(soft(lockId), lock -> lock.map(RemoteLock.class::cast));
    }

    private <T> CompletableFuture<T> future(Acquisition acquisition, Function<Optional<HeldLock>, T> result) {
        CompletableFuture<T> future = new CompletableFuture<>();
        future.whenComplete((lock, ended) ->
                acquisition.giveUp(ended == null ? new IllegalStateException("completed by the caller") : ended));
        acquisition
                .answer()
                .whenCompleteAsync(
                        (lock, failure) -> {
                            if (failure != null) {
                                future.completeExceptionally(acquisition.explain(failure));
                            } else if (lock != null && !future.complete(result.apply(lock))) {
                                lock.ifPresent(HeldLock::release);
                            }
                        },
                        callbacks);
        return future;
    }

    private void checkCall(@Nullable String lockId) {
        LockIdRules.check(lockId);
        if (closed) {
            throw closedWhile("asking for", lockId);
        }
    }

    private static IllegalStateException closedWhile(String doing, @Nullable String lockId) {
        return new IllegalStateException("The RemoteLocker was closed while " + doing + " lock '" + lockId
                + "'; it closes with its application context, ask before that");
    }

    private static void checkTimeout(String lockId, @Nullable Duration timeout) {
        if (timeout == null || timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("The timeout " + timeout + " for lock '" + lockId
                    + "' is not more than zero; to ask without waiting, use tryGetLock");
        }
    }

    private Acquisition soft(String lockId) {
        String threadId = threadIds.next();
        return follow(lockId, threadId, algorithm.tryAcquire(lockId, threadId));
    }

    private Acquisition mandatory(String lockId) {
        String threadId = threadIds.next();
        return follow(lockId, threadId, algorithm.acquire(lockId, threadId));
    }

    private Acquisition follow(String lockId, String threadId, Attempt attempt) {
        long startedAt = ticker.nanos();
        Acquisition acquisition =
                new Acquisition(lockId, attempt, ticker, grant -> handle(lockId, threadId, grant, startedAt));
        waiting.add(acquisition);
        acquisition.answer().whenComplete((lock, failure) -> answered(acquisition, lock, failure));
        if (closed) {
            acquisition.giveUp(closedWhile("waiting for", lockId));
        }
        return acquisition;
    }

    private void answered(Acquisition acquisition, @Nullable Optional<HeldLock> lock, @Nullable Throwable failure) {
        waiting.remove(acquisition);
        String lockId = acquisition.lockId();
        if (failure != null) {
            listeners.tell(lockId, l -> l.onGivenUp(lockId, acquisition.waited(), failure));
        } else if (lock != null && lock.isEmpty()) {
            listeners.tell(lockId, l -> l.onRefused(lockId));
        }
    }

    private HeldLock handle(String lockId, String threadId, Grant grant, long startedAt) {
        long grantedAt = ticker.nanos();
        HeldLock lock = new HeldLock(lockId, threadId, grant, lease, callbacks, losses);
        held.add(lock);
        Duration waited = Duration.ofNanos(grantedAt - startedAt);
        listeners.tell(lockId, l -> l.onAcquired(lockId, threadId, waited));
        lock.whenClosed(() -> {
            held.remove(lock);
            holdingThreads.remove(lock);
            Duration heldFor = Duration.ofNanos(ticker.nanos() - grantedAt);
            listeners.tell(lockId, l -> l.onReleased(lockId, threadId, heldFor));
        });
        if (!listeners.isEmpty()) {
            grant.lost().thenRun(() -> listeners.tell(lockId, l -> l.onLost(lockId, threadId)));
        }
        if (closed) {
            lock.release();
        }
        return lock;
    }

    private HeldLock heldByThisThread(HeldLock lock) {
        holdingThreads.add(lock);
        return lock;
    }

    /**
     * Refuses new calls, sends every waiter away, tells every holder that its lock is lost, and releases all locks in
     * parallel, then ends the algorithm. Waits at most ten seconds for either; what could not be released by then frees
     * itself with its lease.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        waiting.forEach(acquisition -> acquisition.giveUp(closedWhile("waiting for", acquisition.lockId())));
        List<HeldLock> remaining = List.copyOf(held);
        remaining.forEach(lock -> lock.abandon("the application is shutting down"));
        CompletableFuture<?>[] releases =
                remaining.stream().map(HeldLock::release).toArray(CompletableFuture<?>[]::new);
        await(CompletableFuture.allOf(releases), "the release of " + releases.length + " held locks");
        await(algorithm.closeAsync().toCompletableFuture(), "the end of the algorithm '" + algorithm.name() + "'");
        callbacks.shutdown();
        losses.shutdown();
        listeners.close();
    }

    private static void await(CompletableFuture<?> end, String what) {
        try {
            end.get(SHUTDOWN.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            log.warn(
                    "At shutdown, {} was not done within {}; what is left frees itself with its lease",
                    what,
                    SHUTDOWN,
                    e);
        }
    }
}
