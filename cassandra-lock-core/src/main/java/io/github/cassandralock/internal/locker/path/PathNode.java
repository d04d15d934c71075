package io.github.cassandralock.internal.locker.path;

import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.locker.held.ForwardingGrant;
import io.github.cassandralock.internal.locker.held.UsedGrant;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One node of a hierarchy as its owner holds it: one grant of the algorithm, counted by its uses (docs/lock-modes.md, rule 9). The grant
 * has the least mode that covers what the uses need: it is converted up before a use that needs more begins, and down when one that
 * needed more has ended. The last use that ends releases it. Thread-safe; calls of the algorithm, and of those that wait for the node, are
 * made without the guard.
 */
final class PathNode {

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final String lockId;
    private final LockMode takenMode;
    private final Runnable whenOver;
    private final ReentrantLock guard = new ReentrantLock();
    private final List<Use> uses = new ArrayList<>();

    /** Calls of the owner that ask again, in this order, when something has changed. */
    private final List<Runnable> waiting = new ArrayList<>();

    private State state = State.BUSY;
    private @Nullable Grant grant;
    private @Nullable String loss;

    /** To which mode it is being converted down, and when it is as it is needed. */
    private LockMode lowest = LockMode.NULL;

    private CompletableFuture<Void> lowered = DONE;

    /** Completes when the grant has been released or left behind. */
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** What the uses need that were left behind, and for how long. */
    private LockMode leftMode = LockMode.NULL;

    private Duration leftFor = Duration.ZERO;

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
    PathNode(String lockId, LockMode takenMode, Runnable whenOver) {
        this.lockId = lockId;
        this.takenMode = takenMode;
        this.whenOver = whenOver;
    }

    private <T> T guarded(Supplier<T> change) {
        guard.lock();
        try {
            return change.get();
        } finally {
            guard.unlock();
        }
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
        Use first = guarded(() -> {
            grant = granted;
            state = State.HELD;
            Use use = new Use(takenMode, granted);
            uses.add(use);
            return use;
        });
        granted.lost().thenAccept(this::lost);
        wake();
        return first;
    }

    /** It is over: nobody holds it. */
    void notTaken() {
        guarded(() -> state = State.OVER);
        whenOver.run();
        wake();
    }

    private void lost(String reason) {
        List<Use> losing = guarded(() -> {
            loss = reason;
            return List.copyOf(uses);
        });
        losing.forEach(use -> use.lost.complete(reason));
        wake();
    }

    /** Declares the grant lost, for all uses. */
    void abandon(String reason) {
        Grant held = guarded(() -> grant);
        if (held != null) {
            held.abandon(reason);
        }
    }

    /** The call does not wait any more. */
    void withdraw(Runnable again) {
        guarded(() -> waiting.remove(again));
    }

    private void wake() {
        List<Runnable> woken = guarded(() -> {
            List<Runnable> all = List.copyOf(waiting);
            waiting.clear();
            return all;
        });
        woken.forEach(Runnable::run);
    }

    boolean isOver() {
        return guarded(() -> state == State.OVER || loss != null || (grant != null && !grant.isValid()));
    }

    /** What a further call can do with the node. */
    sealed interface Answer permits Answer.Begun, Answer.Waits, Answer.Refused, Answer.Over {

        /** It uses the node, or will when the attempt has ended. */
        record Begun(Attempt attempt) implements Answer {}

        /** It will ask again. */
        record Waits() implements Answer {}

        /** It would have to wait for others, or for another call of the owner that does. */
        record Refused() implements Answer {}

        /** The node has to be taken anew. */
        record Over() implements Answer {}
    }

    /**
     * Begins a further use.
     *
     * @param waits whether the call waits for others
     * @param again asks again; called when something has changed, if the call has to wait
     */
    Answer use(LockMode mode, boolean waits, Runnable again) {
        Step step = guarded(() -> begin(mode, waits, again));
        return step.raising == null ? step.answer : new Answer.Begun(raise(step.raising, waits));
    }

    /**
     * What a call can do.
     *
     * @param raising for which the node has to be converted up first; null if it has not
     */
    private record Step(Answer answer, @Nullable Use raising) {}

    private Step begin(LockMode mode, boolean waits, Runnable again) {
        Grant held = grant;
        if (isOver()) {
            return new Step(new Answer.Over(), null);
        }
        boolean staysTaken = uses.stream().anyMatch(other -> other.finished && !other.mode.isCompatibleWith(mode));
        if (held == null || state == State.BUSY || staysTaken) {
            return later(waits, again);
        }
        boolean lowering = state == State.LOWERING;
        boolean covered = (lowering ? lowest : mode(held)).covers(mode);
        if (lowering && !covered) {
            return later(true, again);
        }
        Use use = new Use(mode, held);
        uses.add(use);
        state = covered ? state : State.BUSY;
        return new Step(new Answer.Begun(new UsedGrant(use)), covered ? null : use);
    }

    private Step later(boolean waits, Runnable again) {
        if (!waits) {
            return new Step(new Answer.Refused(), null);
        }
        waiting.add(again);
        return new Step(new Answer.Waits(), null);
    }

