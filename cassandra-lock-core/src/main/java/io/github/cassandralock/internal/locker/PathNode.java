package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One node of a hierarchy as its owner holds it: one grant of the algorithm, counted by its uses (docs/lock-modes.md, rule 9). The grant
 * has the least mode that covers what the uses need: it is converted up before a use that needs more begins, and down when one that
 * needed more has ended. The last use that ends releases it. Thread-safe; calls of the algorithm are made without the guard.
 */
final class PathNode {

    private final String lockId;
    private final LockMode takenMode;
    private final Runnable whenOver;
    private final ReentrantLock guard = new ReentrantLock();
    private final List<Use> uses = new ArrayList<>();
    private State state = State.BUSY;
    private @Nullable Grant grant;
    private @Nullable Raise waitingRaise;
    private Duration leaveFor = Duration.ZERO;

    private enum State {
        /** It is being taken or converted up for one use. */
        BUSY,
        /** It is being converted down. */
        LOWERING,
        /** No request for it is under way. */
        HELD,
        /** It was not taken, or has been released. */
        OVER
    }

    /**
     * @param takenMode of the first use
     * @param whenOver is called once, when the node is not to be used again
     */
    PathNode(String lockId, LockMode takenMode, Runnable whenOver) {
        this.lockId = lockId;
        this.takenMode = takenMode;
        this.whenOver = whenOver;
    }

    /** Follows the attempt that takes the node, for its first use. */
    Attempt take(Attempt attempt) {
        Use first = new Use(takenMode);
        guard.lock();
        try {
            uses.add(first);
        } finally {
            guard.unlock();
        }
        return new Taken(attempt, attempt.outcome().handle((granted, failure) -> taken(first, granted, failure)));
    }

    private record Taken(Attempt attempt, CompletionStage<CompletionStage<Optional<Grant>>> told) implements Attempt {

        @Override
        public CompletionStage<Optional<Grant>> outcome() {
            return told.thenCompose(outcome -> outcome);
        }

        @Override
        public Optional<Obstacle> obstacle() {
            return attempt.obstacle();
        }

        @Override
        public void giveUp() {
            attempt.giveUp();
        }
    }

    private CompletionStage<Optional<Grant>> taken(
            Use first, @Nullable Optional<Grant> granted, @Nullable Throwable failure) {
        if (granted != null && granted.isPresent()) {
            Grant got = granted.get();
            first.follow(got);
            guard.lock();
            try {
                grant = got;
                state = State.HELD;
            } finally {
                guard.unlock();
            }
            return CompletableFuture.completedFuture(Optional.of(first));
        }
        notTaken();
        return failure == null
                ? CompletableFuture.completedFuture(Optional.empty())
                : CompletableFuture.failedFuture(failure);
    }

    /** It is over: nobody holds it. */
    void notTaken() {
        guard.lock();
        try {
            uses.clear();
            state = State.OVER;
        } finally {
            guard.unlock();
        }
        whenOver.run();
    }

    /**
     * Begins a further use.
     *
     * @param convert begins the conversion to another mode, if one is needed
     * @return empty if the node is over or lost, so that it has to be taken anew
     * @throws IllegalStateException if another call for the node is under way
     */
    Optional<Attempt> use(LockMode mode, BiFunction<Grant, LockMode, Attempt> convert) {
        Use use = new Use(mode);
        Raise raise;
        guard.lock();
        try {
            Grant held = grant;
            if (state == State.OVER || (held != null && !held.isValid())) {
                return Optional.empty();
            }
            if (held == null || state == State.BUSY || waitingRaise != null) {
                throw new IllegalStateException("Lock '" + lockId
                        + "' is not asked for again: another call of the same owner for this node of a path is under way;"
                        + " wait for its end");
            }
            uses.add(use);
            use.follow(held);
            if (mode(held).covers(mode)) {
                return Optional.of(new Counted(use));
            }
            raise = new Raise(use, convert);
            if (state == State.LOWERING) {
                waitingRaise = raise;
                return Optional.of(raise);
            }
            state = State.BUSY;
        } finally {
            guard.unlock();
        }
        raise.begin();
        return Optional.of(raise);
    }

    boolean isOver() {
        guard.lock();
        try {
            return state == State.OVER;
        } finally {
            guard.unlock();
        }
    }

    private LockMode mode(Grant held) {
        return held.mode().orElse(takenMode);
    }

    private LockMode needed() {
        guard.lock();
        try {
            return uses.stream().map(use -> use.mode).reduce(LockMode.NULL, LockMode::leastCovering);
        } finally {
            guard.unlock();
        }
    }

    /** The node is held as it is needed: nothing but to count. */
    private record Counted(Grant use) implements Attempt {

        @Override
        public CompletionStage<Optional<Grant>> outcome() {
            return CompletableFuture.completedFuture(Optional.of(use));
        }

        @Override
        public void giveUp() {}
    }

    /** A conversion up for one use. */
    private final class Raise implements Attempt {

        private final Use use;
        private final BiFunction<Grant, LockMode, Attempt> convert;
        private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
        private volatile @Nullable Attempt attempt;

