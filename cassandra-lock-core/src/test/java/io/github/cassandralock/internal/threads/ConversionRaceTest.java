package io.github.cassandralock.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockMode;
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
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Callers give conversions up while the store's answers arrive on other threads. The tests fail if a conversion takes effect whose
 * caller has given up (an earlier fault).
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ConversionRaceTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration LONGEST_LOOK = Duration.ofMillis(3);
    private static final int THREADS = 4;

    private final ExecutorService driver = Executors.newFixedThreadPool(2);
    private final AnsweringLaterStore store = new AnsweringLaterStore(driver);
    private final ScheduledTimers timers = new ScheduledTimers();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final AlgorithmLocker locker = new AlgorithmLocker(
            new TicketAlgorithm(
                    store,
                    new SessionContext(
                            store, new SessionSettings(LEASE, 0.05), Ticker.system(), timers, UUID::randomUUID, "test"),
                    TicketSettings.of(
                            Duration.ofMillis(5), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250))),
                    () -> 1_700_000_000_000_000L),
            LEASE,
            Ticker.system(),
            timers,
            List.of());

    @AfterEach
    void close() {
        locker.close();
        timers.close();
        driver.shutdownNow();
    }

    private static Duration upTo(Duration longest) {
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(1, longest.toNanos()));
    }

    private static LockMode anyMode() {
        LockMode[] modes = LockMode.values();
        return modes[ThreadLocalRandom.current().nextInt(modes.length)];
    }

    /** Gives one conversion up in one of the possible ways. */
    private interface Giving {

        /** Returns whether the caller was told that the lock is not converted. */
        boolean up(RemoteLock lock, LockMode target);
    }

    private void untilTheEnd(Giving giving) {
        long end = System.nanoTime() + Races.length(Duration.ofSeconds(2)).toNanos();
        List<CompletableFuture<Void>> threads = IntStream.range(0, THREADS)
                .mapToObj(thread -> CompletableFuture.runAsync(
                        () -> {
                            while (System.nanoTime() - end < 0) {
                                giveUpOnce("lock" + thread, giving);
                            }
                        },
                        task -> new Thread(task, "user " + thread).start()))
                .toList();
        threads.forEach(CompletableFuture::join);
        assertThat(violations).isEmpty();
    }

    private void giveUpOnce(String lockId, Giving giving) {
        LockMode before = anyMode();
        LockMode target = anyMode();
        try (RemoteLock lock = locker.getLock(LockRequest.of(lockId).mode(before))) {
            boolean givenUp = giving.up(lock, target);
            LockMode told = lock.getMode();
            LockSupport.parkNanos(upTo(LONGEST_LOOK).toNanos());
            LockMode later = lock.getMode();
            if (told != later || told != (givenUp ? before : target)) {
                violations.add("from " + before + " to " + target + ": given up " + givenUp + ", mode " + told
                        + ", later " + later);
            }
        }
        Thread.interrupted();
    }

    @Test
    void modeIsFinalWhenTheFutureOfAConversionWasCancelled() {
        untilTheEnd((lock, target) -> {
            CompletableFuture<Void> conversion = lock.convertAsync(target);
            LockSupport.parkNanos(upTo(Duration.ofMillis(1)).toNanos());
            return conversion.cancel(true);
        });
    }

    @Test
    void modeIsFinalWhenTheFutureOfAConversionHasTimedOut() {
        untilTheEnd((lock, target) -> {
            CompletableFuture<Void> conversion = lock.convertAsync(target)
                    .orTimeout(upTo(Duration.ofMillis(1)).toNanos(), TimeUnit.NANOSECONDS);
            try {
                conversion.join();
                return false;
            } catch (CompletionException timedOut) {
                return true;
            }
        });
    }

    @Test
    void modeIsFinalWhenAConversionHasTimedOutOrWasInterruptedTwice() {
        untilTheEnd((lock, target) -> {
            Thread converting = Thread.currentThread();
            CompletableFuture<Void> interrupts = CompletableFuture.runAsync(
                    () -> {
                        for (int interrupt = 0; interrupt < 2; interrupt++) {
                            LockSupport.parkNanos(upTo(Duration.ofMillis(1)).toNanos());
                            converting.interrupt();
                        }
                    },
                    task -> new Thread(task, "interrupts").start());
            try {
                lock.convert(target, upTo(Duration.ofMillis(2)));
                return false;
            } catch (LockException givenUp) {
                return true;
            } finally {
                while (!interrupts.isDone()) {
                    Thread.onSpinWait();
                }
                Thread.interrupted();
            }
        });
    }
}
