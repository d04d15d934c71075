package io.github.cassandralock.internal.locker.path;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.locker.held.ForwardingGrant;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One node of a hierarchy as its owner holds it (docs/lock-modes.md, rule 9). It has one grant of the algorithm, and counts its
 * uses. The grant has the least mode that covers what the uses need. It is converted up before a use begins that needs more, and
 * down after such a use has ended. The last use that ends releases it. Thread-safe: each event runs alone, in the mailbox.
 */
final class PathNode {

    private final String lockId;
    private final Consumer<PathNode> whenOver;
    private final Mailbox mailbox = new Mailbox();
    private final List<Use> uses = new ArrayList<>();

    /** Calls of the owner that are served, in this order, after a change. */
    private final List<NodeCall> waiting = new ArrayList<>();

    /** Releases of uses that complete when the node has the mode that is needed then. */
    private final List<CompletableFuture<Void>> releases = new ArrayList<>();

    private State state = State.NEW;
    private LockMode takenMode = LockMode.EXCLUSIVE;
    private @Nullable Grant grant;
    private @Nullable LockLoss loss;

    /** The mode to which it is being converted down. */
    private LockMode lowest = LockMode.NULL;

    /** Completes when the grant has been released or left behind. */
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** What the uses need that were left behind, and for how long. */
    private LockMode leftMode = LockMode.NULL;

    private Duration leftFor = Duration.ZERO;

    private enum State {
        /** No call has requested the node. */
        NEW,
        /** The node is being taken or converted up for one call. */
        BUSY,
        /** The node is being converted down. */
        LOWERING,
        /** No request for the node is under way. */
        HELD,
        /** The node was not taken, or has been released. */
        OVER
    }

    /** @param whenOver called when the node must not be used again */
    PathNode(String lockId, Consumer<PathNode> whenOver) {
        this.lockId = lockId;
        this.whenOver = whenOver;
    }

    /** A call begins, or repeats its request. */
    void asked(NodeCall call) {
        mailbox.execute(() -> serve(call));
    }

    /** The call does not wait any more. */
    void cancelled(NodeCall call) {
        mailbox.execute(() -> waiting.remove(call));
    }

    /** Declares the grant lost, for all uses. */
    void abandon(LockLoss loss) {
        mailbox.execute(() -> {
            if (grant != null) {
                grant.abandon(loss);
            }
        });
    }

    private void serve(NodeCall call) {
        Grant held = grant;
        if (call.hasEnded()) {
            return;
        }
        if (state == State.NEW) {
            take(call);
        } else if (isOver()) {
            whenOver.accept(this);
            call.askAgain();
        } else if (held == null || state == State.BUSY || staysTaken(call.mode())) {
            awaitOrRefuse(call);
        } else if (covers(held, call.mode())) {
            call.granted(begin(call.mode(), held));
        } else if (state == State.LOWERING) {
            await(call);
        } else {
            convertUp(call, begin(call.mode(), held));
        }
    }

    private boolean isOver() {
        return state == State.OVER || loss != null || (grant != null && !grant.isValid());
    }

    /** A use that stays taken after its caller has closed it excludes its own owner as well as others. */
    private boolean staysTaken(LockMode mode) {
        return uses.stream().anyMatch(use -> use.finished && !use.mode.isCompatibleWith(mode));
    }

    /** Whether the node has, and will have, a mode that covers this mode. */
    private boolean covers(Grant held, LockMode mode) {
        return (state == State.LOWERING ? lowest : mode(held)).covers(mode);
    }

    private LockMode mode(Grant held) {
        return held.getMode().orElse(takenMode);
    }

    private LockMode needed() {
        return uses.stream().map(use -> use.mode).reduce(leftMode, LockMode::leastCovering);
    }

    private void awaitOrRefuse(NodeCall call) {
        if (call.waits()) {
            await(call);
        } else {
            call.notGranted(null);
        }
    }

    private void await(NodeCall call) {
        waiting.add(call);
        call.waitAt(this);
        if (call.hasEnded()) {
            waiting.remove(call);
        }
    }

    private void serveWaiting() {
        List<NodeCall> calls = List.copyOf(waiting);
        waiting.clear();
        calls.forEach(this::serve);
    }

    private Use begin(LockMode mode, Grant held) {
        Use use = new Use(mode, held);
        uses.add(use);
        return use;
    }

    /** Makes an attempt of the algorithm for a call. */
    private void attempt(
            NodeCall call, Supplier<Attempt> attempt, BiConsumer<@Nullable Grant, @Nullable Throwable> ended) {
        state = State.BUSY;
        try {
            Attempt begun = attempt.get();
            call.follow(begun);
            begun.getOutcome()
                    .whenComplete((granted, failure) -> mailbox.execute(
                            () -> ended.accept(granted == null ? null : granted.orElse(null), failure)));
        } catch (RuntimeException | Error e) {
            ended.accept(null, e);
        }
    }

