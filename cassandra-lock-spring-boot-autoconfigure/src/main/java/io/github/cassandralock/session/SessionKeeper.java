package io.github.cassandralock.session;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one session open for this process: opened when it is first needed, and again, under a new id, after a loss.
 * Thread-safe.
 */
public final class SessionKeeper {

    private final SessionParts parts;
    private final BiConsumer<OwnSession, String> onLoss;
    private final AtomicReference<@Nullable CompletableFuture<OwnSession>> current = new AtomicReference<>();

    /** @param onLoss is told of every session that is lost, and why */
    public SessionKeeper(SessionParts parts, BiConsumer<OwnSession, String> onLoss) {
        this.parts = parts;
        this.onLoss = onLoss;
    }

    /** The open session. Completes exceptionally if none could be opened; the next call tries again. */
    public CompletionStage<OwnSession> current() {
        @Nullable CompletableFuture<OwnSession> seen = current.get();
        if (seen != null && isUsable(seen)) {
            return seen;
        }
        CompletableFuture<OwnSession> fresh = new CompletableFuture<>();
        if (!current.compareAndSet(seen, fresh)) {
            return current();
        }
        OwnSession.open(parts).whenComplete((session, failure) -> {
            if (failure != null) {
                fresh.completeExceptionally(failure);
            } else {
                session.lost().thenAccept(reason -> onLoss.accept(session, reason));
                fresh.complete(session);
            }
        });
        return fresh;
    }

    private static boolean isUsable(CompletableFuture<OwnSession> session) {
        return !session.isDone()
                || (!session.isCompletedExceptionally() && session.join().isValid());
    }

    /** Ends the open session, if there is one. Completes, never exceptionally, when that was tried. */
    public CompletionStage<Void> end() {
        @Nullable CompletableFuture<OwnSession> last = current.get();
        return last != null && last.isDone() && !last.isCompletedExceptionally()
                ? last.join().end()
                : CompletableFuture.completedFuture(null);
    }
}
