package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockException;
import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The handle of one granted lock. Callers get it as a {@link CallersLock}. */
final class LockHandle implements RemoteLock {

    private static final VarHandle CLOSING;
    private static final VarHandle CONVERTING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLOSING = lookup.findVarHandle(LockHandle.class, "closing", boolean.class);
            CONVERTING = lookup.findVarHandle(LockHandle.class, "converting", boolean.class);
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
    private final CompletableFuture<Optional<LockLostException>> closeBegun = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** To whom it belongs; null if to nobody. */
    private final @Nullable LockOwner owner;

    /** Whether it is a node of a path. */
    private final boolean node;

    /** Set by {@link #CONVERTING}, while a conversion is under way. */
    private volatile boolean converting;

    /** The one that is under way. */
    private volatile @Nullable LockConversion conversion;

    /** By which it is found when its owner has gone; null if it is not looked for. */
    private volatile AbandonedLocks.@Nullable Hold watch;

    /** Whether the call that it was granted to still waits for other locks, so that nobody works under it yet. */
    private volatile boolean awaitingOthers;

    /** Set once, by {@link #CLOSING}, as soon as the release begins. */
    private volatile boolean closing;

    /**
     * What all handles of a locker share: a process may hold very many.
     *
     * @param lease for messages, and as the limit of waits
     * @param threads run the actions that follow {@link LockHandle#closeAsync()}, and the callbacks of the other methods
     * @param waits refuses calls that wait on threads that must not
     * @param conversions convert handles
     * @param closed is told when the release of a handle begins
     */
    record Context(
            Duration lease,
            CallbackThreads threads,
            LockerWarnings warnings,
            Waits waits,
            LockConversions conversions,
            Consumer<LockHandle> closed) {

        /** Waits for a release, at most for a lease; then the warning is logged. Does not wait on threads that must not. */
        void await(CompletableFuture<Void> release, Supplier<String> warning) {
            if (release.isDone() || !waits.areAllowedForRelease()) {
                return;
            }
            try {
                release.get(lease.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException | ExecutionException e) {
                warnings.notReleased().warn(warning.get());
            }
        }

        /** Actions that follow run on a callback thread: on a thread of the driver they could delay the renewal of a lease. */
        CompletionStage<Void> onCallbackThread(CompletableFuture<Void> release) {
            return release.thenRunAsync(() -> {}, threads.callbacks()).minimalCompletionStage();
        }
    }

    /**
     * @param grantedAt the instant of the grant, on the locker's ticker
     * @param call for which the lock was granted
     */
    LockHandle(LockRequest request, Caller caller, long grantedAt, Grant grant, ObservedCall call, Context context) {
        this.lockId = request.lockId();
        this.grantedMode = request.mode();
        this.threadId = caller.threadId();
        this.thread = caller.thread();
        this.owner = caller.owner().orElse(null);
        this.node = request.path().isPresent();
        this.grantedAt = grantedAt;
        this.grant = grant;
        this.call = call;
        this.context = context;
    }

    @Override
    public String getLockId() {
        return lockId;
    }

    @Override
    public LockMode mode() {
        return grant.mode().orElse(grantedMode);
    }

    @Override
    public void convert(LockMode newMode) {
        context.conversions().convert(this, newMode);
    }

    @Override
    public void convert(LockMode newMode, Duration timeout) {
        context.conversions().convert(this, newMode, timeout);
    }

    @Override
    public boolean tryConvert(LockMode newMode) {
        return context.conversions().tryConvert(this, newMode);
    }

    @Override
    public CompletableFuture<Void> convertAsync(LockMode newMode) {
        return context.conversions().convertAsync(this, newMode);
    }

    @Override
    public CompletableFuture<Void> convertAsync(LockMode newMode, Duration timeout) {
        return context.conversions().convertAsync(this, newMode, timeout);
    }

    @Override
    public CompletableFuture<Boolean> tryConvertAsync(LockMode newMode) {
        return context.conversions().tryConvertAsync(this, newMode);
    }

    /**
     * Begins a conversion.
     *
     * @throws IllegalStateException if another one is under way
     */
    LockConversion beginConversion(LockMode target, BiFunction<Grant, LockMode, Attempt> attempt) {
        if (!CONVERTING.compareAndSet(this, false, true)) {
            throw new IllegalStateException("Lock '" + lockId + "' is not converted to " + target
                    + ": another conversion of the same handle is under way; wait for its end");
        }
        LockConversion begun;
        try {
            Attempt asked = mode() == target ? new Unchanged(grant) : attempt.apply(grant, target);
            begun = new LockConversion(this, target, asked);
        } catch (RuntimeException | Error e) {
            conversionEnded();
            ensureHeld();
            throw e;
        }
        conversion = begun;
        begun.begin();
        if (isClosing()) {
            endConversion();
        }
        return begun;
    }

    /** Also a lock that stays taken after it was closed is not converted any more. */
    private void endConversion() {
        LockConversion underWay = conversion;
        if (converting && underWay != null) {
            underWay.giveUp(new IllegalStateException("Lock '" + lockId + "' was closed while it was converted"));
        }
    }

    /** The conversion that is under way. */
    Optional<LockConversion> conversion() {
        return Optional.ofNullable(conversion);
    }

    void conversionEnded() {
        conversion = null;
        converting = false;
    }

    /** The handle has the mode already. */
    private record Unchanged(Grant grant) implements Attempt {

        @Override
        public CompletionStage<Optional<Grant>> outcome() {
            return CompletableFuture.completedFuture(Optional.of(grant));
        }

        @Override
        public void giveUp() {}
    }

    /** Why the handle cannot be converted any more; empty if it is held. */
    Optional<RuntimeException> over() {
        try {
            ensureHeld();
            return Optional.empty();
        } catch (LockLostException | IllegalStateException e) {
            return Optional.of(e);
        }
    }

    @Override
    public String getThreadId() {
        return threadId;
    }

    /** The name of the thread that asked for it. */
    String thread() {
        return thread;
    }

    long grantedAt() {
        return grantedAt;
    }

    @Override
    public long getFencingToken() {
        ensureHeld();
        CompletableFuture<Long> token = grant.fencingToken().toCompletableFuture();
        if (!token.isDone()) {
            context.waits()
                    .requireAllowed(() -> "The first fencing token of lock '" + lockId + "' is not waited for", "");
        }
        try {
            return token.get(context.lease().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(
                    lockId,
                    "The thread was interrupted while it waited for a fencing token of lock '" + lockId
                            + "'; the lock is still held",
                    e);
        } catch (TimeoutException | ExecutionException e) {
            ensureHeld();
            throw new LockStoreException(
                    lockId,
                    "No fencing token could be reserved for lock '" + lockId
                            + "' because Cassandra did not acknowledge it within " + DurationText.of(context.lease())
                            + "; ask again, or release the lock",
                    e);
        }
    }

    @Override
    public LockValue value() {
        requireReadableValue();
        return valueOf(
                grant::value, this::requireReadableValue, "The value of lock '" + lockId + "' could not be read");
    }

    @Override
    public void value(byte[] bytes) {
        byte[] set = LockValue.of(bytes, false).bytes();
        requireWritableValue();
        valueOf(() -> grant.value(set), this::requireWritableValue, "The value of lock '" + lockId + "' was not set");
    }

    private void requireReadableValue() {
        ensureHeld();
        if (mode() == LockMode.NULL) {
            throw new IllegalStateException("The value of lock '" + lockId
                    + "' cannot be read in mode NULL, which protects nothing; convert the lock to another mode first");
        }
    }

    private void requireWritableValue() {
        ensureHeld();
        LockMode present = mode();
        if (!present.covers(LockMode.PROTECTED_WRITE)) {
            throw new IllegalStateException("The value of lock '" + lockId + "' cannot be set in mode " + present
                    + "; convert the lock to PROTECTED_WRITE or EXCLUSIVE first");
        }
    }

    /** The algorithm does not know which lock a grant is of. */
    private <T> CompletableFuture<T> begun(Supplier<CompletionStage<T>> call) {
        try {
            return call.get().toCompletableFuture();
        } catch (UnsupportedOperationException e) {
            throw new UnsupportedOperationException("Lock '" + lockId + "': " + e.getMessage(), e);
        }
    }

    /**
     * Waits for the answer of the algorithm.
     *
     * @param stillAllowed throws if the lock was lost, closed or converted meanwhile
     */
    private <T> T valueOf(Supplier<CompletionStage<T>> call, Runnable stillAllowed, String failed) {
        context.waits().requireAllowed(() -> failed, "");
        CompletableFuture<T> answer = begun(call);
        try {
            answer.get(context.lease().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            giveUp(
                    answer,
                    new LockInterruptedException(
                            lockId,
                            failed + ": the thread was interrupted while it waited; the lock is still held",
                            e));
        } catch (TimeoutException e) {
            stillAllowed.run();
            giveUp(
                    answer,
                    new LockStoreException(
                            lockId,
                            failed + " because Cassandra did not answer within " + DurationText.of(context.lease())
                                    + "; the lock is still held: try again, or release it",
                            e));
        } catch (ExecutionException e) {
            stillAllowed.run();
            throw new LockStoreException(
                    lockId,
                    failed + " (" + Objects.requireNonNullElse(e.getCause(), e).getMessage()
                            + "); the lock is still held: try again, or release it",
                    e);
        }
        stillAllowed.run();
        return answer.join();
    }

    /** Throws, unless the answer has come meanwhile. */
    private static void giveUp(CompletableFuture<?> answer, LockException reason) {
        if (answer.cancel(false) || answer.isCompletedExceptionally()) {
            throw reason;
        }
    }

    @Override
    public boolean isHeld() {
        return !isClosing() && grant.isValid();
    }

    @Override
    public void ensureHeld() {
        // In this order: a locker that closes declares the loss first and releases then.
        boolean closed = isClosing();
        boolean lost = grant.lost().toCompletableFuture().isDone();
        if (closed && !lost) {
            throw new IllegalStateException("Lock '" + lockId + "' was closed; take it again before working under it");
        }
        if (lost || !grant.isValid()) {
            throw lostException();
        }
    }

    /** The exception with the reason of the loss; if the reason is not known yet, it says that the lease ran out. */
    LockLostException lostException() {
        String reason = grant.lost()
                .toCompletableFuture()
                .getNow("its lease of " + DurationText.of(context.lease()) + " ran out");
        return new LockLostException(
                lockId,
                "Lock '" + lockId + "' was lost: " + reason
                        + "; another holder may have it: stop the work and undo it");
    }

    @Override
    public void onLost(Consumer<String> callback) {
        CompletableFuture<String> lost = grant.lost().toCompletableFuture();
        if (isClosing() && !lost.isDone()) {
            throw new IllegalStateException("Lock '" + lockId
                    + "' was closed, so the callback would never run: call onLost while the lock is held");
        } else if (lost.isDone()) {
            run(callback, lost.join());
        } else {
            lost.thenAcceptAsync(
                    reason -> run(callback, reason), context.threads().losses());
        }
    }

    private void run(Consumer<String> callback, String reason) {
        try {
            callback.accept(reason);
        } catch (RuntimeException | Error e) {
            context.warnings()
                    .callbackFailed()
                    .warn("A callback for the loss of lock '" + lockId + "' failed; the other callbacks still run", e);
        }
    }

    @Override
    public void onContention(Runnable callback) {
        grant.contended()
                .thenRunAsync(() -> runWhileHeld(callback), context.threads().callbacks());
    }

    private void runWhileHeld(Runnable callback) {
        if (isHeld()) {
            try {
                callback.run();
            } catch (RuntimeException | Error e) {
                context.warnings()
                        .callbackFailed()
                        .warn("A callback for contention of lock '" + lockId + "' failed; the lock is still held", e);
            }
        }
    }

    ObservedCall call() {
        return call;
    }

    void watchedBy(AbandonedLocks.Hold hold) {
        watch = hold;
    }

    AbandonedLocks.@Nullable Hold watch() {
        return watch;
    }

    @Override
    public void bindTo(Thread closing) {
        AbandonedLocks.Hold present = watch;
        if (present != null) {
            present.bindTo(closing);
        }
    }

    /** The reason of the loss of a lock that is not released yet; empty if it is held. */
    private Optional<LockLostException> loss() {
        return grant.lost().toCompletableFuture().isDone() || !grant.isValid()
                ? Optional.of(lostException())
                : Optional.empty();
    }

    /** Runs the action as soon as the lock is lost, on the thread that finds that out, which must not be blocked. */
    void whenLost(Runnable action) {
        grant.lost().thenRun(action);
    }

    Optional<LockOwner> owner() {
        return Optional.ofNullable(owner);
    }

    /** Whether it is a node of a path, which is not converted alone. */
    boolean isNode() {
        return node;
    }

    boolean isClosing() {
        return closing;
    }

    /**
     * Runs the action as soon as the release is under way; at once if it is already. It gets the reason if the lock was lost before.
     * An action that blocks delays whoever closes the lock, but not the release.
     */
    void whenClosed(Consumer<Optional<LockLostException>> action) {
        closeBegun.thenAccept(action);
    }

    /** The call that it was granted to still waits for other locks. */
    void awaitOthers() {
        awaitingOthers = true;
    }

    /** The call has all its locks: a minimum time counts from now on. */
    void othersAreThere() {
        if (grant instanceof MinimumHold hold) {
            hold.restart();
        }
        awaitingOthers = false;
    }

    /** Releases the lock at the end of the locker. */
    CompletableFuture<Void> releaseAtTheEnd() {
        return awaitingOthers ? discard() : release();
    }

    /** Declares the lock lost, so that its holder's callbacks run. */
    void abandon(String reason) {
        grant.abandon(reason);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return context.onCallbackThread(release());
    }

    /** Releases a lock that no caller got: nobody has worked under it, so it need not stay taken. */
    CompletableFuture<Void> discard() {
        if (grant instanceof MinimumHold hold) {
            hold.waive();
        }
        return release();
    }

    /** Completes on the thread of the store's answer, so code of the application must not follow it. */
    CompletableFuture<Void> release() {
        if (CLOSING.compareAndSet(this, false, true)) {
            Optional<LockLostException> loss = loss();
            endConversion();
            context.closed().accept(this);
            grant.release().whenComplete((done, failure) -> closed.complete(null));
            closeBegun.complete(loss);
        }
        return closed;
    }

    /** Names the lock, its mode, and whether it is held, lost or closed. */
    @Override
    public String toString() {
        boolean lost = grant.lost().toCompletableFuture().isDone() || !(isClosing() || grant.isValid());
        String state = lost ? "lost" : isClosing() ? "closed" : "held";
        return "RemoteLock[" + lockId + ", " + mode() + ", " + state + "]";
    }

    @Override
    public void close() {
        context.await(
                release(),
                () -> "The release of lock '" + lockId + "' was not acknowledged within "
                        + DurationText.of(context.lease())
                        + "; the release is repeated in the background, and the lock may stay taken until then");
    }
}