    private void take(NodeCall call) {
        takenMode = call.mode();
        attempt(call, call::take, (granted, failure) -> {
            if (granted == null) {
                state = State.OVER;
                whenOver.accept(this);
                call.notGranted(failure);
            } else {
                grant = granted;
                state = State.HELD;
                call.granted(begin(call.mode(), granted));
                granted.getLoss().thenAccept(reason -> mailbox.execute(() -> lost(reason)));
            }
            serveWaiting();
        });
    }

    /** Converts the grant up for one use. If that fails, the use ends, and the others continue. */
    private void convertUp(NodeCall call, Use use) {
        LockMode needed = needed();
        attempt(
                call,
                () -> call.waits() ? use.held.convert(needed) : use.held.tryConvert(needed),
                (granted, failure) -> {
                    state = State.HELD;
                    if (granted == null) {
                        end(use);
                        call.notGranted(failure == null ? null : explained(failure));
                    } else {
                        call.granted(use);
                        changed();
                    }
                });
    }

    private Throwable explained(Throwable failure) {
        return loss == null
                ? failure
                : new LockLostException(
                        lockId,
                        "Lock '" + lockId
                                + "' was lost while a call of its owner waited to hold it in a stronger mode: " + loss
                                + "; another holder may have it: stop the work under it, and repeat the call",
                        loss.reason());
    }

    private void changed() {
        serveWaiting();
        convertDown();
    }

    /** Converts the grant down to what is needed, unless a conversion is under way: at its end, this runs again. */
    private void convertDown() {
        LockMode needed = needed();
        if (grant == null
                || state != State.HELD
                || isOver()
                || mode(grant) == needed
                || !mode(grant).covers(needed)) {
            return;
        }
        state = State.LOWERING;
        lowest = needed;
        try {
            grant.convert(needed)
                    .getOutcome()
                    .whenComplete((done, failure) -> mailbox.execute(() -> convertedDown(failure == null)));
        } catch (RuntimeException | Error e) {
            convertedDown(false);
        }
    }

    /** After a failed conversion, the node excludes more than it must until it is released. */
    private void convertedDown(boolean done) {
        state = state == State.LOWERING ? State.HELD : state;
        serveWaiting();
        if (done) {
            convertDown();
        }
        if (state != State.LOWERING) {
            releases.forEach(release -> release.complete(null));
            releases.clear();
        }
    }

    private void lost(LockLoss loss) {
        this.loss = loss;
        List.copyOf(uses).forEach(use -> use.lost.complete(loss));
        serveWaiting();
    }

    private void end(Use use) {
        if (!uses.remove(use)) {
            return;
        }
        if (!uses.isEmpty()) {
            changed();
            if (state == State.LOWERING) {
                releases.add(use.ended);
            } else {
                use.ended.complete(null);
            }
            return;
        }
        state = State.OVER;
        whenOver.accept(this);
        serveWaiting();
        CompletionStage<Void> end = leftFor.isZero() ? use.held.release() : use.held.keepTaken(leftFor);
        end.whenComplete((done, failure) -> over.complete(null));
        over.thenRun(() -> use.ended.complete(null));
    }

    private void leave(Use use, Duration atLeast) {
        leftMode = leftMode.leastCovering(use.mode);
        leftFor = leftFor.compareTo(atLeast) < 0 ? atLeast : leftFor;
        end(use);
    }

    private void finish(Use use) {
        use.finished = true;
        if (uses.stream().allMatch(other -> other.finished)) {
            use.held.markFinished();
        }
    }

    /** The share of one call in the node. */
    private final class Use implements ForwardingGrant {

        private final LockMode mode;
        private final Grant held;
        private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private volatile boolean released;

        /** Whether its caller has closed it, and it stays taken. Used by tasks of the mailbox. */
        private boolean finished;

        Use(LockMode mode, Grant held) {
            this.mode = mode;
            this.held = held;
        }

        @Override
        public boolean isValid() {
            return !released && !lost.isDone() && held.isValid();
        }

        @Override
        public CompletionStage<LockLoss> getLoss() {
            return lost;
        }

        @Override
        public Grant grant() {
            return held;
        }

        @Override
        public void markFinished() {
            mailbox.execute(() -> finish(this));
        }

        @Override
        public Optional<LockMode> getMode() {
            return Optional.of(mode);
        }

        /** The other uses continue. */
        @Override
        public void abandon(LockLoss loss) {
            leaveValueOpen();
            lost.complete(loss);
        }

        @Override
        public CompletionStage<Void> release() {
            released = true;
            mailbox.execute(() -> end(this));
            return ended;
        }

        @Override
        public CompletionStage<Void> keepTaken(Duration atLeast) {
            released = true;
            mailbox.execute(() -> PathNode.this.leave(this, atLeast));
            return over;
        }
    }
}
