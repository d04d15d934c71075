package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    private final LockMode takenMode;
    private final Runnable whenOver;
    private final ReentrantLock guard = new ReentrantLock();
    private final List<Use> uses = new ArrayList<>();
    private State state = State.BUSY;
    private @Nullable Grant grant;
    private Duration leaveFor = Duration.ZERO;

    /** Completes when the state is no longer that of a request under way. */
    private CompletableFuture<Void> idle = new CompletableFuture<>();

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
     * @param whenOver is called when the node is not to be used again
     */
    PathNode(LockMode takenMode, Runnable whenOver) {
        this.takenMode = takenMode;
        this.whenOver = whenOver;
    }

    /** Follows the attempt that takes the node, for its first use. */
    Attempt take(Attempt attempt) {
        CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
        attempt.outcome().whenComplete((granted, failure) -> {
            if (granted != null && granted.isPresent()) {
                outcome.complete(Optional.of(taken(granted.get())));
            } else {
                notTaken();
                answer(outcome, Optional.empty(), failure);
            }
        });
        return new Followed(attempt, outcome);
    }

    private static void answer(
            CompletableFuture<Optional<Grant>> outcome, Optional<Grant> granted, @Nullable Throwable failure) {
        if (failure == null) {
            outcome.complete(granted);
        } else {
            outcome.completeExceptionally(failure);
        }
    }

    /** An attempt of the algorithm that is made for a use. */
    private record Followed(Attempt attempt, CompletionStage<Optional<Grant>> outcome) implements Attempt {

        @Override
        public Optional<Obstacle> obstacle() {
            return attempt.obstacle();
        }

        @Override
        public void giveUp() {
            attempt.giveUp();
        }
    }

    private Grant taken(Grant granted) {
        Use first = new Use(takenMode, granted);
        guard.lock();
        try {
            uses.add(first);
            grant = granted;
        } finally {
            guard.unlock();
        }
        change(State.BUSY, State.HELD);
        return first;
    }

    /** It is over: nobody holds it. */
    void notTaken() {
        change(State.BUSY, State.OVER);
        whenOver.run();
    }

    private void change(State from, State to) {
        CompletableFuture<Void> waitedFor;
        guard.lock();
        try {
            waitedFor = idle;
            state = state == from ? to : state;
        } finally {
            guard.unlock();
        }
        waitedFor.complete(null);
    }

    boolean isOver() {
        guard.lock();
        try {
            return state == State.OVER || (grant != null && !grant.isValid());
        } finally {
            guard.unlock();
        }
    }

    /** What a further call can do with the node. */
    sealed interface Answer permits Answer.Begun, Answer.Later, Answer.Over {

        /** It uses the node, or will when the attempt has ended. */
        record Begun(Attempt attempt) implements Answer {}

        /** It has to ask again when this has completed, because another request for the node is under way. */
        record Later(CompletionStage<Void> idle) implements Answer {}

        /** The node has to be taken anew. */
        record Over() implements Answer {}
    }

    /**
     * Begins a further use.
     *
     * @param convert begins the conversion to another mode, if one is needed
     */
    Answer use(LockMode mode, BiFunction<Grant, LockMode, Attempt> convert) {
        Use use;
        Grant held;
        guard.lock();
        try {
            if (isOver()) {
                return new Answer.Over();
            }
            held = grant;
            if (held == null || state == State.BUSY) {
                return new Answer.Later(idle);
            }
            boolean covered = mode(held).covers(mode);
            if (!covered && state == State.LOWERING) {
                return new Answer.Later(idle);
            }
            use = new Use(mode, held);
            uses.add(use);
            if (covered) {
                return new Answer.Begun(new Counted(use));
            }
            state = State.BUSY;
            idle = new CompletableFuture<>();
        } finally {
            guard.unlock();
        }
        return new Answer.Begun(raise(use, held, convert));
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

    /** Converts the grant up for one use. If that fails, the use ends, and the others go on. */
    private Attempt raise(Use use, Grant held, BiFunction<Grant, LockMode, Attempt> convert) {
        Attempt attempt;
        try {
            attempt = convert.apply(held, needed());
        } catch (RuntimeException | Error e) {
            change(State.BUSY, State.HELD);
            use.release();
            throw e;
        }
        CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
        attempt.outcome().whenComplete((granted, failure) -> {
            boolean converted = granted != null && granted.isPresent();
            change(State.BUSY, State.HELD);
            if (converted) {
                lower();
            } else {
                use.release();
            }
            answer(outcome, converted ? Optional.of(use) : Optional.empty(), failure);
        });
        return new Followed(attempt, outcome);
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
            idle = new CompletableFuture<>();
        } finally {
            guard.unlock();
        }
        try {
            held.convert(needed).outcome().whenComplete((lowered, failure) -> {
                change(State.LOWERING, State.HELD);
                if (failure == null) {
                    lower();
                }
            });
        } catch (RuntimeException e) {
            // The node stays as it is, which keeps out more than it has to until it is released.
            change(State.LOWERING, State.HELD);
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
            released = uses.isEmpty() ? use.held : null;
            state = released == null ? state : State.OVER;
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
        private final Grant held;
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private volatile boolean released;

        Use(LockMode mode, Grant held) {
            this.mode = mode;
            this.held = held;
            held.lost().thenAccept(reason -> {
                if (!released) {
                    lost.complete(reason);
                }
            });
        }

        @Override
        public boolean isValid() {
            return !released && held.isValid();
        }

        @Override
        public CompletionStage<String> lost() {
            return lost;
        }

        @Override
        public CompletionStage<Long> fencingToken() {
            return held.fencingToken();
        }

        @Override
        public CompletionStage<Void> contended() {
            return held.contended();
        }

        @Override
        public Optional<LockMode> mode() {
            return Optional.of(mode);
        }

        @Override
        public void abandon(String reason) {
            held.abandon(reason);
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
