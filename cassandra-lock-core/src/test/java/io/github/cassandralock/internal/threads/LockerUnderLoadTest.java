package io.github.cassandralock.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many threads take few locks in all possible ways. Their calls time out, are interrupted or cancelled, and their sessions are
 * lost. The tests fail if a queue that was dropped accepts a waiter (planted once), and if a call during the close fails with the
 * failure of the algorithm (an earlier fault).
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LockerUnderLoadTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final List<String> LOCKS = List.of("a", "b", "c");
    private static final int THREADS = 8;
    private static final int CLOSINGS = 30;

    private final ExecutorService driver = Executors.newFixedThreadPool(2);
    private final ExecutorService users = Executors.newCachedThreadPool();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    /** One process, with the state of its locks. */
    private final class Application implements AutoCloseable {

        private final Map<String, RemoteLock> holders = new ConcurrentHashMap<>();
        private final Map<String, Long> tokens = new ConcurrentHashMap<>();
        private final AnsweringLaterStore store = new AnsweringLaterStore(driver);
        private final ScheduledTimers timers = new ScheduledTimers();
        private final TicketAlgorithm algorithm = new TicketAlgorithm(
                store,
                new SessionContext(
                        store, new SessionSettings(LEASE, 0.05), Ticker.system(), timers, UUID::randomUUID, "test"),
                TicketSettings.of(Duration.ofMillis(5), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250))),
                () -> 1_700_000_000_000_000L);
        private final AlgorithmLocker locker =
                new AlgorithmLocker(algorithm, LEASE, Ticker.system(), timers, List.of());

        /** Takes a lock in one of the possible ways. */
        void use(String lockId) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            try {
                switch (random.nextInt(6)) {
                    case 0 -> work(locker.getLock(lockId));
                    case 1 -> work(locker.getLock(lockId, Duration.ofNanos(random.nextLong(1, 500_000))));
                    case 2 -> locker.tryGetLock(lockId).ifPresent(this::work);
                    case 3 -> work(locker.getLockAsync(lockId).join());
                    case 4 ->
                        work(locker.getLock(
                                LockRequest.of(lockId).holdAtLeast(Duration.ofNanos(random.nextLong(300_000)))));
                    default -> useUnlessCancelled(locker.getLockAsync(lockId));
                }
            } catch (LockException | IllegalStateException | CompletionException refusal) {
                mayBeRefusedSo(refusal instanceof CompletionException ? refusal.getCause() : refusal);
            }
        }

        private void mayBeRefusedSo(@Nullable Throwable refusal) {
            Thread.interrupted();
            boolean said = refusal instanceof LockException
                    || refusal instanceof CancellationException
                    || String.valueOf(refusal).contains("was closed while")
                    || String.valueOf(refusal).contains("restored from a checkpoint")
                    // by the same cause, if the session was being opened
                    || String.valueOf(refusal).contains("after its lease");
            if (!said) {
                violations.add("a call was refused with " + refusal);
            }
        }

        private void useUnlessCancelled(CompletableFuture<RemoteLock> future) {
            pauseUpTo(Duration.ofNanos(300_000));
            if (!future.cancel(false)) {
                work(future.join());
            }
        }

        private void work(RemoteLock lock) {
            String lockId = lock.getLockId();
            RemoteLock before = holders.put(lockId, lock);
            if (before != null && before.isHeld() && lock.isHeld()) {
                violations.add("two threads hold lock '" + lockId + "'");
            }
            if (ThreadLocalRandom.current().nextInt(4) == 0) {
                askForToken(lock);
            }
            lock.close();
        }

        private void askForToken(RemoteLock lock) {
            try {
                long token = lock.reserveFencingToken();
                Long highest = tokens.get(lock.getLockId());
                if (highest != null && token <= highest && lock.isHeld()) {
                    violations.add("token " + token + " of '" + lock.getLockId() + "' came after " + highest);
                }
                tokens.merge(lock.getLockId(), token, Math::max);
            } catch (LockException lostOrInterrupted) {
                Thread.interrupted();
            }
        }

        void mustBeEmpty() {
            assertThat(Leftovers.in(algorithm, "actors"))
                    .as("queues left behind")
                    .isZero();
            assertThat(locker.waitingCalls()).as("calls left behind").isZero();
            assertThat(locker.heldLocks()).as("handles left behind").isZero();
            assertThat(Leftovers.in(Leftovers.of(Leftovers.of(locker, "minimumHolds"), "present"), "lists"))
                    .as("locks that are thought to stay taken")
                    .isZero();
            assertThat(Leftovers.in(
                            Leftovers.of(Leftovers.of(Leftovers.of(locker, "locks"), "owners"), "locks"), "lists"))
                    .as("threads that are thought to hold a lock")
                    .isZero();
        }

        @Override
        public void close() {
            locker.close();
            timers.close();
        }
    }

    @AfterEach
    void endThreads() {
        users.shutdownNow();
        driver.shutdownNow();
    }

    @Test
    void noTwoHoldALockEveryCallEndsAndNothingIsLeftBehind() throws Exception {
        try (Application application = new Application()) {
            long end = System.nanoTime() + Races.length(Duration.ofSeconds(4)).toNanos();
            List<Thread> threads = new ArrayList<>();
            for (int number = 0; number < THREADS; number++) {
                threads.add(new Thread(
                        () -> {
                            while (System.nanoTime() - end < 0) {
                                application.use(anyOf(LOCKS));
                            }
                        },
                        "user " + number));
            }
            threads.forEach(thread -> thread.setUncaughtExceptionHandler(
                    (failed, thrown) -> violations.add(failed.getName() + " ended with " + thrown)));
            threads.forEach(Thread::start);
            while (System.nanoTime() - end < 0) {
                pauseUpTo(Duration.ofMillis(2));
                anyOf(threads).interrupt();
                if (ThreadLocalRandom.current().nextInt(50) == 0) {
                    application.locker.restored();
                }
            }
            for (Thread thread : threads) {
                thread.join(Duration.ofMinutes(1).toMillis());
                assertThat(thread.isAlive())
                        .as("%s still waits", thread.getName())
                        .isFalse();
            }
            assertThat(violations).isEmpty();
            for (String lockId : LOCKS) {
                application.locker.getLock(lockId, Duration.ofMinutes(1)).close();
            }
            application.close();
            application.mustBeEmpty();
        }
    }

    @Test
    void holdersReceiveTheLossAndWaitersAreRefusedWhenTheLockerClosesUnderLoad() throws Exception {
        for (int closing = 0; closing < CLOSINGS; closing++) {
            Application application = new Application();
            AtomicBoolean closed = new AtomicBoolean();
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int number = 0; number < THREADS; number++) {
                threads.add(CompletableFuture.runAsync(() -> useUntil(application, closed), users));
            }
            pauseUpTo(Duration.ofMillis(20));
            application.close();
            closed.set(true);
            for (CompletableFuture<Void> thread : threads) {
                thread.get(1, TimeUnit.MINUTES);
            }
            assertThat(violations).isEmpty();
            application.mustBeEmpty();
            assertThat(application.store.wanted()).as("locks still taken").isZero();
        }
    }

    private static void pauseUpTo(Duration longest) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest.toNanos()));
    }

    private static void useUntil(Application application, AtomicBoolean closed) {
        while (!closed.get()) {
            application.use(anyOf(LOCKS));
        }
    }

    private static <T> T anyOf(List<T> list) {
        return list.get(ThreadLocalRandom.current().nextInt(list.size()));
    }
}
