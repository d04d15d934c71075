package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.locker.observe.CallObservers.ObservedCall;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.locker.observe.LockerWarnings;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Grant;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One granted lock, from the grant to the end of its release. Thread-safe; no method waits. */
public final class GrantedLock {

    private static final VarHandle CLOSED;
    private static final VarHandle CONVERSION;
    private static final VarHandle LONGEST;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLOSED = lookup.findVarHandle(GrantedLock.class, "closed", boolean.class);
            CONVERSION = lookup.findVarHandle(GrantedLock.class, "endOfConversion", Runnable.class);
            LONGEST = lookup.findVarHandle(GrantedLock.class, "longest", LongestHold.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String lockId;
    private final LockMode grantedMode;
    private final String threadId;
    private final String thread;
    private final long grantedAt;
    private final Grant grant;
    private final ObservedCall call;
    private final Context context;

    /** Completes when the release is under way, with the loss if the lock was lost before. */
    private final CompletableFuture<Optional<LockLostException>> lossBeforeClose = new CompletableFuture<>();

    /** Completes when the release has ended. */
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /** Null if the lock has no owner. */
    private final @Nullable LockOwner owner;

    private final boolean node;
    private final short permits;

    /** Ends the conversion under way; null if there is none. Changed by {@link #CONVERSION}. */
    private volatile @Nullable Runnable endOfConversion;

    /** Finds the lock if it is abandoned; null if that is not checked. */
    private volatile AbandonedLocks.@Nullable Hold watch;

    /** Null if the hold has no longest time. Changed by {@link #LONGEST}. */
    private volatile @Nullable LongestHold longest;

    /** Whether its call waits for other locks, so that nobody works under it yet. */
    private volatile boolean awaitingGroup;

    /** Whether the lock was closed. Set once, by {@link #CLOSED}, when the release begins. */
    private volatile boolean closed;

    /**
     * The objects that all locks of a locker share, since a process may hold very many.
     *
     * @param lease for messages
     * @param threads run callbacks
     * @param onClose called when the release of a lock begins
     */
    record Context(
            Duration lease,
            Ticker ticker,
            Timers timers,
            CallbackThreads threads,
            LockerWarnings warnings,
            Consumer<GrantedLock> onClose) {}

    /**
     * @param grantedAt the instant of the grant, on the locker's ticker
     * @param call for which the lock was granted
     */
    GrantedLock(LockRequest request, Caller caller, long grantedAt, Grant grant, ObservedCall call, Context context) {
        this.lockId = request.getLockId();
        this.grantedMode = request.getMode();
        this.threadId = caller.threadId();
        this.thread = caller.thread();
        this.owner = caller.owner().orElse(null);
        this.node = request.getPath().isPresent();
        this.permits = (short) request.getPermits();
        this.grantedAt = grantedAt;
        this.grant = grant;
        this.call = call;
        this.context = context;
    }

    public String lockId() {
        return lockId;
    }

    public LockMode mode() {
        return grant.getMode().orElse(grantedMode);
    }

    /** How many may hold the lock at once. */
    public int permits() {
        return permits;
    }

    public String threadId() {
        return threadId;
    }

    /** The name of the thread that requested it. */
    public String thread() {
        return thread;
    }

    public Optional<LockOwner> owner() {
        return Optional.ofNullable(owner);
    }

    public long grantedAt() {
        return grantedAt;
    }

    /** Whether it is a node of a path, which is not converted alone. */
    public boolean isNode() {
        return node;
    }

    public Grant grant() {
        return grant;
    }

    ObservedCall call() {
        return call;
    }

    /**
     * Reserves the lock for a conversion that is about to begin.
     *
     * @throws IllegalStateException if another conversion is under way
     */
    public void reserveConversion(LockMode target) {
        Runnable nothingBegun = () -> {};
        if (!CONVERSION.compareAndSet(this, null, nothingBegun)) {
            throw new IllegalStateException("Lock '" + lockId + "' is not converted to " + target
                    + ": another conversion of the same handle is under way; wait for its end");
        }
    }

    /** @param end ends the conversion if the lock is closed; may be called more than once */
    public void setEndOfConversion(Runnable end) {
        endOfConversion = end;
    }

    public void clearConversion() {
        endOfConversion = null;
    }

    public boolean isHeld() {
        return !closed && isValid();
    }

    /** Whether the lock is not lost. */
    private boolean isValid() {
        LongestHold bound = longest;
        return grant.isValid() && (bound == null || !bound.endIfPassed());
    }

    public boolean isClosed() {
        return closed;
    }

    /**
     * @throws IllegalStateException if the lock was closed
     * @throws LockLostException if the lock was lost
     */
    public void ensureHeld() {
        // In this order: a locker that closes declares the loss first and releases then.
        boolean wasClosed = closed;
        boolean lost = grant.getLoss().toCompletableFuture().isDone();
        if (wasClosed && !lost) {
            throw new IllegalStateException("Lock '" + lockId + "' was closed; take it again before working under it");
        }
        if (lost || !isValid()) {
            throw lostException();
        }
    }

    /** The exception of {@link #ensureHeld}; empty if the lock is held. */
    public Optional<RuntimeException> whyNotHeld() {
        try {
            ensureHeld();
            return Optional.empty();
        } catch (LockLostException | IllegalStateException e) {
            return Optional.of(e);
        }
    }

    /** The exception with the reason of the loss. Until the algorithm reports a reason, the reason is that the lease ran out. */
    public LockLostException lostException() {
        LockLoss loss = grant.getLoss().toCompletableFuture().getNow(lossByTheClock());
        return new LockLostException(
                lockId,
                "Lock '" + lockId + "' was lost: " + loss.text()
                        + "; another holder may have it: stop the work and undo it",
                loss.reason());
    }

    /** A loss that has not been reported yet. */
    private LockLoss lossByTheClock() {
        LongestHold bound = longest;
        return bound != null && bound.endIfPassed()
                ? bound.loss()
                : new LockLoss(Reason.LEASE_EXPIRED, "its lease of " + DurationText.of(context.lease()) + " ran out");
    }

    /**
     * Bounds the hold: the lock is lost and released when this time has passed from now on. It replaces the earlier bound. Does
     * nothing if the lock is closed, or if the earlier bound has passed.
     */
    public void holdAtMost(Duration atMost) {
        LongestHold bound = new LongestHold(atMost, context.ticker(), context.timers());
        if (replaceLongest(bound)) {
            bound.whenPassed(() -> lose(bound));
        } else {
            bound.replace();
        }
        if (closed) {
            replaceLongest(null);
        }
    }

    /** Returns false if the time that counts has passed. */
    private boolean replaceLongest(@Nullable LongestHold bound) {
        LongestHold before;
        do {
            before = longest;
            if (before != null && !before.replace() && before.endIfPassed()) {
                return false;
            }
        } while (!LONGEST.compareAndSet(this, before, bound));
        return true;
    }

    /** The loss comes first: whoever gets the lock next must not find it held here. */
    private void lose(LongestHold bound) {
        if (!closed) {
            context.warnings()
                    .heldTooLong()
                    .warn("Lock '" + lockId + "' of thread '" + thread + "' is lost: " + bound.loss()
                            + ". Another holder may get it now");
            abandon(bound.loss());
            releaseInBackground();
        }
    }

    /**
     * Runs the callback on a thread for losses when the lock is lost. If it is lost already, runs it at once, on the calling
     * thread.
     */
    public void onLost(Consumer<LockLoss> callback) {
        CompletableFuture<LockLoss> lost = grant.getLoss().toCompletableFuture();
        if (closed && !lost.isDone()) {
            throw new IllegalStateException("Lock '" + lockId
                    + "' was closed, so the callback would never run: call onLost while the lock is held");
        } else if (lost.isDone()) {
            run(() -> callback.accept(lost.join()), "the loss", "the other callbacks still run");
        } else {
            lost.thenAcceptAsync(
                    loss -> run(() -> callback.accept(loss), "the loss", "the other callbacks still run"),
                    context.threads().losses());
        }
    }

    /** Runs the callback on a callback thread when another caller waits for the lock, if the lock is held then. */
    public void onContention(Runnable callback) {
        grant.watchContention()
                .thenRunAsync(
                        () -> {
                            if (isHeld()) {
                                run(callback, "contention", "the lock is still held");
                            }
                        },
                        context.threads().callbacks());
    }

    private void run(Runnable callback, String what, String otherwise) {
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            context.warnings()
                    .callbackFailed()
                    .warn("A callback for " + what + " of lock '" + lockId + "' failed; " + otherwise, e);
        }
    }

