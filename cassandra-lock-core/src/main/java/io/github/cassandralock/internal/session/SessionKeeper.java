package io.github.cassandralock.internal.session;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.steps.Operation;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one session open for this process. It opens the session when it is first needed. After a loss it opens another session,
 * with a new id. After {@link #end()} it opens none. Thread-safe.
 */
public final class SessionKeeper {

    private final SessionContext context;
    private final UnconfirmedSessions unconfirmed;
    private final BiConsumer<OwnSession, LockLoss> onLoss;
    private final AtomicReference<@Nullable CompletableFuture<OwnSession>> current = new AtomicReference<>();
    private volatile boolean ended;

    /** @param onLoss receives each session that is lost, and the reason */
    public SessionKeeper(SessionContext context, BiConsumer<OwnSession, LockLoss> onLoss) {
        this.context = context;
        this.unconfirmed = new UnconfirmedSessions(context);
        this.onLoss = onLoss;
    }

    /**
     * Returns the open session. Completes exceptionally if none could be opened; the next call then tries again.
     *
     * <p>Each caller gets its own stage. If thousands of callers added actions to one stage, nested actions could make the stack
     * overflow.
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
            fresh.completeExceptionally(new SessionNotOpenedException(
                    "No session is opened any more, because the locks were closed", null));
        } else {
            open(fresh);
        }
        return fresh;
    }

    /** Completes the future in every case, even after an error of the virtual machine. */
    private void open(CompletableFuture<OwnSession> fresh) {
        Operation.begin(() -> OwnSession.open(context, unconfirmed))
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

    /** Whether this is the last session that this process has opened. */
    public boolean isOwn(UUID session) {
        return opened().filter(last -> last.id().equals(session)).isPresent();
    }

    private Optional<OwnSession> opened() {
        @Nullable CompletableFuture<OwnSession> last = current.get();
        return last != null && last.isDone() && !last.isCompletedExceptionally()
                ? Optional.of(last.join())
                : Optional.empty();
    }

    /** The open session, if it has this id and its lease lasts. */
    public Optional<OwnSession> own(UUID session) {
        return present().filter(own -> own.id().equals(session));
    }

    /** The open session, if there is one whose lease lasts. Opens none. */
    public Optional<OwnSession> present() {
        return opened().filter(OwnSession::isValid);
    }

    private static boolean isUsable(CompletableFuture<OwnSession> session) {
        return !session.isDone()
                || (!session.isCompletedExceptionally() && session.join().isValid());
    }

    /** Ends the open session even if it is valid. Its locks are lost, and the next session has another id. */
    public void abandonAll(LockLoss loss) {
        @Nullable CompletableFuture<OwnSession> last = current.get();
        if (last != null) {
            last.thenAccept(session -> session.abandon(loss));
        }
    }

    /**
     * Ends the session that is open or is being opened. No session is opened afterwards. Completes, never exceptionally, after
     * the tries to declare the session dead.
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
