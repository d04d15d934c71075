package io.github.cassandralock.internal.test;

import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionState;
import io.github.cassandralock.internal.store.SessionStore;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.StoredValue;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tables of slots and sessions in the memory of one process, used by its one session. Answers at once. Rows do not expire. A
 * lock without requests keeps only its last token and its value. Thread-safe.
 */
public final class InMemoryStore implements SlotStore, SessionStore {

    private final ConcurrentMap<String, Map<SlotId, Slot>> slots = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Long> lastTokens;
    private final ConcurrentMap<String, StoredValue> values = new ConcurrentHashMap<>();
    private final ConcurrentMap<UUID, SessionRow> sessions = new ConcurrentHashMap<>();

    /** Creates an empty store. */
    public InMemoryStore() {
        this(new ConcurrentHashMap<>());
    }

    private InMemoryStore(ConcurrentMap<String, Long> lastTokens) {
        this.lastTokens = lastTokens;
    }

    /** Returns an empty store that shares only the last tokens with this store, so that tokens continue to rise. */
    public InMemoryStore emptied() {
        return new InMemoryStore(lastTokens);
    }

    /** A session sends its writes to a row one by one, so they arrive in the order of their timestamps. */
    @Override
    public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
        if (slot.phase() == SlotPhase.IDLE) {
            return remove(lockId, slot.id()::equals);
        }
        slots.compute(lockId, (id, rows) -> {
            Map<SlotId, Slot> written = rows == null ? new ConcurrentSkipListMap<>() : rows;
            written.put(slot.id(), slot);
            return written;
        });
        return CompletableFuture.completedStage(WriteOutcome.APPLIED);
    }

    @Override
    public CompletionStage<LockSlots> read(String lockId) {
        Map<SlotId, Slot> rows = slots.getOrDefault(lockId, Map.of());
        Long token = lastTokens.get(lockId);
        return CompletableFuture.completedStage(new LockSlots(
                List.copyOf(rows.values()), token == null ? OptionalLong.empty() : OptionalLong.of(token)));
    }

    @Override
    public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
        lastTokens.merge(lockId, lastToken, Math::max);
        return CompletableFuture.completedStage(WriteOutcome.APPLIED);
    }

    @Override
    public CompletionStage<WriteOutcome> evict(String lockId, UUID session) {
        return remove(lockId, slot -> slot.session().equals(session));
    }

    @Override
    public CompletionStage<WriteOutcome> openValue(String lockId, long token) {
        values.merge(
                lockId,
                new StoredValue(new byte[0], 0, token),
                (known, opened) -> new StoredValue(known.bytes(), known.token(), Math.max(known.open(), token)));
        return CompletableFuture.completedStage(WriteOutcome.APPLIED);
    }

    @Override
    public CompletionStage<WriteOutcome> closeValue(String lockId, long token, byte[] bytes) {
        values.merge(
                lockId,
                new StoredValue(bytes, token, 0),
                (known, closed) ->
                        known.token() > token ? known : new StoredValue(closed.bytes(), closed.token(), known.open()));
        return CompletableFuture.completedStage(WriteOutcome.APPLIED);
    }

    @Override
    public CompletionStage<StoredValue> readValue(String lockId) {
        return CompletableFuture.completedStage(values.getOrDefault(lockId, StoredValue.NONE));
    }

    private CompletionStage<WriteOutcome> remove(String lockId, Predicate<SlotId> which) {
        slots.computeIfPresent(lockId, (id, rows) -> {
            rows.keySet().removeIf(which);
            return rows.isEmpty() ? null : rows;
        });
        return CompletableFuture.completedStage(WriteOutcome.APPLIED);
    }

    @Override
    public CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl) {
        return outcome(sessions.putIfAbsent(session, row));
    }

    @Override
    public CompletionStage<CasOutcome> renew(UUID session, Beat last, SessionRow row, Duration ttl) {
        return replace(session, last, row);
    }

    @Override
    public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
        SessionRow row = sessions.get(session);
        return row == null
                ? CompletableFuture.completedStage(new CasOutcome.Refused(Optional.empty()))
                : replace(
                        session,
                        last,
                        new SessionRow(
                                new SessionState(last, false),
                                row.lease(),
                                row.clockDrift(),
                                row.owner(),
                                row.contact()));
    }

    private CompletionStage<CasOutcome> replace(UUID session, Beat last, SessionRow next) {
        SessionRow row = sessions.get(session);
        return row != null && row.state().equals(new SessionState(last, true)) && sessions.replace(session, row, next)
                ? CompletableFuture.completedStage(CasOutcome.APPLIED)
                : CompletableFuture.completedStage(new CasOutcome.Refused(
                        Optional.ofNullable(sessions.get(session)).map(SessionRow::state)));
    }

    private static CompletionStage<CasOutcome> outcome(@Nullable SessionRow present) {
        return CompletableFuture.completedStage(
                present == null ? CasOutcome.APPLIED : new CasOutcome.Refused(Optional.of(present.state())));
    }

    @Override
    public CompletionStage<Optional<SessionRow>> read(UUID session) {
        return CompletableFuture.completedStage(Optional.ofNullable(sessions.get(session)));
    }
}
