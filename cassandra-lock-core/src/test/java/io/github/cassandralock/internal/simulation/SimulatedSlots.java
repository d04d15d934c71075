package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.ModeCode;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.StoredValue;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The slots' table on three replicas. A read merges two answers cell by cell. Nothing is repaired.
 */
public final class SimulatedSlots {

    static final String TABLE = "slots";

    private static final int REPLICAS = 3;
    private static final long EVICTION = 1L << 62;
    private static final Duration LAST_TOKEN_LIFE = Duration.ofDays(7);
    private static final int ATTEMPT = 0;
    private static final int PHASE = 1;
    private static final int MODE = 2;
    private static final int TICKET = 3;
    private static final int BASE = 4;
    private static final int CELLS = 5;

    /**
     * One lock on one replica; slots and sessions are kept in order, so that a seed decides everything. The cells of a row are
     * replaced and never changed, because replicas and answers share them.
     */
    private static final class Partition {

        private final TreeMap<SlotId, @Nullable SimulatedCell[]> rows;
        private final TreeMap<UUID, SimulatedCell> evictions;
        private @Nullable SimulatedCell lastToken;
        private @Nullable SimulatedCell value;
        private @Nullable SimulatedCell valueToken;
        private @Nullable SimulatedCell valueOpen;

        /** Whether an answer is on its way that shows it as it is: a write then changes a copy. */
        private boolean shown;

        Partition() {
            rows = new TreeMap<>();
            evictions = new TreeMap<>();
        }

        private Partition(Partition other) {
            rows = new TreeMap<>(other.rows);
            evictions = new TreeMap<>(other.evictions);
            lastToken = other.lastToken;
            value = other.value;
            valueToken = other.valueToken;
            valueOpen = other.valueOpen;
        }

        void merge(Partition other) {
            other.rows.forEach(this::merge);
            other.evictions.forEach(this::evict);
            raise(other.lastToken);
            open(other.valueOpen);
            close(other.value, other.valueToken);
        }

        void merge(SlotId slot, @Nullable SimulatedCell[] cells) {
            rows.merge(slot, cells, Partition::newer);
        }

        private static @Nullable SimulatedCell[] newer(@Nullable SimulatedCell[] own, @Nullable SimulatedCell[] other) {
            if (own == other) {
                return own;
            }
            @Nullable SimulatedCell[] merged = new SimulatedCell[CELLS];
            for (int cell = 0; cell < CELLS; cell++) {
                merged[cell] = SimulatedCell.newer(own[cell], other[cell]);
            }
            return merged;
        }

        /** Deletes all slots of a session that were written with lower timestamps, also those that arrive later. */
        void evict(UUID session, SimulatedCell deletion) {
            evictions.put(session, deletion);
        }

        void raise(@Nullable SimulatedCell token) {
            lastToken = SimulatedCell.newer(lastToken, token);
        }

        void open(@Nullable SimulatedCell open) {
            valueOpen = SimulatedCell.newer(valueOpen, open);
        }

        void close(@Nullable SimulatedCell bytes, @Nullable SimulatedCell token) {
            value = SimulatedCell.newer(value, bytes);
            valueToken = SimulatedCell.newer(valueToken, token);
        }

        StoredValue storedValue() {
            return new StoredValue(
                    SimulatedValue.bytes(value == null ? 0 : value.value()),
                    valueToken == null ? 0 : valueToken.value(),
                    valueOpen == null ? 0 : valueOpen.value());
        }

        Partition copy() {
            return new Partition(this);
        }

        LockSlots alive(long now) {
            List<Slot> slots = new ArrayList<>();
            rows.forEach((id, cells) -> {
                if (isAlive(id, cells[PHASE], now)) {
                    slots.add(new Slot(
                            id,
                            value(cells[ATTEMPT], now),
                            SlotPhase.of((byte) value(cells[PHASE], now)),
                            ModeCode.mode((byte) value(cells[MODE], now)),
                            value(cells[TICKET], now),
                            (int) value(cells[BASE], now),
                            ModeCode.permits((byte) value(cells[MODE], now))));
                }
            });
            return new LockSlots(
                    slots,
                    lastToken != null && lastToken.isAlive(now)
                            ? OptionalLong.of(lastToken.value())
                            : OptionalLong.empty());
        }

