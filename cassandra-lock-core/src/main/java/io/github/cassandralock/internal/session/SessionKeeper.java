package io.github.cassandralock.internal.session;

import io.github.cassandralock.internal.steps.Operation;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one session open for this process: opened when it is first needed, and again, under a new id, after a loss; no more
 * once it has ended. Thread-safe.
 */
public final class SessionKeeper {

    private final SessionContext context;
    private final BiConsumer<OwnSession, String> onLoss;
    private final AtomicReference<@Nullable CompletableFuture<OwnSession>> current = new AtomicReference<>();
    private volatile boolean ended;

    /** @param onLoss is told of every session that is lost, and why */
    public SessionKeeper(SessionContext context, BiConsumer<OwnSession, String> onLoss) {
        this.context = context;
        this.onLoss = onLoss;
    }

    /**
     * The open session. Completes exceptionally if none could be opened, in which case the next call tries again.
     *
     * <p>Every caller gets a stage of its own: what follows one stage that thousands share, and is run by executors that run
     * it at once, would run on top of each other until the stack is full.
     */
    public CompletionStage<OwnSession> current() {
        return shared().copy();
    }

    private CompletableFuture<OwnSession> shared() {
        @Nullable CompletableFuture<OwnSession> seen = current.get();
        if (seen != null && isUsable(seen)) {
            return seen;
        }
        CompletableFuture<OwnSession> fresh = new CompletableFuture<>();
        if (!current.compareAndSet(seen, fresh)) {
            return shared();
        }
        if (ended) {
            fresh.completeExceptionally(
                    new SessionNotOpenedException("No session is opened any more: the locks end", null));
        } else {
            open(fresh);
        }
        return fresh;
    }

    /** Whatever goes wrong, an error of the virtual machine's included, whoever waits for the session is told. */
    private void open(CompletableFuture<OwnSession> fresh) {
        Operation.begin(() -> OwnSession.open(context))
                .thenApply(session -> {
                    session.lost().thenAccept(reason -> onLoss.accept(session, reason));
                    return session;
                })
                .whenComplete((session, failure) -> {
                    if (failure != null) {
                        fresh.completeExceptionally(failure);
                    } else {
                        fresh.complete(session);
                    }
                });
    }

    /** Whether this is the session that this process has opened last. */
    public boolean isOwn(UUID session) {
        @Nullable CompletableFuture<OwnSession> last = current.get();
        return last != null
                && last.isDone()
                && !last.isCompletedExceptionally()
                && last.join().id().equals(session);
    }

    private static boolean isUsable(CompletableFuture<OwnSession> session) {
        return !session.isDone()
                || (!session.isCompletedExceptionally() && session.join().isValid());
    }

    /** Gives the open session up: whatever stands on it is lost, and the next one has another id. */
    public void renounce(String reason) {
        @Nullable CompletableFuture<OwnSession> last = current.get();
        if (last != null) {
            last.thenAccept(session -> session.renounce(reason));
        }
    }

    /**
     * Ends the open session, if there is one or one is being opened; none is opened afterwards. Completes, never
     * exceptionally, when that was tried.
     */
    public CompletionStage<Void> end() {
        ended = true;
        @Nullable CompletableFuture<OwnSession> last = current.get();
        return last == null
                ? CompletableFuture.completedFuture(null)
                : last.handle((session, failure) -> session)
                        .thenCompose(
                                session -> session == null ? CompletableFuture.completedFuture(null) : session.end());
    }
}
