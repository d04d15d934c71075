package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionStore;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.StoredValue;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store for one process that answers at once. Of idle slots it stores only how long their rows would live, so that the store
 * itself needs little memory.
 */
public class InstantStore implements SlotStore, SessionStore {

    private final Map<String, Slot> slots = new ConcurrentHashMap<>();
    private final AtomicLong renewals = new AtomicLong();
    private final AtomicLong deletions = new AtomicLong();
    private final NavigableMap<Long, Integer> idleRowsByTheirEnd = new ConcurrentSkipListMap<>();
    private final SimulatedTime time;

    public InstantStore(SimulatedTime time) {
        this.time = time;
    }

    /** How many rows of slots there are, if each lives for as long as its last write said. */
    public int rows() {
        idleRowsByTheirEnd.headMap(time.now(), true).clear();
        return slots.size()
                + idleRowsByTheirEnd.values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
    }

    /** The lock's slot, unless it is idle. */
    public Optional<Slot> slot(String lockId) {
        return Optional.ofNullable(slots.get(lockId));
    }

    /** How many locks are held or waited for. */
    public int wanted() {
        return slots.size();
    }

    /** How many tombstones there are. */
    public long deletions() {
        return deletions.get();
    }

    /** How often sessions have been renewed. */
    public long renewals() {
        return renewals.get();
    }

    @Override
    public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
        if (slot.phase() == SlotPhase.IDLE) {
            slots.remove(lockId);
            idleRowsByTheirEnd.merge(time.now() + ttl.toNanos(), 1, Integer::sum);
        } else {
            slots.put(lockId, slot);
        }
        return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
    }

    @Override
    public CompletionStage<LockSlots> read(String lockId) {
        Slot slot = slots.get(lockId);
        return CompletableFuture.completedFuture(
                new LockSlots(slot == null ? List.of() : List.of(slot), OptionalLong.empty()));
    }

    @Override
    public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
        return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
    }

    @Override
    public CompletionStage<WriteOutcome> evict(String lockId, UUID session) {
        deletions.incrementAndGet();
        return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
    }

    @Override
    public CompletionStage<WriteOutcome> openValue(String lockId, long token) {
        return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
    }

    @Override
    public CompletionStage<WriteOutcome> closeValue(String lockId, long token, byte[] bytes) {
        return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
    }

    @Override
    public CompletionStage<StoredValue> readValue(String lockId) {
        return CompletableFuture.completedFuture(StoredValue.NONE);
    }

    @Override
    public CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl) {
        return CompletableFuture.completedFuture(CasOutcome.APPLIED);
    }

    @Override
    public CompletionStage<CasOutcome> renew(UUID session, Beat last, SessionRow row, Duration ttl) {
        renewals.incrementAndGet();
        return CompletableFuture.completedFuture(CasOutcome.APPLIED);
    }

    @Override
    public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
        return CompletableFuture.completedFuture(CasOutcome.APPLIED);
    }

    @Override
    public CompletionStage<Optional<SessionRow>> read(UUID session) {
        return CompletableFuture.completedFuture(Optional.empty());
    }
}
