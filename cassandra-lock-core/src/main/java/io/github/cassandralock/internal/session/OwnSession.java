package io.github.cassandralock.internal.session;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.steps.Deadline;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.Contact;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.store.SessionState;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.text.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session of this process: the one lease under which all its locks are held.
 *
 * <p>It is valid until a deadline on the local monotonic clock. The deadline is the instant at which its last confirmed renewal
 * was first sent, plus the lease, less drift. Once the deadline has passed, or the session was declared dead, it is lost for
 * ever. Source: protocol, section 4. Thread-safe.
 */
public final class OwnSession {

    /*
     * Only tasks of the mailbox use the fields, apart from those that readers need. One renewal is under way at a time. It is
     * sent again until an answer shows its outcome, and earlier than the request's time-out. A node that does not answer must not
     * cost the lease. Only one of these requests can write the beat. The lease always counts from the first of them. Every answer
     * that shows the row is used, even to an earlier renewal. It may be the only answer that arrives.
     */

    private enum State {
        OPEN,
        LOST,
        ENDED
    }

    /**
     * One renewal, which may be sent several times.
     *
     * @param last the beat that it replaces
     * @param next the beat that it writes
     * @param published the contact that it publishes again; empty if the contact of the row lasts
     */
    private record Renewal(Beat last, Beat next, long firstSentAt, Optional<Contact> published) {}

    private static final Logger log = LoggerFactory.getLogger(OwnSession.class);
    private static final int DECLARATIONS = 3;

    private final SessionContext context;
    private final UUID id;

    /** Most locks use one slot of a session at a time, so they share this object. */
    private final SlotId firstSlot;

    private final Mailbox mailbox = new Mailbox();
    private final AtomicLong counter = new AtomicLong();
    private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();
    private final Optional<Contact> contact;
    private final Deadline deadline;
    private volatile State state = State.OPEN;
    private Beat beat;

    /** When the row got its present contact. */
    private long publishedAt;

    private @Nullable Renewal underWay;
    private CompletableFuture<Void> nextRenewal = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> expiry = CompletableFuture.completedFuture(null);
    private @Nullable Long excludesUntil;

    private OwnSession(SessionContext context, UUID id, Optional<Contact> contact, Beat beat, long openedAt) {
        this.context = context;
        this.id = id;
        this.firstSlot = new SlotId(id, 0);
        this.contact = contact;
        this.beat = beat;
        this.publishedAt = openedAt;
        this.deadline = new Deadline(context.ticker(), validUntil(context, openedAt));
    }

    /**
     * Opens a session under a new id. Completes exceptionally if the store does not confirm it. If the insert is applied
     * nevertheless, no process uses that row.
     *
     * @param unconfirmed ends that row
     */
    static CompletionStage<OwnSession> open(SessionContext context, UnconfirmedSessions unconfirmed) {
        UUID id = context.newId();
        Beat first = new Beat(0, context.newId());
        Optional<Contact> contact = context.contacts().apply(id);
        long openedAt = context.ticker().nanos();
        return Operation.begin(() -> context.store()
                        .open(
                                id,
                                context.row(first, contact),
                                context.settings().rowLife()))
                .whenComplete((outcome, failure) -> {
                    if (mayHaveWritten(outcome)) {
                        unconfirmed.end(id, first);
                    }
                })
                .thenApply(outcome -> opened(context, id, contact, first, openedAt, outcome));
    }

    /** Whether there may be a row although the insert was not confirmed. */
    private static boolean mayHaveWritten(@Nullable CasOutcome outcome) {
        return outcome == null
                || (outcome instanceof CasOutcome.Unknown unknown
                        && !(unknown.cause() instanceof RefusedRequestException));
    }

    private static OwnSession opened(
            SessionContext context, UUID id, Optional<Contact> contact, Beat first, long openedAt, CasOutcome outcome) {
        if (outcome instanceof CasOutcome.Applied) {
            OwnSession session = new OwnSession(context, id, contact, first, openedAt);
            session.mailbox.execute(() -> session.started(openedAt));
            return session;
        }
        Throwable cause = outcome instanceof CasOutcome.Unknown unknown ? unknown.cause() : null;
        String why = cause == null ? "" : ": " + cause.getMessage();
        throw new SessionNotOpenedException("Cassandra did not confirm the new session " + id + why, cause);
    }

    private void started(long openedAt) {
        renewAt(openedAt + context.settings().interval().toNanos());
        watchExpiry();
    }

