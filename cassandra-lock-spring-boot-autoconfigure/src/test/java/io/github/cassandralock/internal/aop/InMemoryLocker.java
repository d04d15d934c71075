package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.period.StoredPeriod;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Locks of one process, which can be told to lose one, and which note what happens. */
final class InMemoryLocker implements RemoteLocker {

    private final Map<String, Deque<Waiting>> queues = new HashMap<>();
    private final Map<String, Held> holders = new HashMap<>();
    private final Map<String, Comparable<?>> periods = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong();
    private volatile @Nullable RuntimeException recordFailure;
    private volatile UnaryOperator<CompletableFuture<?>> delivery = answer -> answer;
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<LockRequest> requests = new CopyOnWriteArrayList<>();

    /** From now on, answers of asynchronous calls arrive later, on a thread with this name and a number. */
    void answerOn(String thread) {
        AtomicInteger number = new AtomicInteger();
        delivery = answer -> {
            CompletableFuture<Object> later = new CompletableFuture<>();
            later.whenComplete((value, failure) -> {
                if (later.isCancelled()) {
                    answer.cancel(false);
                }
            });
            answer.whenCompleteAsync(
                    (value, failure) -> {
                        if (failure != null) {
                            later.completeExceptionally(failure);
                        } else if (!later.complete(value) && value != null) {
                            LockCall.release(value);
                        }
                    },
                    task -> new Thread(task, thread + "-" + number.incrementAndGet()).start());
            return later;
        };
    }

    @SuppressWarnings("unchecked") // the delivery keeps the answer
    private <T> CompletableFuture<T> delivered(CompletableFuture<T> answer) {
        return (CompletableFuture<T>) delivery.apply(answer);
    }

    @Override
    public RemoteLock getLock(LockRequest request) {
        return getLock(request, Duration.ofSeconds(20));
    }