        private boolean isAlive(SlotId slot, @Nullable SimulatedCell cell, long now) {
            SimulatedCell left = SimulatedCell.newer(cell, evictions.get(slot.session()));
            return left != null && left.isAlive(now);
        }

        private static long value(@Nullable SimulatedCell cell, long now) {
            return cell != null && cell.isAlive(now) ? cell.value() : 0;
        }
    }

    private final SimulatedTime time;
    private final SimulatedQuorum<Map<String, Partition>> replicas;
    private final List<Map<String, Partition>> states = new ArrayList<>();
    private final RandomGenerator random;
    private final Duration clocksApart;
    private final List<Map<Long, Map<String, Partition>>> before = new ArrayList<>();
    private final Set<SimulatedProcess> older = new HashSet<>();
    private boolean remembering;
    private long operations;

    /** @param random decides through which replica each operation goes: its clock says when things expire */
    public SimulatedSlots(SimulatedTime time, SimulatedNetwork network, RandomGenerator random, Duration clocksApart) {
        this.time = time;
        this.random = random;
        this.clocksApart = clocksApart;
        for (int replica = 0; replica < REPLICAS; replica++) {
            states.add(new HashMap<>());
            before.add(new LinkedHashMap<>());
        }
        replicas = new SimulatedQuorum<>(network, TABLE, states);
    }

    /** All replicas forget everything. What is on its way arrives nevertheless. */
    void empty() {
        states.forEach(Map::clear);
    }

    /** How many operations clients have sent. */
    public long operations() {
        return operations;
    }

    /** From now on replicas remember what they held before each write, so that they can forget it. */
    void remember() {
        remembering = true;
    }

    /** A replica loses its power, and with it all that was written to it within this time, acknowledged or not. */
    void forget(int replica, Duration lost) {
        Map<String, Partition> state = states.get(replica);
        before.get(replica).entrySet().stream()
                .filter(entry -> entry.getKey() >= time.now() - lost.toNanos())
                .findFirst()
                .ifPresent(earliest -> {
                    state.clear();
                    state.putAll(earliest.getValue());
                });
    }

    private void remember(Map<String, Partition> state) {
        Map<String, Partition> copy = new HashMap<>();
        state.forEach((lockId, partition) -> copy.put(lockId, partition.copy()));
        for (int replica = 0; replica < REPLICAS; replica++) {
            if (states.get(replica) == state) {
                before.get(replica).putIfAbsent(time.now(), copy);
            }
        }
    }

    /** What is there once everything that was written anywhere is known everywhere. */
    public LockSlots everything(String lockId) {
        Partition all = new Partition();
        states.forEach(state -> all.merge(partition(state, lockId)));
        return all.alive(time.now());
    }

    private long coordinatorsTime() {
        return time.now() + clocksApart.toNanos() * random.nextInt(REPLICAS) / REPLICAS;
    }

    private static Partition partition(Map<String, Partition> replica, String lockId) {
        return replica.computeIfAbsent(lockId, id -> new Partition());
    }

    private static Partition toShow(Map<String, Partition> replica, String lockId) {
        Partition partition = partition(replica, lockId);
        partition.shown = true;
        return partition;
    }

    private static Partition toChange(Map<String, Partition> replica, String lockId) {
        Partition partition = partition(replica, lockId);
        if (partition.shown) {
            partition = partition.copy();
            replica.put(lockId, partition);
        }
        return partition;
    }

    /** From now on, the process reads the slots as a version without permits does. */
    void showWithoutPermits(SimulatedProcess client) {
        older.add(client);
    }

    boolean isShownWithoutPermits(SimulatedProcess client) {
        return older.contains(client);
    }