    public UUID id() {
        return id;
    }

    /** Names the session's slot of this number in the partition of any lock. */
    public SlotId slot(int number) {
        return number == 0 ? firstSlot : new SlotId(id, number);
    }

    /** Whether the lease is certainly valid at this instant. Once false, it is never true again. */
    public boolean isValid() {
        return state == State.OPEN && !deadline.hasPassed();
    }

    private static long validUntil(SessionContext context, long sentAt) {
        return sentAt + context.settings().validity().toNanos();
    }

    /** Completes with the reason when the session is lost. */
    public CompletionStage<LockLoss> lost() {
        return lost;
    }

    /** The next of this session's timestamps: 1, 2, 3, … */
    public long nextTimestamp() {
        return counter.incrementAndGet();
    }

    /** Renews at once, which shows whether the session was declared dead. */
    public void renewNow() {
        mailbox.execute(this::renew);
    }

    /** Ends the session even if it is valid: all its locks are lost. */
    void abandon(LockLoss loss) {
        mailbox.execute(() -> {
            if (state == State.OPEN) {
                lose(loss);
            }
        });
    }

    private void renewAt(long at) {
        nextRenewal = after(at - context.ticker().nanos(), this::renew);
    }

    /** If a timer fails, the session is lost at once. Without timers it could not be renewed, and its end would not be noticed. */
    private CompletableFuture<Void> after(long nanos, Runnable next) {
        CompletableFuture<Void> timer = context.timers().afterOrFailed(Duration.ofNanos(Math.max(0, nanos)));
        timer.whenCompleteAsync(
                (done, failure) -> {
                    if (failure == null) {
                        next.run();
                    } else if (!(failure instanceof CancellationException) && state == State.OPEN) {
                        lose(new LockLoss(Reason.CLOSED, "the timers that renew it have been shut down"));
                    }
                },
                mailbox);
        return timer;
    }

    private void renew() {
        if (state != State.OPEN || underWay != null) {
            return;
        }
        nextRenewal.cancel(false);
        long now = context.ticker().nanos();
        Renewal renewal = new Renewal(beat, beat.next(context.newId()), now, contact.filter(known -> mustPublish(now)));
        underWay = renewal;
        send(renewal);
    }

    /** A secret that is seldom written is seldom in logs of the store and in backups. */
    private boolean mustPublish(long now) {
        return now - publishedAt >= context.settings().publishing().toNanos();
    }

    private void send(Renewal renewal) {
        if (!isStillOpen() || !renewal.equals(underWay)) {
            return;
        }
        Operation.begin(() -> context.store()
                        .renew(
                                id,
                                renewal.last(),
                                context.row(renewal.next(), renewal.published()),
                                context.settings().rowLife()))
                .whenCompleteAsync((outcome, failure) -> answered(renewal, outcome, failure), mailbox);
        nextRenewal = after(context.settings().resend().toNanos(), () -> send(renewal));
    }

    private void answered(Renewal renewal, @Nullable CasOutcome outcome, @Nullable Throwable failure) {
        if (!isStillOpen()) {
            return;
        }
        if (outcome instanceof CasOutcome.Refused refused) {
            settle(renewal, refused.seen());
        } else if (outcome instanceof CasOutcome.Applied && renewal.equals(underWay)) {
            confirmed(renewal);
        } else {
            if (!(outcome instanceof CasOutcome.Applied)) {
                count(Counted.RENEWAL_UNANSWERED);
            }
            log.debug("This answer to a renewal of session {} changes nothing: {}", id, outcome, failure);
        }
    }

    /** A row with the beat that this session has sent is its own, whichever of its requests wrote it. */
    private void settle(Renewal answered, Optional<SessionState> seen) {
        if (seen.isEmpty() || !seen.get().alive()) {
            loseRefused(new LockLoss(
                    Reason.LEASE_EXPIRED,
                    "another process declared it dead, because it had not been renewed for a lease"));
        } else if (underWay != null && seen.get().beat().equals(underWay.next())) {
            confirmed(underWay);
        } else if (answered.equals(underWay) && !seen.get().beat().equals(answered.last())) {
            loseRefused(new LockLoss(
                    Reason.RESTORED,
                    "another copy of this process renewed it: the process runs twice, from a snapshot or on a cloned"
                            + " machine"));
        }
    }

    private void loseRefused(LockLoss loss) {
        count(Counted.RENEWAL_REFUSED);
        lose(loss);
    }

