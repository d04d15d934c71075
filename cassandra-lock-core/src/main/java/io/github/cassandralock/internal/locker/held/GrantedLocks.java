package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.inspect.LocalLock;
import io.github.cassandralock.internal.inspect.LockFigures;
import io.github.cassandralock.internal.locker.observe.CallObservers.ObservedCall;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.locker.observe.ListenerCalls;
import io.github.cassandralock.internal.locker.observe.LockerWarnings;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All granted locks of a locker, and the outcomes of its calls and locks. Thread-safe; never blocks. */
public final class GrantedLocks {

    /*
     * Once this is closed, no caller gets a lock. For a grant that arrives then, there are three cases. First, granted() finds
     * "closed" set before it creates the lock. Second, granted() has added the lock to "held" before releaseAll() reads "held",
     * and releaseAll() releases the lock. Third, granted() finds "closed" set after it has added the lock. If a lock is released
     * after the answer, and before the caller's thread has the answer, deliver() finds that. Locks with a minimum time that no
     * caller got are discarded, not released: they need not stay taken.
     */

    private static final Logger log = LoggerFactory.getLogger(GrantedLocks.class);

    private static final Comparator<GrantedLock> NEWEST_FIRST = Comparator.comparingLong(GrantedLock::grantedAt)
            .thenComparing(GrantedLock::threadId)
            .reversed();

    private final Ticker ticker;
    private final ListenerCalls listeners;
    private final MinimumHolds minimumHolds;
    private final GrantedLock.Context context;
    private final LockOwners owners = new LockOwners();
    private final Figures figures = new Figures();
    private final Set<GrantedLock> held = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param lease for messages */
    public GrantedLocks(
            Duration lease,
            Ticker ticker,
            Timers timers,
            CallbackThreads threads,
            LockerWarnings warnings,
            ListenerCalls listeners,
            MinimumHolds minimumHolds) {
        this.ticker = ticker;
        this.listeners = listeners;
        this.minimumHolds = minimumHolds;
        this.context = new GrantedLock.Context(lease, ticker, timers, threads, warnings, this::lockClosed);
    }

    /** Includes locks that are lost and not closed. May be read while it changes. */
    public Set<GrantedLock> held() {
        return held;
    }

    public LockOwners owners() {
        return owners;
    }

    /** The outcomes of calls and locks. */
    public LockFigures figures() {
        return figures.now();
    }

    public Stream<LocalLock> localLocks() {
        return held.stream()
                .map(lock -> new LocalLock(
                        lock.lockId(),
                        lock.mode(),
                        lock.threadId(),
                        lock.thread(),
                        Duration.ofNanos(ticker.nanos() - lock.grantedAt()),
                        !lock.isHeld()));
    }

    /**
     * Accepts a grant of the algorithm.
     *
     * @throws IllegalStateException if the locker was closed. The grant may not be released yet, so the caller releases it
     */
    public GrantedLock granted(LockRequest request, Caller caller, Duration waited, Grant granted, ObservedCall call) {
        if (closed.get()) {
            throw closedWhile("waiting for", request.getLockId());
        }
        Grant grant = minimumHolds.of(request, granted);
        GrantedLock lock = new GrantedLock(request, caller, ticker.nanos(), grant, call, context);
        held.add(lock);
        lock.whenLost(loss -> lost(lock, loss));
        if (closed.get()) {
            lock.discard();
            throw closedWhile("waiting for", lock.lockId());
        }
        request.getHoldAtMost().ifPresent(lock::holdAtMost);
        figures.granted();
        if (!listeners.isEmpty()) {
            publish(lock, waited);
        }
        return lock;
    }

    private void publish(GrantedLock lock, Duration waited) {
        String lockId = lock.lockId();
        String threadId = lock.threadId();
        listeners.publish(lockId, l -> l.onAcquired(lockId, threadId, waited));
        lock.grant().getLoss().thenAccept(loss -> listeners.publish(lockId, l -> l.onLost(lockId, threadId, loss)));
        lock.whenClosed(loss -> {
            Duration heldFor = Duration.ofNanos(ticker.nanos() - lock.grantedAt());
            listeners.publish(lockId, l -> l.onReleased(lockId, threadId, heldFor));
        });
    }

    /**
     * Makes the last check before a caller gets the lock: the process may have been paused since the grant.
     *
     * @throws IllegalStateException if the locker was closed meanwhile
     * @throws io.github.cassandralock.LockLostException if the lease was lost meanwhile
     */
    public GrantedLock deliver(GrantedLock lock) {
        if (!lock.isHeld()) {
            lock.discard();
            RuntimeException failure = closed.get() ? closedWhile("waiting for", lock.lockId()) : lock.lostException();
            lock.call().failed(failure);
            throw failure;
        }
        owners.add(lock);
        lock.call().granted(lock::whenClosed);
        return lock;
    }

    /** Counts and reports a call that has ended without a lock: it was refused, or has failed. */
    public void notGranted(String lockId, Duration waited, @Nullable Throwable failure) {
        if (failure == null) {
            figures.refused();
            listeners.publish(lockId, l -> l.onRefused(lockId));
        } else {
            figures.givenUp();
            listeners.publish(lockId, l -> l.onGivenUp(lockId, waited, failure));
        }
    }

    private void lockClosed(GrantedLock lock) {
        held.remove(lock);
        owners.remove(lock);
        figures.released();
    }

    /** Runs on a thread that renews leases. */
    private void lost(GrantedLock lock, LockLoss loss) {
        figures.lost(loss.reason());
        log.debug("Lock '{}': lost by {}: {}", lock.lockId(), lock.threadId(), loss);
    }

    /** Closes: no caller gets a lock from now on. Returns false if it was closed before. */
    public boolean close() {
        return closed.compareAndSet(false, true);
    }

    public boolean isClosed() {
        return closed.get();
    }

    /** The exception of a call that ends because the locker was closed. */
    public static IllegalStateException closedWhile(String doing, String lockId) {
        return new IllegalStateException("The RemoteLocker was closed while " + doing + " lock '" + lockId
                + "'; it is closed together with its application context. Take locks before that");
    }

    /** Declares all locks lost. */
    public void abandonAll(LockLoss loss) {
        newestFirst().forEach(lock -> lock.abandon(loss));
    }

    /**
     * Declares all locks lost and releases them, a bounded number at a time. Completes, never exceptionally, when they are released,
     * or at the limit. From then on no release begins.
     */
    public CompletableFuture<Void> releaseAll(LockLoss loss, Duration limit) {
        return new FinalRelease(newestFirst(), limit).begin(loss, context.timers());
    }

    /** In an order that is equal in each run, so that a seed of the simulation decides everything. */
    private List<GrantedLock> newestFirst() {
        return held.stream().sorted(NEWEST_FIRST).toList();
    }
}
