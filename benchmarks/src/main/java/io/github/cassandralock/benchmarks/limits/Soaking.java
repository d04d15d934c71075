package io.github.cassandralock.benchmarks.limits;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Threads that do all kinds of work until they are ended. For one thread. */
final class Soaking {

    private static final int THREADS = 8;
    private static final int LOCKS = 20;
    private static final Duration SHORT = Duration.ofMillis(20);

    private final RemoteLocker locker;
    private final LongAdder calls = new LongAdder();
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    private final List<Future<?>> threads = new ArrayList<>();
    private volatile boolean ending;

    private Soaking(RemoteLocker locker) {
        this.locker = locker;
    }

    static Soaking begin(RemoteLocker locker, SplittableRandom random) {
        Soaking soaking = new Soaking(locker);
        for (int thread = 0; thread < THREADS; thread++) {
            SplittableRandom own = random.split();
            soaking.threads.add(soaking.executor.submit(() -> soaking.run(own)));
        }
        return soaking;
    }

    private void run(SplittableRandom own) {
        while (!ending) {
            use(own);
            calls.increment();
        }
    }

    /** One call of some kind. */
    private void use(SplittableRandom own) {
        String lockId = lockId(own);
        switch (own.nextInt(7)) {
            case 0 -> locker.getLock(lockId).close();
            case 1 -> {
                try (RemoteLock lock = locker.getLock(lockId)) {
                    lock.reserveFencingToken();
                }
            }
            case 2 ->
                locker.getLock(LockRequest.of(lockId).mode(LockMode.PROTECTED_READ))
                        .close();
            case 3 -> locker.tryGetLock(lockId).ifPresent(RemoteLock::close);
            case 4 -> locker.tryGetLock(lockId, SHORT).ifPresent(RemoteLock::close);
            case 5 ->
                locker.getLocks(MultiLockRequest.of(List.of(lockId, lockId(own), lockId(own))))
                        .close();
            default -> locker.getLock("soaked-once-" + own.nextLong()).close();
        }
    }

    private static String lockId(SplittableRandom own) {
        return "soaked-" + own.nextInt(LOCKS);
    }

    /** The calls so far. Fails if a call has failed. */
    long calls() throws ExecutionException, InterruptedException {
        for (Future<?> thread : threads) {
            if (thread.isDone()) {
                thread.get();
            }
        }
        return calls.sum();
    }

    void end() throws ExecutionException, InterruptedException {
        ending = true;
        for (Future<?> thread : threads) {
            thread.get();
        }
        executor.shutdown();
    }
}
