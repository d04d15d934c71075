package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.session.SessionWatch;
import io.github.cassandralock.internal.steps.BoundedOperations;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.ticket.handle.OwnedLocks;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.lock.Deadlocks;
import io.github.cassandralock.internal.ticket.lock.IncomingNotices;
import io.github.cassandralock.internal.ticket.lock.LockActor;
import io.github.cassandralock.internal.ticket.lock.TicketGrant;
import io.github.cassandralock.internal.ticket.process.HandOverEstimates;
import io.github.cassandralock.internal.ticket.process.NoticeHealth;
import io.github.cassandralock.internal.ticket.process.RecentReleases;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.process.TicketWarnings;
import io.github.cassandralock.internal.time.NextTimer;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The algorithm {@code ticket}: sessions take tickets, and the session with the lowest ticket holds the lock. A session that was
 * not renewed for its lease is evicted.
 *
 * <p>Guarantees at most one holder inside its valid lease, whatever the wall clocks show. The rates of monotonic clocks must
 * differ by no more than the configured drift. Across processes, the lowest ticket is served first, apart from bounded hand-overs
 * between threads of one process. Among these threads, the first to arrive is served first. Fencing tokens strictly grow. Lock
 * and unlock without contention are three operations at quorum, without consensus.
 *
 * <p>Source: docs/protocol.md; Lamport, "A new solution of Dijkstra's concurrent programming problem", 1974.
 */
public class TicketAlgorithm implements LockAlgorithm {

    private static final Duration CLEANING = Duration.ofSeconds(5);

    private final TicketContext context;
    private final Optional<Deadlocks> deadlocks;
    private final ConcurrentMap<String, LockActor> actors = new ConcurrentHashMap<>();
    private final LockActor.Environment environment;
    private final NextTimer nextRefresh;
    private volatile boolean closed;

    /**
     * Creates the algorithm without notices and without the search for deadlocks.
     *
     * @param wallClock gives the floor of fencing tokens, nothing else
     */
    public TicketAlgorithm(SlotStore store, SessionContext sessions, TicketSettings settings, WallClock wallClock) {
        this(store, sessions, NoticeChannel.OFF, settings, wallClock, Optional.empty());
    }

    /**
     * @param channel carries notices; the caller ends it after this algorithm
     * @param wallClock gives the floor of fencing tokens, nothing else
     * @param deadlocks the search for deadlocks; empty if it is switched off
     */
    public TicketAlgorithm(
            SlotStore store,
            SessionContext sessions,
            NoticeChannel channel,
            TicketSettings settings,
            WallClock wallClock,
            Optional<Deadlocks> deadlocks) {
        this.context = new TicketContext(
                store,
                new SessionKeeper(sessions, this::sessionLost),
                new SessionWatch(sessions),
                channel,
                new NoticeHealth(),
                new HandOverEstimates(),
                new RecentReleases(settings.longestKept()),
                sessions.settings(),
                settings,
                sessions.ticker(),
                sessions.timers(),
                wallClock,
                TicketWarnings.with(sessions.timers()),
                sessions.counters(),
                new BoundedOperations());
        this.deadlocks = deadlocks;
        this.environment = new LockActor.Environment(context, deadlocks, this::retire);
        this.nextRefresh = new NextTimer(sessions.timers());
        channel.receiveBy(this::noticeReceived);
        refreshLater();
    }

    @Override
    public String getName() {
        return "ticket";
    }

    @Override
    public boolean keepsValues() {
        return true;
    }

    @Override
    public boolean supports(LockMode mode) {
        return true;
    }

