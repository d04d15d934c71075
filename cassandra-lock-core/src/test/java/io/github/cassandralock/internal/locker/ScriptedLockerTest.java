package io.github.cassandralock.internal.locker;

import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A locker whose algorithm grants when the test decides it, and the events that its listeners received. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
abstract class ScriptedLockerTest {

    static final Duration LEASE = Duration.ofSeconds(15);
    static final Duration BOUND = Duration.ofSeconds(10);

    final ScriptedAlgorithm algorithm = new ScriptedAlgorithm();
    final List<String> events = new CopyOnWriteArrayList<>();
    final ScheduledTimers timers = new ScheduledTimers();
    final AlgorithmLocker locker =
            new AlgorithmLocker(algorithm, LEASE, Ticker.system(), timers, List.of(new Failing(), new Recording()));

    private final class Recording implements LockListener {

        @Override
        public void onAcquired(String lockId, String threadId, Duration waited) {
            events.add("acquired " + lockId);
        }

        @Override
        public void onRefused(String lockId) {
            events.add("refused " + lockId);
        }

        @Override
        public void onGivenUp(String lockId, Duration waited, Throwable reason) {
            events.add("given up " + lockId);
        }

        @Override
        public void onReleased(String lockId, String threadId, Duration held) {
            events.add("released " + lockId);
        }

        @Override
        public void onLost(String lockId, String threadId, LockLoss loss) {
            events.add("lost " + lockId + ": " + loss);
        }
    }

    private static final class Failing implements LockListener {

        @Override
        public void onAcquired(String lockId, String threadId, Duration waited) {
            throw new IllegalStateException("a listener of bad quality");
        }
    }

    @AfterEach
    void close() {
        locker.close();
        timers.close();
    }

    RemoteLock granted(String lockId) {
        algorithm.grantAtOnce = true;
        RemoteLock lock = locker.getLock(lockId);
        algorithm.grantAtOnce = false;
        return lock;
    }

    /** Blocks all callback threads, with the first four attempts, until the future completes. */
    CompletableFuture<Void> busyThreads() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        for (int number = 0; number < 4; number++) {
            locker.getLockAsync("busy" + number).thenAccept(busy -> end.join());
            ScriptedAttempt attempt = attempt(number);
            attempt.outcome.complete(Optional.of(attempt.grant));
        }
        return end;
    }

    static void awaitThatItWaits(Thread thread) {
        await().atMost(BOUND).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    ScriptedAttempt attempt(int number) {
        await().atMost(BOUND).until(() -> algorithm.attempts.size() > number);
        return algorithm.attempts.get(number);
    }
}