    private void confirmed(Renewal renewal) {
        count(Counted.RENEWAL_CONFIRMED);
        beat = renewal.next();
        publishedAt = renewal.published().isPresent() ? renewal.firstSentAt() : publishedAt;
        underWay = null;
        if (deadline.extendTo(validUntil(context, renewal.firstSentAt()))) {
            nextRenewal.cancel(false);
            renewAt(renewal.firstSentAt() + context.settings().interval().toNanos());
        } else {
            loseUnconfirmed();
        }
    }

    private boolean isStillOpen() {
        if (state == State.OPEN && !isValid()) {
            loseUnconfirmed();
        }
        return state == State.OPEN;
    }

    private void loseUnconfirmed() {
        lose(new LockLoss(
                Reason.LEASE_EXPIRED,
                "no renewal was confirmed within the lease of "
                        + DurationText.of(context.settings().lease())));
    }

    /** Reports the loss when the deadline passes, even while a renewal has no answer. */
    private void watchExpiry() {
        if (isStillOpen()) {
            expiry = after(deadline.left(), this::watchExpiry);
        }
    }

    private void lose(LockLoss loss) {
        state = State.LOST;
        count(Counted.SESSION_LOST);
        log.warn("The session {} of this process is lost, and with it all its locks: {}", id, loss);
        stop();
        lost.complete(loss);
        declareLostDead(
                beat, context.ticker().nanos() + context.settings().rowLife().toNanos());
    }

    /**
     * Repeats the declaration until the store answers or the session's row has expired. A session is often lost because the store
     * does not answer. Its slots would then block the next session of this process until others have watched it for a lease.
     */
    private void declareLostDead(Beat last, long until) {
        declareDead(last, DECLARATIONS)
                .thenAcceptAsync(
                        answered -> {
                            if (!answered && context.ticker().nanos() - until < 0) {
                                context.timers()
                                        .afterOrFailed(context.settings().retry())
                                        .thenRunAsync(() -> declareLostDead(last, until), mailbox);
                            }
                        },
                        mailbox);
    }

    /** Keeps others out by the slots of this session for at least this long, even if the process ends before. */
    public void excludeOthersFor(Duration atLeast) {
        mailbox.execute(() -> {
            long until = context.ticker().nanos() + atLeast.toNanos();
            Long present = excludesUntil;
            excludesUntil = present == null || until - present > 0 ? Long.valueOf(until) : present;
        });
    }

    /**
     * Stops renewals and declares the session dead, so that other processes can evict its slots at once. A session that must
     * outlive the process is renewed for the last time instead. Completes, never exceptionally, after the tries.
     */
    CompletionStage<Void> end() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        mailbox.execute(() -> {
            if (state == State.OPEN) {
                Duration left = isValid() ? leftToOutlive() : Duration.ZERO;
                state = State.ENDED;
                stop();
                CompletionStage<Void> last = left.compareTo(Duration.ZERO) > 0
                        ? LastRenewal.of(context, id, left).after(beat)
                        : declareDead(beat, DECLARATIONS).thenAccept(answered -> {});
                last.thenRun(() -> ended.complete(null));
            } else {
                ended.complete(null);
            }
        });
        return ended;
    }

    private void count(Counted what) {
        context.counters().add(what);
    }

    private Duration leftToOutlive() {
        Long until = excludesUntil;
        return until == null
                ? Duration.ZERO
                : Duration.ofNanos(until - context.ticker().nanos());
    }

    private void stop() {
        nextRenewal.cancel(false);
        expiry.cancel(false);
    }

    /**
     * Declares the session dead. The transaction is refused if a renewal under way writes its beat first. It is then sent again
     * with that beat. If all tries fail, the processes that watch the session declare it dead.
     *
     * @return completes, never exceptionally, after the tries; with false if the last one had no answer
     */
    private CompletionStage<Boolean> declareDead(Beat last, int tries) {
        return Operation.begin(() ->
                        context.store().declareDead(id, last, context.settings().rowLife()))
                .handle((outcome, failure) -> outcome)
                .thenCompose(outcome -> outcome instanceof CasOutcome.Refused refused
                                && refused.seen().filter(SessionState::alive).isPresent()
                                && tries > 1
                        ? declareDead(refused.seen().get().beat(), tries - 1)
                        : CompletableFuture.completedFuture(
                                outcome instanceof CasOutcome.Applied || outcome instanceof CasOutcome.Refused));
    }
}