    private LockMode mode(Grant held) {
        return held.mode().orElse(takenMode);
    }

    private LockMode needed() {
        return uses.stream().map(use -> use.mode).reduce(leftMode, LockMode::leastCovering);
    }

    /** Converts the grant up for one use. If that fails, the use ends, and the others go on. */
    private Attempt raise(Use use, boolean waits) {
        Attempt attempt;
        try {
            LockMode needed = guarded(this::needed);
            attempt = waits ? use.held.convert(needed) : use.held.tryConvert(needed);
        } catch (RuntimeException | Error e) {
            raised(use, false);
            throw e;
        }
        CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
        attempt.outcome().whenComplete((granted, failure) -> {
            boolean converted = granted != null && granted.isPresent();
            raised(use, converted);
            answer(
                    outcome,
                    converted ? Optional.of(use) : Optional.empty(),
                    failure == null ? null : explained(failure));
        });
        return new Followed(attempt, outcome);
    }

    private Throwable explained(Throwable failure) {
        String reason = guarded(() -> loss);
        return reason == null
                ? failure
                : new LockLostException(
                        lockId,
                        "Lock '" + lockId
                                + "' was lost while a call of its owner waited to hold it in a stronger mode: " + reason
                                + "; another holder may have it: stop the work under it, and ask again");
    }

    /** A use that failed is no longer counted when the next one begins. */
    private void raised(Use use, boolean converted) {
        if (!converted) {
            use.release();
        }
        guarded(() -> state = state == State.BUSY ? State.HELD : state);
        wake();
        lower();
    }

    /**
     * Converts the grant down to what is needed, if no other conversion is under way: at its end this is called again.
     *
     * @return completes, never exceptionally, when that is done; at once if the grant is being converted up, which may wait for others
     */
    private CompletionStage<Void> lower() {
        Optional<Grant> lowering = guarded(this::beginToLower);
        lowering.ifPresent(held -> {
            try {
                held.convert(lowest).outcome().whenComplete((done, failure) -> lowered(failure == null));
            } catch (RuntimeException | Error e) {
                // The node stays as it is, which keeps out more than it has to until it is released.
                lowered(false);
            }
        });
        return guarded(() -> state == State.LOWERING ? lowered : DONE);
    }

    private Optional<Grant> beginToLower() {
        Grant held = grant;
        LockMode needed = needed();
        if (held == null
                || state != State.HELD
                || isOver()
                || mode(held) == needed
                || !mode(held).covers(needed)) {
            return Optional.empty();
        }
        state = State.LOWERING;
        lowest = needed;
        lowered = new CompletableFuture<>();
        return Optional.of(held);
    }

    private void lowered(boolean done) {
        CompletableFuture<Void> end = guarded(() -> {
            state = state == State.LOWERING ? State.HELD : state;
            return lowered;
        });
        wake();
        CompletionStage<Void> next = done ? lower() : DONE;
        next.thenRun(() -> end.complete(null));
    }

    private CompletionStage<Void> end(Use use) {
        Optional<Grant> released = guarded(() -> {
            if (!uses.remove(use) || !uses.isEmpty()) {
                return Optional.empty();
            }
            state = State.OVER;
            return Optional.of(use.held);
        });
        if (released.isEmpty()) {
            wake();
            return lower();
        }
        whenOver.run();
        wake();
        Duration atLeast = guarded(() -> leftFor);
        CompletionStage<Void> end =
                atLeast.isZero() ? released.get().release() : released.get().leave(atLeast);
        end.whenComplete((done, failure) -> over.complete(null));
        return over;
    }

    private void leave(Use use, Duration atLeast) {
        guarded(() -> {
            leftMode = leftMode.leastCovering(use.mode);
            leftFor = leftFor.compareTo(atLeast) < 0 ? atLeast : leftFor;
            return use;
        });
    }

    /** What one call has of the node. */
    private final class Use implements ForwardingGrant {

        private final LockMode mode;
        private final Grant held;
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private volatile boolean released;
        private volatile boolean finished;

        Use(LockMode mode, Grant held) {
            this.mode = mode;
            this.held = held;
        }

        @Override
        public boolean isValid() {
            return !released && !lost.isDone() && held.isValid();
        }

        @Override
        public CompletionStage<String> lost() {
            return lost;
        }

        @Override
        public Grant grant() {
            return held;
        }

        /** Its caller has closed it, and it stays taken: it keeps out its owner as it keeps out others. */
        @Override
        public void finished() {
            finished = true;
            if (guarded(() -> uses.stream().allMatch(other -> other.finished))) {
                held.finished();
            }
        }

        @Override
        public Optional<LockMode> mode() {
            return Optional.of(mode);
        }

        /** The other uses go on. */
        @Override
        public void abandon(String reason) {
            leaveValueOpen();
            lost.complete(reason);
        }

        @Override
        public CompletionStage<Void> release() {
            released = true;
            return end(this);
        }

        @Override
        public CompletionStage<Void> leave(Duration atLeast) {
            released = true;
            PathNode.this.leave(this, atLeast);
            end(this);
            return over;
        }
    }
}
