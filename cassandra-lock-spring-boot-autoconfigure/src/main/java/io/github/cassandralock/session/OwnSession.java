package io.github.cassandralock.session;

import io.github.cassandralock.spi.CasOutcome;
import io.github.cassandralock.spi.SessionRow;
import io.github.cassandralock.steps.Mailbox;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session of this process: the one lease under which all its locks are held.
 *
 * <p>It is valid until the first sending of its last confirmed renewal + lease less drift, on the local monotonic clock.
 * Once it is past that instant, or declared dead, it is lost for ever. Source: protocol, section 4. Thread-safe.
 */
public final class OwnSession {

    /*
     * All state but the two fields that readers need is touched by the mailbox's tasks alone. One beat is renewed at a
     * time. As long as nothing says what became of that, the same renewal is sent again, without waiting for a time-out:
     * a node that does not answer must not cost the lease. Whichever of its requests raised the beat, the others can no
     * longer, and the lease counts from the first one.
     */

    private enum State {
        OPEN,
        LOST,
        ENDED
    }

    private static final Logger log = LoggerFactory.getLogger(OwnSession.class);
    private static final int DECLARATIONS = 3;

    private final SessionParts parts;
    private final UUID id;
    private final Mailbox mailbox = new Mailbox();
    private final AtomicLong counter = new AtomicLong();
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final AtomicReference<@Nullable Deadline> deadline;
    private volatile State state = State.OPEN;
    private long beat;
    private boolean renewing;
    private @Nullable CompletableFuture<Void> nextRenewal;
    private @Nullable CompletableFuture<Void> expiry;

    /**
     * Whoever sees that it has passed puts null in its place, so that what is confirmed later cannot revive a session that
     * somebody has taken for lost. Compared by identity.
     */
    private record Deadline(long nanos) {}

    private OwnSession(SessionParts parts, UUID id, long openedAt) {
        this.parts = parts;
        this.id = id;
        this.deadline = new AtomicReference<>(deadlineOf(openedAt));
    }

    /**
     * Opens a session under a new id. Completes exceptionally if the store does not confirm it; should the insert arrive
     * after all, the row of that id is never renewed and nobody's.
     */
    static CompletionStage<OwnSession> open(SessionParts parts) {
        UUID id = parts.ids().get();
        long openedAt = parts.ticker().nanos();
        return parts.store()
                .open(id, parts.owner(), parts.terms().rowLife())
                .thenApply(outcome -> opened(parts, id, openedAt, outcome));
    }

    private static OwnSession opened(SessionParts parts, UUID id, long openedAt, CasOutcome outcome) {
        if (outcome instanceof CasOutcome.Applied) {
            OwnSession session = new OwnSession(parts, id, openedAt);
            session.mailbox.execute(() -> session.started(openedAt));
            return session;
        }
        Throwable cause = outcome instanceof CasOutcome.Unknown unknown ? unknown.cause() : null;
        String why = cause == null ? "" : ": " + cause.getMessage();
        throw new SessionNotOpenedException("Cassandra did not confirm the new session " + id + why, cause);
    }

    private void started(long openedAt) {
        renewAt(openedAt + parts.terms().interval().toNanos());
        watchExpiry();
    }

    public UUID id() {
        return id;
    }

    /** Whether the lease can be vouched for at this instant. Never true again once false. */
    public boolean isValid() {
        Deadline seen = deadline.get();
        if (state != State.OPEN || seen == null) {
            return false;
        }
        return parts.ticker().nanos() - seen.nanos() < 0 || (!deadline.compareAndSet(seen, null) && isValid());
    }

    private Deadline deadlineOf(long sentAt) {
        return new Deadline(sentAt + parts.terms().validity().toNanos());
    }

    /** Completes with the reason when the session is lost. */
    public CompletionStage<String> lost() {
        return lost;
    }

    /** The next of this session's timestamps: 1, 2, 3, … */
    public long nextTimestamp() {
        return counter.incrementAndGet();
    }

    /** Renews at once, because something suggests that the session was declared dead. */
    public void verify() {
        mailbox.execute(this::renew);
    }

    private void renewAt(long at) {
        CompletableFuture<Void> timer = after(at - parts.ticker().nanos());
        nextRenewal = timer;
        timer.thenRunAsync(this::renew, mailbox);
    }