    @Override
    public RemoteLock getLock(LockRequest request, Duration timeout) {
        try {
            return queued(request, timeout).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LockTimeoutException timedOut ? timedOut : new IllegalStateException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public synchronized Optional<RemoteLock> tryGetLock(LockRequest request) {
        String lockId = request.getLockId();
        requests.add(request);
        if (holders.containsKey(lockId)) {
            events.add("refuse " + lockId);
            return Optional.empty();
        }
        return Optional.of(grant(request));
    }

    @Override
    public CompletableFuture<RemoteLock> getLockAsync(LockRequest request) {
        return delivered(queued(request));
    }

    private synchronized CompletableFuture<RemoteLock> queued(LockRequest request) {
        String lockId = request.getLockId();
        requests.add(request);
        CompletableFuture<RemoteLock> future = new CompletableFuture<>();
        if (holders.containsKey(lockId)) {
            queues.computeIfAbsent(lockId, id -> new ArrayDeque<>()).add(new Waiting(request, future));
        } else {
            future.complete(grant(request));
        }
        return future;
    }

    @Override
    public CompletableFuture<RemoteLock> getLockAsync(LockRequest request, Duration timeout) {
        return delivered(queued(request, timeout));
    }

    private CompletableFuture<RemoteLock> queued(LockRequest request, Duration timeout) {
        String lockId = request.getLockId();
        CompletableFuture<RemoteLock> future = queued(request);
        CompletableFuture.delayedExecutor(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> future.completeExceptionally(new LockTimeoutException(lockId, "not within " + timeout)));
        return future;
    }

    @Override
    public CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(LockRequest request) {
        return delivered(CompletableFuture.completedFuture(tryGetLock(request)));
    }

    @Override
    public RemoteLocks getLocks(MultiLockRequest requests) {
        throw oneLockOnly();
    }

    @Override
    public RemoteLocks getLocks(MultiLockRequest requests, Duration timeout) {
        throw oneLockOnly();
    }

    @Override
    public Optional<RemoteLocks> tryGetLocks(MultiLockRequest requests) {
        throw oneLockOnly();
    }

    @Override
    public CompletableFuture<RemoteLocks> getLocksAsync(MultiLockRequest requests) {
        throw oneLockOnly();
    }

    @Override
    public CompletableFuture<RemoteLocks> getLocksAsync(MultiLockRequest requests, Duration timeout) {
        throw oneLockOnly();
    }

    @Override
    public CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(MultiLockRequest requests) {
        throw oneLockOnly();
    }

    @Override
    public Optional<RemoteLock> tryGetLock(LockRequest request, Duration timeout) {
        throw unused();
    }

    @Override
    public CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(LockRequest request, Duration timeout) {
        throw unused();
    }

    @Override
    public Optional<RemoteLocks> tryGetLocks(MultiLockRequest requests, Duration timeout) {
        throw oneLockOnly();
    }

    @Override
    public CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(MultiLockRequest requests, Duration timeout) {
        throw oneLockOnly();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("the annotation does not try with a time-out");
    }

    /** Calls with several locks are tested with the locker that is shipped for tests. */
    private static UnsupportedOperationException oneLockOnly() {
        return new UnsupportedOperationException("This locker of tests takes one lock at a time");
    }

    private Held grant(LockRequest request) {
        Held held = new Held(request);
        holders.put(held.lockId, held);
        events.add("lock " + held.lockId);
        return held;
    }

    private synchronized void release(Held held) {
        if (!holders.remove(held.lockId, held)) {
            return;
        }
        events.add("unlock " + held.lockId);
        Deque<Waiting> waiting = queues.getOrDefault(held.lockId, new ArrayDeque<>());
        while (!waiting.isEmpty()) {
            Waiting next = waiting.remove();
            if (!next.future().isDone()) {
                next.future().complete(grant(next.request()));
                return;
            }
        }
    }

    synchronized boolean isHeld(String lockId) {
        return holders.containsKey(lockId);
    }

    void lose(String lockId) {
        Held held;
        synchronized (this) {
            held = holders.get(lockId);
        }
        if (held != null) {
            held.lost = true;
            held.callbacks.forEach(
                    callback -> callback.accept(new LockLoss(LockLoss.Reason.OTHER, "lost by the test")));
        }
    }

    /** Closes the holder's handle from outside. */
    void close(String lockId) {
        Held held;
        synchronized (this) {
            held = holders.get(lockId);
        }
        if (held != null) {
            held.close();
        }
    }

    private record Waiting(LockRequest request, CompletableFuture<RemoteLock> future) {}

    /** The last completed period of a lock; empty if there is none. */
    Optional<Comparable<?>> lastPeriod(String lockId) {
        return Optional.ofNullable(periods.get(lockId));
    }

    /** Each further record fails with this exception. */
    void failRecords(RuntimeException failure) {
        recordFailure = failure;
    }

    private final class Held implements RemoteLock {

        private final String lockId;
        private final LockMode mode;
        private final List<Consumer<LockLoss>> callbacks = new ArrayList<>();
        private final long token = tokens.incrementAndGet();
        private volatile boolean lost;
        private volatile boolean closed;

        Held(LockRequest request) {
            this.lockId = request.getLockId();
            this.mode = request.getMode();
        }

        @Override
        public String getLockId() {
            return lockId;
        }

        @Override
        public LockMode getMode() {
            return mode;
        }

        @Override
        public void convert(LockMode newMode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void convert(LockMode newMode, Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean tryConvert(LockMode newMode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> convertAsync(LockMode newMode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> convertAsync(LockMode newMode, Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Boolean> tryConvertAsync(LockMode newMode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void holdAtMost(Duration atMost) {
            throw new UnsupportedOperationException("the longest time is tested elsewhere");
        }

        @Override
        public String getThreadId() {
            return "in-memory";
        }

        @Override
        public LockValue readValue() {
            throw new UnsupportedOperationException("values are tested elsewhere");
        }

        @Override
        public CompletableFuture<LockValue> readValueAsync() {
            throw new UnsupportedOperationException("values are tested elsewhere");
        }

        @Override
        public void writeValue(byte[] bytes) {
            throw new UnsupportedOperationException("values are tested elsewhere");
        }

        @Override
        public CompletableFuture<Void> writeValueAsync(byte[] bytes) {
            throw new UnsupportedOperationException("values are tested elsewhere");
        }

        @Override
        @SuppressWarnings("unchecked")
        public boolean beginPeriod(Comparable<?> period) {
            StoredPeriod.of(period);
            ensureHeld();
            Comparable<?> last = periods.get(lockId);
            return last == null || ((Comparable<Object>) period).compareTo(last) > 0;
        }

        @Override
        public CompletableFuture<Boolean> beginPeriodAsync(Comparable<?> period) {
            return delivered(CompletableFuture.completedFuture(beginPeriod(period)));
        }

        @Override
        public void completePeriod(Comparable<?> period) {
            ensureHeld();
            RuntimeException failure = recordFailure;
            if (failure != null) {
                throw failure;
            }
            periods.put(lockId, period);
            events.add("record " + period);
        }

        @Override
        public CompletableFuture<Void> completePeriodAsync(Comparable<?> period) {
            try {
                completePeriod(period);
                return delivered(CompletableFuture.completedFuture(null));
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @Override
        public long reserveFencingToken() {
            ensureHeld();
            return token;
        }

        @Override
        public CompletableFuture<Long> reserveFencingTokenAsync() {
            return CompletableFuture.completedFuture(reserveFencingToken());
        }

        @Override
        public boolean isHeld() {
            return !lost && InMemoryLocker.this.isHeld(lockId);
        }

        @Override
        public void ensureHeld() {
            if (lost) {
                throw new LockLostException(lockId, "lost");
            }
            if (closed) {
                throw new IllegalStateException("closed");
            }
        }

        @Override
        public void onLost(Consumer<LockLoss> callback) {
            callbacks.add(callback);
        }

        @Override
        public void onContention(Runnable callback) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            closed = true;
            release(this);
        }

        @Override
        public CompletableFuture<Void> closeAsync() {
            closed = true;
            release(this);
            return delivered(CompletableFuture.completedFuture(null));
        }
    }
}
