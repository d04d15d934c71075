package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A grant whose lock stays taken, in its mode, for a minimum time. If the holder releases it sooner, its hold ends, and the
 * algorithm's grant is released when the time has passed. A lost lease ends it at once. Thread-safe.
 */
final class MinimumHold implements ForwardingGrant {

    /*
     * While the rest of the time remains, the algorithm's grant stays as it is. It is renewed, and excludes other threads and
     * processes in modes that are not compatible, whatever the algorithm. Holders in compatible modes have grants of their own,
     * with minimum times of their own. For the holder, the grant has ended with the release: a later loss is not reported to it. A
     * loss that the release itself finds is reported.
     */

    private enum State {
        /** The holder has the lock. */
        HELD,
        /** The holder has released the lock, and with it the algorithm's grant. */
        RELEASED,
        /** The holder has released the lock, and it stays taken. */
        REMAINING,
        /** The algorithm's grant has been released, or left behind, after its holder had released the lock. */
        OVER
    }

    private static final CompletableFuture<Void> NO_TIMER = CompletableFuture.completedFuture(null);

    private final Grant grant;
    private final Ticker ticker;
    private final Timers timers;
    private final Duration atLeast;
    private final Consumer<MinimumHold> whenOver;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile long until;
    private volatile boolean leaseLost;
    private volatile boolean skipped;

    /** How long the end of the process waits for locks that stay taken; null before that. */
    private volatile @Nullable Duration ending;

    private volatile CompletableFuture<Void> timer = NO_TIMER;

    /**
     * @param atLeast begins now
     * @param whenOver called once, when the algorithm's grant is released or left behind, before anybody who waits for that goes on
     */
    MinimumHold(Grant grant, Duration atLeast, Ticker ticker, Timers timers, Consumer<MinimumHold> whenOver) {
        this.grant = grant;
        this.ticker = ticker;
        this.timers = timers;
        this.atLeast = atLeast;
        this.whenOver = whenOver;
        this.until = ticker.nanos() + atLeast.toNanos();
        grant.getLoss().thenAccept(this::leaseLost);
    }

    /** Begins the time again, because the caller has waited for other locks until now. */
    void restart() {
        until = ticker.nanos() + atLeast.toNanos();
    }

    private void leaseLost(LockLoss loss) {
        leaseLost = true;
        if (isOfHolder()) {
            lost.complete(loss);
        } else {
            releaseNow();
        }
    }

    /** Whether a loss concerns the holder, who has the lock or is releasing it. */
    private boolean isOfHolder() {
        return state.get() == State.HELD || state.get() == State.RELEASED;
    }

    /** How much of the minimum time remains; zero or less if it has passed. */
    private Duration remaining() {
        return skipped ? Duration.ZERO : Duration.ofNanos(until - ticker.nanos());
    }

    private boolean remains() {
        return remaining().compareTo(Duration.ZERO) > 0;
    }

    @Override
    public boolean isValid() {
        return state.get() == State.HELD && !lost.isDone() && grant.isValid();
    }

    @Override
    public CompletionStage<LockLoss> getLoss() {
        return lost;
    }

    @Override
    public Grant grant() {
        return grant;
    }

    /** A converted lock stays taken in its new mode. */
    @Override
    public Attempt convert(LockMode mode) {
        requireValid(mode);
        return grant.convert(mode);
    }

    @Override
    public Attempt tryConvert(LockMode mode) {
        requireValid(mode);
        return grant.tryConvert(mode);
    }

    /** A lock that only stays taken is not converted. */
    private void requireValid(LockMode mode) {
        if (!isValid()) {
            throw new IllegalStateException(
                    "The lock is not converted to mode " + mode + ": it was closed or lost; take it again");
        }
    }

    /** The holder loses the lock, which stays taken for the rest of the time. */
    @Override
    public void abandon(LockLoss loss) {
        if (state.get() == State.HELD) {
            grant.leaveValueOpen();
        }
        lost.complete(loss);
    }

    /** Declares the lease itself lost. */
    void abandonLease(LockLoss loss) {
        grant.abandon(loss);
    }

    /** Releases the lock early, because nobody has worked under it. It may have been released before. */
    void skip() {
        skipped = true;
        releaseNow();
    }

    @Override
    public CompletionStage<Void> release() {
        return release(Throttle.NONE);
    }

    /**
     * Ends the hold. Completes at once if the lock stays taken for the rest of the time.
     *
     * @param throttle of the release of the algorithm's grant
     */
    CompletionStage<Void> release(Throttle throttle) {
        boolean remains = remains() && grant.isValid();
        if (remains) {
            grant.markFinished();
        }
        boolean first = state.compareAndSet(State.HELD, remains ? State.REMAINING : State.RELEASED);
        if (first && remains) {
            releaseLater();
        } else if (first) {
            releaseGrant(throttle);
        }
        return state.get() == State.RELEASED ? ended : CompletableFuture.completedFuture(null);
    }

    private void releaseLater() {
        CompletableFuture<Void> end = timers.after(remaining());
        timer = end;
        end.whenComplete((done, noTimers) -> {
            if (noTimers == null) {
                releaseNow();
            } else {
                leaveBehind(Throttle.NONE);
            }
        });
        Duration longest = ending;
        if (leaseLost || skipped) {
            releaseNow();
        } else if (longest != null) {
            endWithin(longest, Throttle.NONE);
        }
        if (state.get() == State.OVER) {
            timer.cancel(false);
        }
    }

    void releaseIfDue() {
        if (!remains()) {
            releaseNow();
        }
    }

    private void releaseNow() {
        if (state.compareAndSet(State.REMAINING, State.OVER)) {
            timer.cancel(false);
            releaseGrant(Throttle.NONE);
        }
    }

    private void releaseGrant(Throttle throttle) {
        throttle.begin(grant::release).whenComplete((done, failure) -> end());
    }

    /**
     * Called when the process ends. A lock that stays taken for longer than this is left behind, even if its holder is releasing
     * it.
     *
     * @param throttle of the last write of a lock that is left behind
     * @return completes, never exceptionally, when the lock is released or left behind
     */
    CompletableFuture<Void> endWithin(Duration longest, Throttle throttle) {
        ending = longest;
        if (remaining().compareTo(longest) > 0) {
            leaveBehind(throttle);
        }
        return ended;
    }

    private void leaveBehind(Throttle throttle) {
        if (state.compareAndSet(State.REMAINING, State.OVER)) {
            timer.cancel(false);
            throttle.begin(this::leaveGrant).whenComplete((done, failure) -> end());
        }
    }

    private CompletionStage<Void> leaveGrant() {
        Duration remaining = remaining();
        return remaining.compareTo(Duration.ZERO) > 0 ? grant.keepTaken(remaining) : grant.release();
    }

    /** When the minimum time is over, on the ticker. */
    long until() {
        return until;
    }

    private void end() {
        whenOver.accept(this);
        ended.complete(null);
    }
}
