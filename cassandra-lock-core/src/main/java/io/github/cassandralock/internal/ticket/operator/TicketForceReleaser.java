package io.github.cassandralock.internal.ticket.operator;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.inspect.SessionInfo;
import io.github.cassandralock.internal.inspect.ForceReleaseOutcome;
import io.github.cassandralock.internal.inspect.ForceReleaseRequest;
import io.github.cassandralock.internal.inspect.ForceReleaseRequestStore;
import io.github.cassandralock.internal.inspect.ForceReleaser;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.time.NextTimer;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Force-releases locks (protocol, section 11). It requests the holders' processes to release the lock, and carries out the
 * requests of other processes. {@link #close()} ends both.
 */
public class TicketForceReleaser implements ForceReleaser, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TicketForceReleaser.class);

    /**
     * A request is stored for a lease, so the holder's process reads it at least twice. The lease of a running process is at most
     * an hour. A session that outlives its process may have a longer lease, but no process carries out a request for it.
     */
    public static final Duration LONGEST_REQUEST = Duration.ofHours(1);

    private static final Duration SHORTEST_REQUEST = Duration.ofMinutes(2);

    private final Supplier<Optional<Means>> means;
    private final SessionSettings settings;
    private final RepeatedWarning notRead;
    private final NextTimer nextLook;

    /** The parts of the algorithm that force-releasing locks needs. */
    public record Means(TicketAlgorithm algorithm, LockInspection inspection, ForceReleaseRequestStore requests) {}

    /**
     * @param means empty until the algorithm has started
     * @param settings of this process's sessions
     */
    public TicketForceReleaser(Supplier<Optional<Means>> means, SessionSettings settings, Timers timers) {
        this.means = means;
        this.settings = settings;
        this.notRead = new RepeatedWarning(log, timers);
        this.nextLook = new NextTimer(timers);
    }

    /** Begins to read requests, three times per lease. Each time is one read, and none without a session of this process. */
    public void start() {
        lookLater();
    }

    @Override
    public CompletionStage<ForceReleaseOutcome> forceRelease(String lockId, Optional<UUID> onlyOf, String by) {
        return Operation.begin(() -> {
            Means present = means.get()
                    .orElseThrow(() -> new IllegalStateException(
                            "the locks of this application have not been able to use Cassandra since its start"));
            return present.inspection()
                    .inspect(lockId)
                    .thenCompose(state -> forceReleaseHolders(present, lockId, state, onlyOf, by));
        });
    }

    private CompletionStage<ForceReleaseOutcome> forceReleaseHolders(
            Means present, String lockId, LockState state, Optional<UUID> onlyOf, String by) {
        List<QueueEntry> holders = state.holders().stream()
                .filter(holder -> onlyOf.isEmpty() || holder.session().equals(onlyOf))
                .toList();
        if (holders.isEmpty()) {
            return CompletableFuture.completedFuture(new ForceReleaseOutcome.NotHeld());
        }
        Map<Boolean, List<QueueEntry>> byPlace =
                holders.stream().collect(Collectors.partitioningBy(QueueEntry::ofThisProcess));
        List<QueueEntry> here = byPlace.getOrDefault(true, List.of());
        List<QueueEntry> elsewhere = byPlace.getOrDefault(false, List.of());
        holders.forEach(holder -> logRequest(lockId, holder, by));
        here.forEach(holder -> obey(present, session(holder), request(lockId, holder, by)));
        int others = state.holderCount() - holders.size();
        return askAll(present, lockId, state, elsewhere, by)
                .thenApply(asked ->
                        new ForceReleaseOutcome.Begun(here, elsewhere, longestPause(state, elsewhere), others));
    }

    private static void logRequest(String lockId, QueueEntry holder, String by) {
        log.warn(
                "Lock '{}' is force-released at the request of {}: its holder is {} (session {}, mode {})",
                lockId,
                by,
                holder.owner().text(),
                session(holder),
                holder.mode());
    }

    private static UUID session(QueueEntry holder) {
        return holder.session().orElseThrow();
    }

    private static ForceReleaseRequest request(String lockId, QueueEntry holder, String by) {
        return new ForceReleaseRequest(lockId, holder.attempt().orElseThrow(), by);
    }

    /** Sends one request for each holder. A failed request does not keep the others from being sent. */
    private CompletableFuture<Void> askAll(
            Means present, String lockId, LockState state, List<QueueEntry> holders, String by) {
        return Operation.all(holders.stream()
                .map(holder -> Operation.begin(() ->
                        ask(present, session(holder), request(lockId, holder, by), lease(state, session(holder))))));
    }

    private Duration longestPause(LockState state, List<QueueEntry> asked) {
        return asked.stream()
                .map(holder -> lease(state, session(holder)).dividedBy(3))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** A holder whose session has no row counts as dead: the lock gets free without its help. */
    private Duration lease(LockState state, UUID session) {
        return state.sessions().stream()
                .filter(info -> info.id().equals(session))
                .map(SessionInfo::lease)
                .findFirst()
                .orElse(settings.lease());
    }

    private static CompletionStage<Void> ask(Means present, UUID session, ForceReleaseRequest request, Duration lease) {
        Duration atLeast = lease.compareTo(SHORTEST_REQUEST) < 0 ? SHORTEST_REQUEST : lease;
        Duration ttl = atLeast.compareTo(LONGEST_REQUEST) > 0 ? LONGEST_REQUEST : atLeast;
        return present.requests().add(session, request, ttl).thenAccept(WriteOutcome::requireApplied);
    }

    private static void obey(Means present, UUID session, ForceReleaseRequest request) {
        present.algorithm()
                .forceRelease(
                        request.lockId(),
                        session,
                        request.attempt(),
                        new LockLoss(Reason.FORCE_RELEASED, "it was force-released at the request of " + request.by()));
    }

    private void lookLater() {
        nextLook.after(settings.interval()).thenRun(this::look);
    }

    /** A failed read is repeated at the next interval. */
    private void look() {
        if (nextLook.isClosed()) {
            return;
        }
        Operation.begin(this::requestsOfThisProcess).whenComplete((done, failure) -> {
            if (failure != null) {
                notRead.warn("This process could not read the requests to give up locks. It reads again in "
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
                .requestsTo(session)
                .thenAccept(asked -> asked.forEach(request -> obey(present, session, request)));
    }

    @Override
    public void close() {
        nextLook.close();
    }
}