    void watchedBy(AbandonedLocks.Hold hold) {
        watch = hold;
    }

    AbandonedLocks.@Nullable Hold watch() {
        return watch;
    }

    /** If this thread ends before it has released the lock, the lock is abandoned. */
    public void bindTo(Thread thread) {
        AbandonedLocks.Hold present = watch;
        if (present != null) {
            present.bindTo(thread);
        }
    }

    /** Runs the action when the lock is lost, on the thread that detects it, which must not be blocked. */
    public void whenLost(Consumer<LockLoss> action) {
        grant.getLoss().thenAccept(action);
    }

    /**
     * Runs the action when the release is under way, which may be at once. The action receives the loss if the lock was lost
     * before. An action that blocks delays the caller that closes the lock, but not the release.
     */
    public void whenClosed(Consumer<Optional<LockLostException>> action) {
        lossBeforeClose.thenAccept(action);
    }

    /** Marks that its call waits for other locks. The longest time does not count meanwhile. */
    public void markAwaitingGroup() {
        awaitingGroup = true;
        replaceLongest(null);
    }

    /** Marks that its call has all locks: the shortest and the longest time begin now. */
    public void markGroupComplete(LockRequest request) {
        minimumHold().ifPresent(MinimumHold::restart);
        request.getHoldAtMost().ifPresent(this::holdAtMost);
        awaitingGroup = false;
    }

