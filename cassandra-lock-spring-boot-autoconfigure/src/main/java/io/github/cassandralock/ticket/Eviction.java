package io.github.cassandralock.ticket;

import io.github.cassandralock.session.DeadSession;
import io.github.cassandralock.spi.Slot;
import io.github.cassandralock.spi.SlotPhase;
import io.github.cassandralock.spi.SlotStore;
import io.github.cassandralock.spi.WriteOutcome;
import io.github.cassandralock.steps.Operation;
import io.github.cassandralock.text.DurationText;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

    /** Completes exceptionally if the slot could not be read or its deletion was not acknowledged. */
    CompletionStage<Void> of(DeadSession dead, OptionalLong carry) {
        return Operation.begin(() -> store.read(lockId)).thenCompose(read -> {
            Optional<Slot> left = read.slots().stream()
                    .filter(slot -> slot.session().equals(dead.id()))
                    .findFirst();
            if (left.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            Carry carried = new Carry();
            carried.raise(carry);
            carried.raise(read.lastToken());
            return store.evict(lockId, dead.id(), carried.value())
                    .thenAccept(WriteOutcome::requireApplied)
                    .thenRun(() -> tell(left.get(), dead));
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