    @Override
    public boolean supportsPermits() {
        return true;
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        String lockId = request.lockId();
        Optional<LockOwner> owner = request.owner();
        TicketRequest ticketRequest = new TicketRequest(
                request.mode(),
                request.permits(),
                !request.waits(),
                owner.orElse(null),
                context.ticker().nanos(),
                cancelled -> cancelled(lockId, cancelled));
        if (deadlocks.isPresent() && owner.isPresent()) {
            OwnedLocks owned = deadlocks.get().owned();
            ticketRequest
                    .getOutcome()
                    .thenAccept(granted -> granted.map(TicketGrant.class::cast)
                            .ifPresent(grant -> grant.handle().setOwner(owned, owner.get(), lockId)));
        }
        if (closed) {
            ticketRequest.fail(new IllegalStateException("Lock '" + lockId
                    + "' was not granted: the application shuts down, and the algorithm 'ticket' has ended"));
        } else {
            enter(lockId, ticketRequest);
        }
        return ticketRequest;
    }

    private void enter(String lockId, TicketRequest request) {
        actors.computeIfAbsent(lockId, id -> new LockActor(environment, id))
                .arrived(request, again -> enter(lockId, again));
    }

    private void retire(LockActor actor) {
        actors.remove(actor.lockId(), actor);
    }

    private void cancelled(String lockId, TicketRequest request) {
        LockActor actor = actors.get(lockId);
        if (actor != null) {
            actor.cancelled(request);
        }
    }

    /** A notice to a session that is lost, or has ended, is not answered. */
    private void noticeReceived(UUID from, UUID to, Notice notice) {
        context.sessions().own(to).ifPresent(own -> noticeReceived(own, from, notice));
    }

    private void noticeReceived(OwnSession own, UUID from, Notice notice) {
        Optional<Fact> noPresentAttempt = noPresentAttempt(own, notice);
        LockActor actor = actors.get(notice.lockId());
        if (actor != null) {
            actor.noticeReceived(own, from, notice, () -> noticeReceived(own, from, notice));
        } else {
            noPresentAttempt.ifPresent(
                    over -> context.channel().answer(own.id(), from, new Notice.Over(notice.lockId(), List.of(over))));
        }
    }

    /**
     * The answer if no thread requests the lock. The number of the fact is drawn before that check. An attempt that a thread
     * begins in the meantime has a higher number.
     */
    private static Optional<Fact> noPresentAttempt(OwnSession own, Notice notice) {
        if (notice instanceof Notice.Waiting waiting) {
            return Optional.of(IncomingNotices.noPresentAttempt(own, waiting.slot()));
        }
        return notice instanceof Notice.Ask ask
                ? Optional.of(IncomingNotices.noPresentAttempt(own, ask.slot()))
                : Optional.empty();
    }

    /** The session of this process, if one is open. Does not open a session. */
    public Optional<UUID> ownSession() {
        return context.sessions().present().map(OwnSession::id);
    }

    /**
     * Takes a lock away from its holder in this process. The holder receives the loss, and the lock is released. Does nothing
     * unless this session is the open one and holds the lock by exactly this attempt (protocol, section 11).
     *
     * @param loss that the holder receives
     */
    public void forceRelease(String lockId, UUID session, long attempt, LockLoss loss) {
        LockActor actor = actors.get(lockId);
        if (actor != null) {
            context.sessions().own(session).ifPresent(own -> actor.forceRelease(own, attempt, loss));
        }
    }

    private void sessionLost(OwnSession session, LockLoss loss) {
        actors.values().forEach(actor -> actor.sessionLost(session, loss));
    }

    private void refreshLater() {
        nextRefresh.after(context.refreshInterval()).thenRun(() -> {
            actors.values().forEach(LockActor::refreshIfDue);
            refreshLater();
        });
    }

    @Override
    public void abandonAll(LockLoss loss) {
        context.sessions().abandonAll(loss);
    }

    /**
     * Ends the session when every slot has been released, or after five seconds. Other processes evict the remaining slots when a
     * read shows the end of the session, or after its lease.
     */
    @Override
    public CompletionStage<Void> closeAsync() {
        closed = true;
        deadlocks.ifPresent(search -> search.detector().close());
        nextRefresh.close();
        CompletableFuture<?>[] settled = actors.values().stream()
                .map(actor -> actor.close().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.anyOf(
                        CompletableFuture.allOf(settled), context.timers().after(CLEANING))
                .handle((done, failure) -> done)
                .thenCompose(done -> context.sessions().end());
    }
}