    /**
     * Releases the lock at the end of the locker.
     *
     * @param throttle of the algorithm's release
     * @param observerCalls receives what reports the release to the caller's observers
     */
    CompletableFuture<Void> releaseAtTheEnd(Throttle throttle, Consumer<Runnable> observerCalls) {
        if (awaitingGroup) {
            skipMinimumTime();
        }
        return release(throttle, observerCalls);
    }

    /** Declares the lock lost, so that its holder's callbacks run. */
    public void abandon(LockLoss loss) {
        grant.abandon(loss);
    }

    /** Releases a lock that no caller got. Its minimum time does not count, because nobody has worked under it. */
    public CompletableFuture<Void> discard() {
        skipMinimumTime();
        return release();
    }

    private void skipMinimumTime() {
        minimumHold().ifPresent(MinimumHold::skip);
    }

    private Optional<MinimumHold> minimumHold() {
        return grant instanceof MinimumHold hold ? Optional.of(hold) : Optional.empty();
    }

    /**
     * Releases the lock, and reports to observers on the calling thread. Completes on the thread of the store's answer, where no
     * code of the application must run.
     */
    public CompletableFuture<Void> release() {
        return release(Throttle.NONE, Runnable::run);
    }

    /** Releases the lock on a thread that must not run code of the application: another thread reports to observers. */
    void releaseInBackground() {
        release(Throttle.NONE, context.threads().steps()::execute);
    }

    private CompletableFuture<Void> release(Throttle throttle, Consumer<Runnable> observerCalls) {
        if (CLOSED.compareAndSet(this, false, true)) {
            boolean lost = grant.getLoss().toCompletableFuture().isDone() || !isValid();
            Optional<LockLostException> loss = lost ? Optional.of(lostException()) : Optional.empty();
            replaceLongest(null);
            Runnable endConversion = endOfConversion;
            if (endConversion != null) {
                endConversion.run();
            }
            context.onClose().accept(this);
            CompletionStage<Void> end =
                    minimumHold().map(hold -> hold.release(throttle)).orElseGet(() -> throttle.begin(grant::release));
            end.whenComplete((done, failure) -> released.complete(null));
            observerCalls.accept(() -> lossBeforeClose.complete(loss));
        }
        return released;
    }

    /** The lock id, the mode, and whether the lock is held, lost or closed. */
    @Override
    public String toString() {
        boolean lost = grant.getLoss().toCompletableFuture().isDone() || !(closed || isValid());
        String state = lost ? "lost" : closed ? "closed" : "held";
        return "RemoteLock[" + lockId + ", " + mode() + ", " + state + "]";
    }
}
