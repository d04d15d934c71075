package io.github.cassandralock.internal.ticket.operator;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.inspect.SessionInfo;
import io.github.cassandralock.internal.inspect.BreakOutcome;
import io.github.cassandralock.internal.inspect.BreakRequest;
import io.github.cassandralock.internal.inspect.BreakRequestStore;
import io.github.cassandralock.internal.inspect.LockBreaker;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Breaks locks by force (protocol, section 11): asks the processes of the holders to give the lock up, and does what other processes
 * ask of this one. {@link #close()} ends that.
 */
public class TicketBreaker implements LockBreaker, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TicketBreaker.class);

    /**
     * A request lives for a lease, and so outlives two looks of the process that it is for. The lease of a running process lasts for
     * an hour at most; that of a session which outlives its process may be longer, but nobody carries a request out for it.
     */
    public static final Duration LONGEST_REQUEST = Duration.ofHours(1);

    private static final Duration SHORTEST_REQUEST = Duration.ofMinutes(2);

    private final Supplier<Optional<Means>> means;
    private final SessionSettings settings;
    private final Timers timers;
    private final RepeatedWarning notRead;
    private final AtomicReference<@Nullable CompletableFuture<Void>> nextLook = new AtomicReference<>();
    private volatile boolean closed;

    /** What it takes to break locks. */
    public record Means(TicketAlgorithm algorithm, LockInspection inspection, BreakRequestStore requests) {}

    /**
     * @param means empty as long as the algorithm is not there
     * @param settings of this process's sessions
     */
    public TicketBreaker(Supplier<Optional<Means>> means, SessionSettings settings, Timers timers) {
        this.means = means;
        this.settings = settings;
        this.timers = timers;
        this.notRead = new RepeatedWarning(log, timers);
    }

    /** Begins to look for requests, three times per lease. One read each, while this process has a session. */
    public void start() {
        lookLater();
    }

    @Override
    public CompletionStage<BreakOutcome> breakLock(String lockId, Optional<UUID> onlyOf, String by) {
        return Operation.begin(() -> {
            Means present = means.get()
                    .orElseThrow(() -> new IllegalStateException(
                            "the locks of this application have not been able to use Cassandra since its start"));
            return present.inspection()
                    .inspect(lockId)
                    .thenCompose(state -> breakHolders(present, lockId, state, onlyOf, by));
        });
    }

    private CompletionStage<BreakOutcome> breakHolders(
            Means present, String lockId, LockState state, Optional<UUID> onlyOf, String by) {
        List<QueueEntry> holders = state.holders().stream()
                .filter(holder -> onlyOf.isEmpty() || holder.session().equals(onlyOf))
                .toList();
        if (holders.isEmpty()) {
            return CompletableFuture.completedFuture(new BreakOutcome.NotHeld());
        }
        Map<Boolean, List<QueueEntry>> byPlace =
                holders.stream().collect(Collectors.partitioningBy(QueueEntry::ofThisProcess));
        List<QueueEntry> here = byPlace.getOrDefault(true, List.of());
        List<QueueEntry> elsewhere = byPlace.getOrDefault(false, List.of());
        holders.forEach(holder -> logBreak(lockId, holder, by));
        here.forEach(holder -> obey(present, session(holder), request(lockId, holder, by)));
        int others = state.holderCount() - holders.size();
        return askAll(present, lockId, state, elsewhere, by)
                .thenApply(asked -> new BreakOutcome.Begun(here, elsewhere, longestPause(state, elsewhere), others));
    }

    private static void logBreak(String lockId, QueueEntry holder, String by) {
        log.warn(
                "Lock '{}' is to be broken by force, asked for by {}: its holder is {} (session {}, mode {})",
                lockId,
                by,
                holder.owner().text(),
                session(holder),
                holder.mode());
    }

    private static UUID session(QueueEntry holder) {
        return holder.session().orElseThrow();
    }

    private static BreakRequest request(String lockId, QueueEntry holder, String by) {
        return new BreakRequest(lockId, holder.attempt().orElseThrow(), by);
    }

    /** One request for each holder. All are sent, whatever becomes of one of them. */
    private CompletableFuture<Void> askAll(
            Means present, String lockId, LockState state, List<QueueEntry> holders, String by) {
        return CompletableFuture.allOf(holders.stream()
                .map(holder -> Operation.begin(() -> ask(
                                present, session(holder), request(lockId, holder, by), lease(state, session(holder))))
                        .toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }

    private Duration longestPause(LockState state, List<QueueEntry> asked) {
        return asked.stream()
                .map(holder -> lease(state, session(holder)).dividedBy(3))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** If a holder's session has no row, it is as good as dead: the lock gets free without its help. */
    private Duration lease(LockState state, UUID session) {
        return state.sessions().stream()
                .filter(info -> info.id().equals(session))
                .map(SessionInfo::lease)
                .findFirst()
                .orElse(settings.lease());
    }

    private static CompletionStage<Void> ask(Means present, UUID session, BreakRequest request, Duration lease) {
        Duration atLeast = lease.compareTo(SHORTEST_REQUEST) < 0 ? SHORTEST_REQUEST : lease;
        Duration ttl = atLeast.compareTo(LONGEST_REQUEST) > 0 ? LONGEST_REQUEST : atLeast;
        return present.requests().ask(session, request, ttl).thenAccept(WriteOutcome::requireApplied);
    }

    private static void obey(Means present, UUID session, BreakRequest request) {
        present.algorithm()
                .breakHold(
                        request.lockId(),
                        session,
                        request.attempt(),
                        new LockLoss(Reason.FORCE_RELEASED, "it was broken by force, asked for by " + request.by()));
    }

    private void lookLater() {
        CompletableFuture<Void> timer = timers.after(settings.interval());
        nextLook.set(timer);
        timer.thenRun(this::look);
        if (closed) {
            timer.cancel(false);
        }
    }

    /** A failed read is repeated with the next look. */
    private void look() {
        if (closed) {
            return;
        }
        Operation.begin(this::requestsOfThisProcess).whenComplete((done, failure) -> {
            if (failure != null) {
                notRead.warn("This process could not read whether it is asked to give up locks. It looks again in "
                        + DurationText.of(settings.interval()) + ". Cause: " + failure.getMessage());
            }
            lookLater();
        });
    }

    private CompletionStage<Void> requestsOfThisProcess() {
        return means.get()
                .flatMap(present -> present.algorithm().ownSession().map(session -> requestsOf(present, session)))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private static CompletionStage<Void> requestsOf(Means present, UUID session) {
        return present.requests()
                .askedOf(session)
                .thenAccept(asked -> asked.forEach(request -> obey(present, session, request)));
    }

    @Override
    public void close() {
        closed = true;
        CompletableFuture<Void> timer = nextLook.get();
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
