package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Passes a process's requests on and stores how far its present attempt has come. */
public final class SlotLog implements SlotStore {

    private static final long NEVER = Long.MAX_VALUE;

    private final SlotStore store;
    private final SimulatedTime time;
    private @Nullable Slot last;
    private long announcedAt = NEVER;
    private long ticketedAt = NEVER;
    private final Duration certain;
    private final Map<Long, Long> firstSentAt = new HashMap<>();
    private long confirmedAt;
    private boolean gone;
    private boolean hasWon;

    /** @param certain how long, at least, a process relies on a write after it was first sent */
    SlotLog(SlotStore store, SimulatedTime time, Duration certain) {
        this.certain = certain;
        this.store = store;
        this.time = time;
    }

    /** When W1 of the present attempt was first sent. */
    long announcedAt() {
        return announcedAt;
    }

    /** The algorithm granted the lock to a thread of the process: the present attempt waits no longer. */
    void won() {
        hasWon = true;
    }

    /** Whether the present attempt waits and had its ticket, known to a quorum and to its owner, before this instant. */
    boolean hadTicketBefore(long instant) {
        return last != null && !hasWon && hasTicket(last) && ticketedAt < instant;
    }

    private static boolean hasTicket(Slot slot) {
        return slot.phase() == SlotPhase.TICKETED || slot.phase() == SlotPhase.RETICKETED;
    }

    /** The row as it was written last. */
    @Nullable
    Slot last() {
        return last;
    }

    /** Whether the process has no reason to consider its slot expired. */
    boolean isConfirmed() {
        return !gone && time.now() - confirmedAt < certain.toNanos();
    }

    @Nullable
    UUID session() {
        return last == null ? null : last.session();
    }

    @Override
    public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
        if (last == null || last.attempt() != slot.attempt() || !last.session().equals(slot.session())) {
            announcedAt = time.now();
            ticketedAt = NEVER;
            hasWon = false;
            firstSentAt.clear();
            if (slot.phase() != SlotPhase.RETICKETED) {
                confirmedAt = time.now();
                gone = false;
            }
        }
        last = slot;
        firstSentAt.putIfAbsent(timestamp, time.now());
        long sentAt = firstSentAt.get(timestamp);
        return store.write(lockId, slot, timestamp, ttl).thenApply(outcome -> {
            if (outcome instanceof WriteOutcome.Applied && slot.equals(last)) {
                gone = !isConfirmed();
                confirmedAt = Math.max(confirmedAt, sentAt);
                if (hasTicket(slot) && ticketedAt == NEVER) {
                    ticketedAt = time.now();
                }
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
    public CompletionStage<WriteOutcome> evict(String lockId, UUID session) {
        return store.evict(lockId, session);
    }
}
