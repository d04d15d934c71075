package io.github.cassandralock.internal.shedlock;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.time.Ticker;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** The lock of one job, until it is unlocked, extended or lost. The locker bounds the hold. */
final class JobLock extends AbstractSimpleLock {

    private final RemoteLock lock;
    private final Ticker ticker;
    private final long atLeastUntil;

    /** @param atLeastUntil an unlock before this instant releases the lock then */
    JobLock(LockConfiguration configuration, RemoteLock lock, Ticker ticker, long atLeastUntil) {
        super(configuration);
        this.lock = lock;
        this.ticker = ticker;
        this.atLeastUntil = atLeastUntil;
    }

    /**
     * The shortest time of an extended lock counts from the extension. If the time has not passed, the lock is released later.
     */
    @Override
    protected void doUnlock() {
        long left = atLeastUntil - ticker.nanos();
        if (left <= 0) {
            lock.close();
        } else {
            CompletableFuture.delayedExecutor(left, TimeUnit.NANOSECONDS, Runnable::run)
                    .execute(lock::closeAsync);
        }
    }

    /** Empty if the lock is lost. ShedLock does not unlock what could not be extended. */
    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
        lock.holdAtMost(extended.getLockAtMostFor());
        if (!lock.isHeld()) {
            lock.closeAsync();
            return Optional.empty();
        }
        long atLeast = TimeUnit.NANOSECONDS.convert(extended.getLockAtLeastFor());
        return Optional.of(new JobLock(extended, lock, ticker, ticker.nanos() + atLeast));
    }

    /** Names the lock and its state. */
    @Override
    public String toString() {
        return "JobLock[" + lock + "]";
    }
}
