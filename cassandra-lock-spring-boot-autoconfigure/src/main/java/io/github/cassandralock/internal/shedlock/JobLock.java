package io.github.cassandralock.internal.shedlock;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
    private final long atMostUntil;
    private final long atLeastUntil;
    private final CompletableFuture<Boolean> atMostPassed;

    private JobLock(LockConfiguration configuration, RemoteLock lock, Ticker ticker, long from, long atLeastUntil) {
        super(configuration);
        this.lock = lock;
        this.ticker = ticker;
        this.atMostUntil = from + nanos(configuration.getLockAtMostFor());
        this.atLeastUntil = atLeastUntil;
        this.atMostPassed = at(atMostUntil);
    }

    /**
     * The lock of a job that begins. The locker keeps the lock for the shortest time.
     *
     * @param askedAt from when the longest time counts
     */
    static SimpleLock taken(LockConfiguration configuration, RemoteLock lock, Ticker ticker, long askedAt) {
        JobLock job = new JobLock(configuration, lock, ticker, askedAt, askedAt);
        job.releaseWhenAtMostHasPassed();
        return job;
    }

    private void releaseWhenAtMostHasPassed() {
        atMostPassed.thenAcceptAsync(passed -> {
            if (!passed) {
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

    /**
     * Completes with true at this instant, on a thread of the JDK that must not be blocked, unless it has been completed
     * before. It is not to be cancelled: Java 17 then keeps its timer until that instant.
     */
    private CompletableFuture<Boolean> at(long instant) {
        return new CompletableFuture<Boolean>()
                .completeOnTimeout(true, Math.max(0, instant - ticker.nanos()), TimeUnit.NANOSECONDS);
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
        atMostPassed.complete(false);
        if (hasPassed(atLeastUntil)) {
            lock.close();
        } else {
            at(atLeastUntil).thenRunAsync(lock::closeAsync);
        }
    }

    /** Empty if the lock is lost, or its longest time has passed. ShedLock does not unlock what could not be extended. */
    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
        if (!lock.isHeld()) {
            lock.closeAsync();
            return Optional.empty();
        }
        if (hasPassed(atMostUntil) || !atMostPassed.complete(false)) {
            return Optional.empty();
        }
        long now = ticker.nanos();
        JobLock job = new JobLock(extended, lock, ticker, now, now + nanos(extended.getLockAtLeastFor()));
        job.releaseWhenAtMostHasPassed();
        return Optional.of(job);
    }
}
