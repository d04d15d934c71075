package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.DeadSession;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.text.DurationText;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the slot of a session that is known to be dead (protocol, section 4).
 *
 * <p>The partition is read after the death is known: whatever tokens the dead one showed, it had reserved before, so the
 * read sees them, and the deletion carries them on.
 */
record Eviction(SlotStore store, String lockId) {

    private static final Logger log = LoggerFactory.getLogger(Eviction.class);

    /**
     * Completes with the lock's other slots, as they were read before; exceptionally if they could not be read or the
     * deletion was not acknowledged.
     */
    CompletionStage<List<Slot>> of(DeadSession dead, OptionalLong carry) {
        return Operation.begin(() -> store.read(lockId)).thenCompose(read -> {
            Map<Boolean, List<Slot>> slots = read.slots().stream()
                    .collect(Collectors.partitioningBy(slot -> slot.session().equals(dead.id())));
            List<Slot> left = slots.getOrDefault(true, List.of());
            List<Slot> others = slots.getOrDefault(false, List.of());
            if (left.isEmpty()) {
                return CompletableFuture.completedFuture(others);
            }
            Carry carried = new Carry();
            carried.raise(carry);
            carried.raise(read.lastToken());
            return store.evict(lockId, dead.id(), carried.value())
                    .thenAccept(WriteOutcome::requireApplied)
                    .thenApply(done -> {
                        tell(left.get(0), dead);
                        return others;
                    });
        });
    }

    private void tell(Slot left, DeadSession dead) {
        if (left.phase() != SlotPhase.IDLE) {
            log.info(
                    "Lock '{}' no longer waits for {} (session {}), which held it or was queued for it and was declared dead"
                            + " {} after its last renewal that was seen here",
                    lockId,
                    dead.owner(),
                    dead.id(),
                    DurationText.of(dead.silent()));
        }
    }
}
