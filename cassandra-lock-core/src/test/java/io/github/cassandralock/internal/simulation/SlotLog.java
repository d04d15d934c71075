package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.StoredValue;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Passes a process's requests on and stores how far the present attempt with each of its slots has come. */
public final class SlotLog implements SlotStore {

    private static final long NEVER = Long.MAX_VALUE;

    private final SlotStore store;
    private final SimulatedTime time;
    private final ValueChecker values;
    private final Duration certain;
    private final Map<Integer, Use> uses = new TreeMap<>();
    private final Map<LockMode, Long> placesLostAt = new EnumMap<>(LockMode.class);

    /** The present attempt with one slot. */
    final class Use {

        private @Nullable Slot last;
        private long announcedAt = NEVER;
        private long ticketedAt = NEVER;
        private final Map<Long, Long> firstSentAt = new HashMap<>();
        private long confirmedAt;
        private boolean gone;
        private boolean hasWon;

        /** When W1 was first sent. */
        long announcedAt() {
            return announcedAt;
        }

        /** Whether it waits, and had its ticket, known to a quorum and to its owner, before this instant. */
        boolean hadTicketBefore(long instant) {
            return last != null && !hasWon && hasTicket(last) && ticketedAt < instant;
        }

        /** The row as it was written last. */
        Slot last() {
            return Objects.requireNonNull(last, "nothing has been written");
        }

        /** Whether the process has no reason to consider its slot expired. */
        boolean isConfirmed() {
            return !gone && time.now() - confirmedAt < certain.toNanos();
        }

        private long writes(Slot slot, long timestamp) {
            if (last == null || !last.id().equals(slot.id()) || last.attempt() != slot.attempt()) {
                noteLostPlace(slot.phase() != SlotPhase.RETICKETED
                        && last != null
                        && last.session().equals(slot.session()));
                begins(slot);
            }
            noteLostPlace(slot.phase() == SlotPhase.IDLE);
            noteNewTicket(slot);
            last = slot;
            firstSentAt.putIfAbsent(timestamp, time.now());
            return firstSentAt.get(timestamp);
        }

        private void noteLostPlace(boolean over) {
            if (over && last != null && !hasWon && last.phase() != SlotPhase.IDLE) {
                placesLostAt.put(last.mode(), time.now());
            }
        }

        /** It gives way to a conversion, and goes behind all others. */
        private void noteNewTicket(Slot slot) {
            if (last != null && hasTicket(last) && hasTicket(slot) && last.ticket() != slot.ticket() && !hasWon) {
                ticketedAt = NEVER;
                placesLostAt.put(slot.mode(), time.now());
            }
        }

        private void begins(Slot slot) {
            announcedAt = time.now();
            ticketedAt = NEVER;
            hasWon = false;
            firstSentAt.clear();
            if (slot.phase() != SlotPhase.RETICKETED) {
                confirmedAt = time.now();
                gone = false;
            }
        }

        private void acknowledged(Slot slot, long sentAt) {
            if (slot.equals(last)) {
                gone = !isConfirmed();
                confirmedAt = Math.max(confirmedAt, sentAt);
                if (hasTicket(slot) && ticketedAt == NEVER) {
                    ticketedAt = time.now();
                }
            }
        }
    }

    /** @param certain how long, at least, a process relies on a write after it was first sent */
    SlotLog(SlotStore store, SimulatedTime time, Duration certain, ValueChecker values) {
        this.values = values;
        this.certain = certain;
        this.store = store;
        this.time = time;
    }

    private static boolean hasTicket(Slot slot) {
        return slot.phase() == SlotPhase.TICKETED || slot.phase() == SlotPhase.RETICKETED;
    }

    /** The algorithm granted the lock to a thread of the process by this attempt, which waits no longer. */
    void won(Slot slot) {
        use(slot).hasWon = true;
    }

    /**
     * Whether an attempt in this mode has ended after this instant without the lock, although its session lives, or ends as its slot
     * may have expired. Those that waited with it may have to begin again.
     */
    boolean hasLostAPlace(LockMode mode, long instant) {
        return placesLostAt.getOrDefault(mode, -1L) >= instant
                || uses().anyMatch(use -> use.last().mode() == mode && !use.isConfirmed());
    }

    /** The present attempt with the slot that this row names. */
    Use use(Slot slot) {
        return use(slot.id().number());
    }

    private Use use(int number) {
        return uses.computeIfAbsent(number, none -> new Use());
    }

    /** How many slots the process has had at the same time, at most. */
    public int slots() {
        return uses.size();
    }

    /** All slots to which the process has written. */
    Stream<Use> uses() {
        return uses.values().stream().filter(use -> use.last != null);
    }

    @Override
    public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
        Use use = use(slot);
        long sentAt = use.writes(slot, timestamp);
        return store.write(lockId, slot, timestamp, ttl).thenApply(outcome -> {
            if (outcome instanceof WriteOutcome.Applied) {
                use.acknowledged(slot, sentAt);
            }
            return outcome;
        });
    }

    @Override
    public CompletionStage<LockSlots> read(String lockId) {
        return store.read(lockId);
    }

    @Override
    public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
        return store.reserve(lockId, lastToken);
    }

    @Override
    public CompletionStage<WriteOutcome> openValue(String lockId, long token) {
        values.sentOpen(token);
        return store.openValue(lockId, token);
    }

    @Override
    public CompletionStage<WriteOutcome> closeValue(String lockId, long token, byte[] bytes) {
        return store.closeValue(lockId, token, bytes).thenApply(outcome -> {
            if (outcome instanceof WriteOutcome.Applied) {
                values.acknowledgedClose(token);
            }
            return outcome;
        });
    }

    @Override
    public CompletionStage<StoredValue> readValue(String lockId) {
        return store.readValue(lockId);
    }

    @Override
    public CompletionStage<WriteOutcome> evict(String lockId, UUID session) {
        return store.evict(lockId, session);
    }
}
