package io.github.cassandralock.it;

import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Threads of several instances that count under one lock, which alone protects the counter: an update is a read, a pause and a
 * write. In one of five, the holder asks for its fencing token. Thread-safe.
 */
final class CountedUpdates implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int TOKEN_EACH = 5;
    private static final int SOME = 20;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long END_MILLIS = 60_000;

    private final String lockId;
    private final List<Thread> workers = new ArrayList<>();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong tokens = new AtomicLong();
    private final Map<Application, AtomicLong> byInstance = new ConcurrentHashMap<>();
    private final Map<String, String> unexpected = new ConcurrentHashMap<>();
    private final AtomicReference<String> tokenOutOfOrder = new AtomicReference<>("");

    /* Only holders of the lock change these. They are volatile for the sake of threads, and no update of them is atomic. */
    private volatile long counter;
    private volatile long lastToken;
    private volatile long lastUpdate = System.nanoTime();
    private volatile long longestGap;

    CountedUpdates(String lockId) {
        this.lockId = lockId;
    }

    /** Lets so many threads of this instance count until the end. */
    void begin(Application instance, int threads) {
        byInstance.put(instance, new AtomicLong());
        for (int thread = 0; thread < threads; thread++) {
            Thread worker = new Thread(
                    () -> {
                        while (!stop.get() && instance.context().isActive()) {
                            update(instance, instance.locker());
                        }
                    },
                    "counts-" + workers.size());
            workers.add(worker);
            worker.start();
        }
    }

    private void update(Application instance, RemoteLocker locker) {
        try (RemoteLock lock = locker.getLock(lockId, PATIENCE)) {
            long seenToken = lastToken;
            long token = updates.get() % TOKEN_EACH == 0 ? token(lock) : 0;
            long seen = counter;
            LockSupport.parkNanos(WORK_NANOS);
            if (lock.isHeld()) {
                counter = seen + 1;
                updates.incrementAndGet();
                byInstance.getOrDefault(instance, new AtomicLong()).incrementAndGet();
                served();
                if (token != 0) {
                    shown(token, seenToken);
                }
            }
        } catch (LockException | IllegalStateException e) {
            if (!String.valueOf(e.getMessage()).contains(lockId)) {
                unexpected.put(String.valueOf(e), lockId);
            }
        }
    }

    private void served() {
        long now = System.nanoTime();
        longestGap = Math.max(longestGap, now - lastUpdate);
        lastUpdate = now;
    }

    private void shown(long token, long seen) {
        tokens.incrementAndGet();
        lastToken = token;
        if (token <= seen) {
            tokenOutOfOrder.set(token + " after " + seen);
        }
    }

    /** Zero if there is none now. */
    private static long token(RemoteLock lock) {
        try {
            return lock.reserveFencingToken();
        } catch (LockException | IllegalStateException | UnsupportedOperationException e) {
            return 0;
        }
    }

    long count() {
        return updates.get();
    }

    long count(Application instance) {
        return byInstance.getOrDefault(instance, new AtomicLong()).get();
    }

    /** Until there are some more. */
    void awaitMore(String when) {
        awaitMore(when, this::count);
    }

    /** Until this instance has made some more. */
    void awaitMore(Application instance, String when) {
        awaitMore(when, () -> count(instance));
    }

    private static void awaitMore(String when, LongSupplier counted) {
        long before = counted.getAsLong();
        await(when).atMost(SOON).until(() -> counted.getAsLong() > before + SOME);
    }

    /** How many tokens holders have been shown. */
    long tokens() {
        return tokens.get();
    }

    /** The longest time between two updates since the last call. */
    Duration longestGap() {
        Duration gap = Duration.ofNanos(longestGap);
        longestGap = 0;
        return gap;
    }

    /** Ends the threads; what is wrong with what they have counted, empty if nothing is. */
    List<String> endAndCheck() {
        close();
        List<String> wrong = new ArrayList<>(unexpected.keySet());
        if (counter != updates.get()) {
            wrong.add("the counter is " + counter + " after " + updates + " updates");
        }
        String token = String.valueOf(tokenOutOfOrder.get());
        if (!token.isEmpty()) {
            wrong.add("token " + token);
        }
        return wrong;
    }

    @Override
    public void close() {
        stop.set(true);
        workers.forEach(CountedUpdates::join);
    }

    private static void join(Thread worker) {
        try {
            worker.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