        Raise(Use use, BiFunction<Grant, LockMode, Attempt> convert) {
            this.use = use;
            this.convert = convert;
        }

        void begin() {
            try {
                Attempt begun = convert.apply(use.grant(), needed());
                attempt = begun;
                begun.outcome().whenComplete(this::ended);
                if (outcome.isDone()) {
                    begun.giveUp();
                }
            } catch (RuntimeException | Error e) {
                ended(null, e);
            }
        }

        private void ended(@Nullable Optional<Grant> granted, @Nullable Throwable failure) {
            idle();
            boolean converted = granted != null && granted.isPresent();
            boolean first;
            if (failure != null) {
                first = outcome.completeExceptionally(failure);
            } else {
                first = outcome.complete(converted ? Optional.of(use) : Optional.empty());
            }
            if (!converted || !first) {
                use.release();
            } else {
                lower();
            }
        }

        @Override
        public CompletionStage<Optional<Grant>> outcome() {
            return outcome;
        }

        @Override
        public Optional<Obstacle> obstacle() {
            Attempt begun = attempt;
            return begun == null ? Optional.empty() : begun.obstacle();
        }

        /** If the conversion has not begun, because one down has to end first, the call does not wait for that. */
        @Override
        public void giveUp() {
            Attempt begun = attempt;
            if (begun != null) {
                begun.giveUp();
            } else if (outcome.completeExceptionally(new CancellationException("the call was given up"))) {
                withdraw(this);
            }
        }
    }

    private void withdraw(Raise raise) {
        boolean waited;
        guard.lock();
        try {
            waited = waitingRaise == raise;
            if (waited) {
                waitingRaise = null;
            }
        } finally {
            guard.unlock();
        }
        if (waited) {
            raise.use.release();
        }
    }

    private void idle() {
        guard.lock();
        try {
            if (state != State.OVER) {
                state = State.HELD;
            }
        } finally {
            guard.unlock();
        }
    }

    /** Converts the grant down to what is needed, if no other conversion is under way: at its end this is called again. */
    private void lower() {
        Grant held;
        LockMode needed;
        guard.lock();
        try {
            held = grant;
            needed = needed();
            if (held == null || state != State.HELD || !held.isValid() || mode(held) == needed) {
                return;
            }
            state = State.LOWERING;
        } finally {
            guard.unlock();
        }
        try {
            held.convert(needed).outcome().whenComplete((lowered, failure) -> lowered(failure == null));
        } catch (RuntimeException e) {
            // The node stays as it is, which keeps out more than it has to until it is released.
            lowered(false);
        }
    }

    private void lowered(boolean done) {
        Raise next;
        guard.lock();
        try {
            next = waitingRaise;
            waitingRaise = null;
            if (state == State.LOWERING) {
                state = next == null ? State.HELD : State.BUSY;
            }
        } finally {
            guard.unlock();
        }
        if (next != null) {
            next.begin();
        } else if (done) {
            lower();
        }
    }

    private CompletionStage<Void> end(Use use, Duration atLeast) {
        Grant released;
        Duration left;
        guard.lock();
        try {
            if (!uses.remove(use)) {
                return CompletableFuture.completedFuture(null);
            }
            leaveFor = leaveFor.compareTo(atLeast) < 0 ? atLeast : leaveFor;
            left = leaveFor;
            released = uses.isEmpty() ? grant : null;
            if (released != null) {
                state = State.OVER;
            }
        } finally {
            guard.unlock();
        }
        if (released == null) {
            lower();
            return CompletableFuture.completedFuture(null);
        }
        whenOver.run();
        return left.isZero() ? released.release() : released.leave(left);
    }

    /** What one call has of the node. */
    private final class Use implements Grant {

        private final LockMode mode;
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private volatile @Nullable Grant held;
        private volatile boolean released;

        Use(LockMode mode) {
            this.mode = mode;
        }

        void follow(Grant grant) {
            held = grant;
            grant.lost().thenAccept(reason -> {
                if (!released) {
                    lost.complete(reason);
                }
            });
        }

        Grant grant() {
            Grant followed = held;
            if (followed == null) {
                throw new IllegalStateException("Lock '" + lockId + "' is not granted yet; wait for the outcome");
            }
            return followed;
        }

        @Override
        public boolean isValid() {
            return !released && grant().isValid();
        }

        @Override
        public CompletionStage<String> lost() {
            return lost;
        }

        @Override
        public CompletionStage<Long> fencingToken() {
            return grant().fencingToken();
        }

        @Override
        public CompletionStage<Void> contended() {
            return grant().contended();
        }

        @Override
        public Optional<LockMode> mode() {
            return Optional.of(mode);
        }

        @Override
        public void abandon(String reason) {
            grant().abandon(reason);
        }

        @Override
        public CompletionStage<Void> release() {
            released = true;
            return end(this, Duration.ZERO);
        }

        @Override
        public CompletionStage<Void> leave(Duration atLeast) {
            return end(this, atLeast);
        }
    }
}
