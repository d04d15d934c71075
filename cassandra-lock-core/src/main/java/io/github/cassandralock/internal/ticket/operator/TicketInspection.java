package io.github.cassandralock.internal.ticket.operator;

import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.inspect.ProcessOwner;
import io.github.cassandralock.inspect.QueueEntry;
import io.github.cassandralock.inspect.QueueEntry.Place;
import io.github.cassandralock.inspect.SessionInfo;
import io.github.cassandralock.internal.inspect.InspectedSlots;
import io.github.cassandralock.internal.inspect.InspectionStore;
import io.github.cassandralock.internal.inspect.LockIds;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Shows ticket locks: one or two reads of the lock's slots, and one of the sessions.
 *
 * @param openSession the id of this process's session, if one is open
 */
public record TicketInspection(
        InspectionStore store,
        Supplier<Optional<UUID>> openSession,
        TicketSettings settings,
        Timers timers,
        Ticker ticker)
        implements LockInspection {

    /** Longer than W1, R1 and W2 take. */
    private static final Duration BETWEEN_READS = Duration.ofMillis(250);

    /** The largest number of parts of the table that one page reads. */
    private static final int MAX_PARTS = 10;

    /** After this time no further part is read. Callers wait for longer than this time and one more part together. */
    private static final Duration LONGEST_SEARCH = Duration.ofSeconds(3);

    @Override
    public CompletionStage<LockState> inspect(String lockId) {
        return store.slots(lockId)
                .thenCompose(first -> QueueView.needsSecondRead(first)
                        ? timers.after(BETWEEN_READS)
                                .thenCompose(pause -> store.slots(lockId))
                                .thenCompose(second -> state(lockId, first, second))
                        : state(lockId, first, first));
    }

    private CompletionStage<LockState> state(String lockId, InspectedSlots earlier, InspectedSlots now) {
        Map<Boolean, List<QueueView.Standing>> all = QueueView.of(earlier, now).stream()
                .collect(Collectors.partitioningBy(standing -> standing.place() == Place.HOLDER));
        List<QueueView.Standing> holding = all.getOrDefault(true, List.of());
        List<QueueView.Standing> waiting = all.getOrDefault(false, List.of());
        List<QueueView.Standing> shownHolding =
                holding.stream().limit(LockState.MAX_HOLDERS).toList();
        List<QueueView.Standing> shownWaiting =
                waiting.stream().limit(LockState.MAX_ENTRIES).toList();
        return sessionsOf(shownHolding, shownWaiting)
                .thenApply(sessions -> new LockState(
                        lockId,
                        "ticket",
                        entries(shownHolding, sessions),
                        holding.size(),
                        entries(shownWaiting, sessions),
                        waiting.size(),
                        now.lastToken(),
                        sessions,
                        Optional.empty()));
    }

    private CompletionStage<List<SessionInfo>> sessionsOf(
            List<QueueView.Standing> holding, List<QueueView.Standing> waiting) {
        List<UUID> ids = Stream.concat(holding.stream(), waiting.stream())
                .map(standing -> standing.row().slot().session())
                .distinct()
                .toList();
        return ids.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : store.sessions(ids).thenApply(this::markOwn);
    }

    private List<QueueEntry> entries(List<QueueView.Standing> standings, List<SessionInfo> sessions) {
        Map<UUID, SessionInfo> byId =
                sessions.stream().collect(Collectors.toMap(SessionInfo::id, Function.identity(), (one, other) -> one));
        return standings.stream()
                .map(standing -> entry(standing, byId.get(standing.row().slot().session())))
                .toList();
    }

    private QueueEntry entry(QueueView.Standing standing, @Nullable SessionInfo session) {
        Slot slot = standing.row().slot();
        return new QueueEntry(
                standing.place(),
                slot.mode(),
                session == null ? ProcessOwner.UNKNOWN : session.owner(),
                Optional.of(slot.session()),
                Optional.empty(),
                OptionalLong.of(slot.attempt()),
                slot.phase() == SlotPhase.CHOOSING ? OptionalLong.empty() : OptionalLong.of(slot.ticket()),
                standing.row().left().map(this::age),
                isOwn(slot.session()),
                slot.permits());
    }

    private Duration age(Duration left) {
        Duration age = settings.slotLife().minus(left);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** Parts without a lock to show are passed over. Most lock ids may be of free locks, or of other applications. */
    @Override
    public CompletionStage<LockPage> list(String idPrefix, String page) {
        return list(idPrefix, page, MAX_PARTS, ticker.nanos());
    }

    private CompletionStage<LockPage> list(String idPrefix, String part, int parts, long since) {
        return store.lockIds(part, LockPage.MAX_LOCKS)
                .thenCompose(
                        ids -> taken(ids, idPrefix).thenApply(locks -> new LockPage(locks, ids.next(), ids.unread())))
                .thenCompose(page -> page.next()
                        .filter(next -> page.locks().isEmpty() && page.unread().isEmpty())
                        .filter(next -> parts > 1 && ticker.nanos() - since < LONGEST_SEARCH.toNanos())
                        .map(next -> list(idPrefix, next, parts - 1, since).exceptionally(failure -> endBefore(next)))
                        .orElseGet(() -> CompletableFuture.completedFuture(page)));
    }

    /** The next page begins with the part that could not be read, and reports the failure if it persists. */
    private static LockPage endBefore(String part) {
        return new LockPage(List.of(), Optional.of(part), Optional.empty());
    }

    /** Reads all given locks at once, and returns those that are taken. */
    private CompletionStage<List<LockState>> taken(LockIds ids, String idPrefix) {
        List<CompletableFuture<LockState>> states = ids.lockIds().stream()
                .filter(lockId -> lockId.startsWith(idPrefix))
                .map(lockId -> inspect(lockId).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(states.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> states.stream()
                        .map(CompletableFuture::join)
                        .filter(state -> state.holderCount() + state.queueLength() > 0)
                        .toList());
    }

    @Override
    public CompletionStage<List<SessionInfo>> sessions() {
        return store.anySessions(MOST_SESSIONS).thenApply(this::markOwn);
    }

    private List<SessionInfo> markOwn(List<SessionInfo> sessions) {
        return sessions.stream()
                .map(session -> session.ofThisProcess(isOwn(session.id())))
                .toList();
    }

    private boolean isOwn(UUID session) {
        return openSession.get().filter(session::equals).isPresent();
    }

    @Override
    public Optional<UUID> ownSession() {
        return openSession.get();
    }
}