    private CompletableFuture<Void> after(long nanos) {
        return parts.timers().after(Duration.ofNanos(Math.max(0, nanos)));
    }

    private void renew() {
        if (state != State.OPEN || renewing) {
            return;
        }
        renewing = true;
        cancel(nextRenewal);
        sendRenewal(beat, parts.ticker().nanos());
    }

    private void sendRenewal(long asOf, long firstSentAt) {
        if (!isUnderWay(asOf)) {
            return;
        }
        parts.store()
                .renew(id, asOf, parts.owner(), parts.terms().rowLife())
                .whenCompleteAsync((outcome, failure) -> renewalEnded(asOf, firstSentAt, outcome), mailbox);
        nextRenewal = after(parts.terms().resend().toNanos());
        nextRenewal.thenRunAsync(() -> sendRenewal(asOf, firstSentAt), mailbox);
    }

    private boolean isUnderWay(long asOf) {
        return isStillOpen() && beat == asOf;
    }

    private void renewalEnded(long asOf, long firstSentAt, @Nullable CasOutcome outcome) {
        if (!isUnderWay(asOf)) {
            return;
        }
        if (outcome instanceof CasOutcome.Applied) {
            confirmed(firstSentAt);
        } else if (outcome instanceof CasOutcome.Refused refused) {
            settle(firstSentAt, refused.seen());
        } else {
            log.debug("A renewal of session {} has an unknown outcome and is sent again: {}", id, outcome);
        }
    }

    /** The beat that this renewal was to write can only be this session's own, whichever of its requests wrote it. */
    private void settle(long firstSentAt, Optional<SessionRow> row) {
        if (row.isEmpty() || !row.get().alive()) {
            lose("another process declared it dead, because it had not been renewed for a lease");
        } else if (row.get().beat() == beat + 1) {
            confirmed(firstSentAt);
        }
    }

    private void confirmed(long firstSentAt) {
        beat++;
        renewing = false;
        Deadline last = deadline.get();
        if (last == null || !deadline.compareAndSet(last, deadlineOf(firstSentAt))) {
            loseUnconfirmed();
            return;
        }
        cancel(nextRenewal);
        renewAt(firstSentAt + parts.terms().interval().toNanos());
    }

    private boolean isStillOpen() {
        if (state == State.OPEN && !isValid()) {
            loseUnconfirmed();
        }
        return state == State.OPEN;
    }

    private void loseUnconfirmed() {
        lose("no renewal was confirmed within the lease of " + parts.terms().lease());
    }

    /** Tells the loss at the instant it happens, also when a renewal hangs. */
    private void watchExpiry() {
        if (isStillOpen()) {
            Deadline next = deadline.get();
            CompletableFuture<Void> timer =
                    after(next == null ? 0 : next.nanos() - parts.ticker().nanos());
            expiry = timer;
            timer.thenRunAsync(this::watchExpiry, mailbox);
        }
    }

    private void lose(String reason) {
        state = State.LOST;
        log.warn("The session {} of this process is lost, and with it all its locks: {}", id, reason);
        stop();
        lost.complete(reason);
        declareDead(beat, DECLARATIONS);
    }

    /**
     * Stops renewals and declares the session dead, so that what it may have left behind frees itself at once. Completes,
     * never exceptionally, when that was tried.
     */
    CompletionStage<Void> end() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        mailbox.execute(() -> {
            if (state == State.OPEN) {
                state = State.ENDED;
                stop();
                declareDead(beat, DECLARATIONS).thenRun(() -> ended.complete(null));
            } else {
                ended.complete(null);
            }
        });
        return ended;
    }

    private void stop() {
        cancel(nextRenewal);
        cancel(expiry);
    }

    private static void cancel(@Nullable CompletableFuture<Void> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** A renewal under way may raise the beat in between: then once more. Who watches does it if this fails. */
    private CompletionStage<Void> declareDead(long asOf, int tries) {
        return parts.store()
                .declareDead(id, asOf, parts.terms().rowLife())
                .handle((outcome, failure) -> outcome)
                .thenCompose(outcome -> outcome instanceof CasOutcome.Refused refused
                                && refused.seen().filter(SessionRow::alive).isPresent()
                                && tries > 1
                        ? declareDead(refused.seen().get().beat(), tries - 1)
                        : CompletableFuture.completedFuture(null));
    }
}
