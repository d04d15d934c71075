package io.github.cassandralock.internal.shedlock;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lock of one job, until it is unlocked or extended, or the longest time of the job has passed. */
final class JobLock extends AbstractSimpleLock {

    private static final Logger log = LoggerFactory.getLogger(JobLock.class);

    private final RemoteLock lock;
    private final Ticker ticker;
    private final Timers timers;
    private final long atMostUntil;
    private final long atLeastUntil;
    private final CompletableFuture<Void> atMostPassed;

    /** Whether the longest time still counts: the job has not unlocked or extended its lock. */
    private final AtomicBoolean atMostCounts = new AtomicBoolean(true);

    private JobLock(
            LockConfiguration configuration,
            RemoteLock lock,
            Ticker ticker,
            Timers timers,
            long from,
            long atLeastUntil) {
        super(configuration);
        this.lock = lock;
        this.ticker = ticker;
        this.timers = timers;
        this.atMostUntil = from + nanos(configuration.getLockAtMostFor());
        this.atLeastUntil = atLeastUntil;
        this.atMostPassed = at(atMostUntil);
    }

    /**
     * Returns the lock of a job that begins. The locker keeps the lock for the shortest time.
     *
     * @param askedAt from when the longest time counts
     */
    static SimpleLock taken(
            LockConfiguration configuration, RemoteLock lock, Ticker ticker, Timers timers, long askedAt) {
        JobLock job = new JobLock(configuration, lock, ticker, timers, askedAt, askedAt);
        job.releaseWhenAtMostHasPassed();
        return job;
    }

    private void releaseWhenAtMostHasPassed() {
        atMostPassed.thenRun(() -> {
            if (!atMostCounts.compareAndSet(true, false)) {
                return;
            }
            if (lock.isHeld()) {
                log.warn(
                        "Lock '{}' is released because its lockAtMostFor of {} has passed, although its job has not ended;"
                                + " another instance may run the job now",
                        lock.getLockId(),
                        lockConfiguration.getLockAtMostFor());
            }
            lock.closeAsync();
        });
    }

    /** Completes at this instant, on a thread that must not be blocked. */
    private CompletableFuture<Void> at(long instant) {
        return timers.afterOrFailed(Duration.ofNanos(Math.max(0, instant - ticker.nanos())));
    }

    /** Returns whether it counted until now. */
    private boolean endAtMost() {
        boolean counted = atMostCounts.compareAndSet(true, false);
        atMostPassed.cancel(false);
        return counted;
    }

    private static long nanos(Duration time) {
        return TimeUnit.NANOSECONDS.convert(time);
    }

    private boolean hasPassed(long instant) {
        return ticker.nanos() - instant >= 0;
    }

    /** The shortest time of a lock that was extended counts from then: if it has not passed, the lock is released later. */
    @Override
    protected void doUnlock() {
        endAtMost();
        if (hasPassed(atLeastUntil)) {
            lock.close();
        } else {
            at(atLeastUntil).whenComplete((passed, noTimers) -> lock.closeAsync());
        }
    }

    /** Empty if the lock is lost, or its longest time has passed. ShedLock does not unlock what could not be extended. */
    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
        if (!lock.isHeld()) {
            lock.closeAsync();
            return Optional.empty();
        }
        if (hasPassed(atMostUntil) || !endAtMost()) {
            return Optional.empty();
        }
        long now = ticker.nanos();
        JobLock job = new JobLock(extended, lock, ticker, timers, now, now + nanos(extended.getLockAtLeastFor()));
        job.releaseWhenAtMostHasPassed();
        return Optional.of(job);
    }

    /** Names the lock and its state. */
    @Override
    public String toString() {
        return "JobLock[" + lock + "]";
    }
}