    private static LockSlots withoutPermits(LockSlots read) {
        return new LockSlots(
                read.slots().stream()
                        .map(slot -> new Slot(
                                slot.id(), slot.attempt(), slot.phase(), slot.mode(), slot.ticket(), slot.base()))
                        .toList(),
                read.lastToken());
    }

    /** The table, as a client process sees it. */
    public SlotStore seenBy(SimulatedProcess client) {
        return new SlotStore() {
            @Override
            public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
                long expiresAt = coordinatorsTime() + ttl.toNanos();
                SimulatedCell[] cells = new SimulatedCell[CELLS];
                cells[ATTEMPT] = new SimulatedCell(timestamp, false, expiresAt, slot.attempt());
                cells[PHASE] = new SimulatedCell(
                        timestamp, false, expiresAt, slot.phase().code());
                cells[MODE] = new SimulatedCell(timestamp, false, expiresAt, ModeCode.of(slot));
                cells[TICKET] = new SimulatedCell(timestamp, false, expiresAt, slot.ticket());
                cells[BASE] = new SimulatedCell(timestamp, false, expiresAt, slot.base());
                return apply(lockId, partition -> partition.merge(slot.id(), cells));
            }

            @Override
            public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
                SimulatedCell token =
                        new SimulatedCell(lastToken, false, time.now() + LAST_TOKEN_LIFE.toNanos(), lastToken);
                return apply(lockId, partition -> partition.raise(token));
            }

            @Override
            public CompletionStage<WriteOutcome> openValue(String lockId, long token) {
                SimulatedCell open = new SimulatedCell(token, false, Long.MAX_VALUE, token);
                return apply(lockId, partition -> partition.open(open));
            }

            @Override
            public CompletionStage<WriteOutcome> closeValue(String lockId, long token, byte[] bytes) {
                SimulatedCell value = new SimulatedCell(token, false, Long.MAX_VALUE, SimulatedValue.number(bytes));
                SimulatedCell valueToken = new SimulatedCell(token, false, Long.MAX_VALUE, token);
                return apply(lockId, partition -> partition.close(value, valueToken));
            }

            @Override
            public CompletionStage<StoredValue> readValue(String lockId) {
                return read(lockId, Partition::storedValue);
            }

            @Override
            public CompletionStage<WriteOutcome> evict(String lockId, UUID session) {
                SimulatedCell deletion = new SimulatedCell(EVICTION, true, Long.MAX_VALUE, 0);
                return apply(lockId, partition -> partition.evict(session, deletion));
            }

            private CompletionStage<WriteOutcome> apply(String lockId, Consumer<Partition> change) {
                operations++;
                CompletableFuture<WriteOutcome> outcome = new CompletableFuture<>();
                replicas.ask(
                        client,
                        SimulatedQuorum.QUORUM,
                        replica -> {
                            if (remembering) {
                                remember(replica);
                            }
                            change.accept(toChange(replica, lockId));
                            return true;
                        },
                        answers -> outcome.complete(WriteOutcome.APPLIED),
                        () -> outcome.complete(new WriteOutcome.Unknown(new TimeoutException("no quorum in time"))));
                return outcome;
            }

            @Override
            public CompletionStage<LockSlots> read(String lockId) {
                long now = coordinatorsTime();
                return read(lockId, partition -> partition.alive(now))
                        .thenApply(read -> older.contains(client) ? withoutPermits(read) : read);
            }

            private <T> CompletionStage<T> read(String lockId, Function<Partition, T> shown) {
                operations++;
                CompletableFuture<T> result = new CompletableFuture<>();
                replicas.ask(
                        client,
                        SimulatedQuorum.QUORUM,
                        replica -> toShow(replica, lockId),
                        answers -> {
                            Partition merged = answers.get(0).copy();
                            answers.forEach(merged::merge);
                            result.complete(shown.apply(merged));
                        },
                        () -> result.completeExceptionally(new TimeoutException("no quorum in time")));
                return result;
            }
        };
    }
}
