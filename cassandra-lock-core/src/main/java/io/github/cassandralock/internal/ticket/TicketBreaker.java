package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.inspect.BreakOutcome;
import io.github.cassandralock.internal.inspect.BreakRequest;
import io.github.cassandralock.internal.inspect.BreakRequestStore;
import io.github.cassandralock.internal.inspect.LockBreaker;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.inspect.LockState;
import io.github.cassandralock.internal.inspect.QueueEntry;
import io.github.cassandralock.internal.inspect.SessionInfo;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Breaks locks by force (protocol, section 11): asks the process of a holder to give the lock up, and does what other processes
 * ask of this one. {@link #close()} ends that.
 */
public final class TicketBreaker implements LockBreaker, AutoCloseable {

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
    public CompletionStage<BreakOutcome> breakLock(String lockId, String by) {
        return Operation.begin(() -> {
            Means present = means.get()
                    .orElseThrow(() -> new IllegalStateException(
                            "the locks of this application have not been able to use Cassandra since its start"));
            return present.inspection().inspect(lockId).thenCompose(state -> breakHolder(present, lockId, state, by));
        });
    }

    private CompletionStage<BreakOutcome> breakHolder(Means present, String lockId, LockState state, String by) {
        Optional<QueueEntry> holder = state.holder();
        if (holder.isEmpty()) {
            return CompletableFuture.completedFuture(new BreakOutcome.NotHeld());
        }
        UUID session = holder.get().session().orElseThrow();
        BreakRequest request = new BreakRequest(lockId, holder.get().attempt().orElseThrow(), by);
        log.warn(
                "Lock '{}' is to be broken by force, asked for by {}: its holder is {} (session {})",
                lockId,
                by,
                holder.get().owner().text(),
                session);
        if (holder.get().ofThisProcess()) {
            obey(present, session, request);
            return CompletableFuture.completedFuture(new BreakOutcome.Broken(holder.get()));
        }
        return ask(present, session, request, lease(state, session))
                .thenApply(asked -> new BreakOutcome.Requested(
                        holder.get(), lease(state, session).dividedBy(3)));
    }

    /** If the holder's session has no row, it is as good as dead: the lock gets free without its help. */
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
                        "it was broken by force, asked for by " + request.by());
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
