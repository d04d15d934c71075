package io.github.cassandralock.ticket;

import io.github.cassandralock.spi.SlotStore;
import io.github.cassandralock.spi.WriteOutcome;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Removes the slot of a session that is known to be dead (protocol, section 4).
 *
 * <p>The partition is read after the death is known: whatever tokens the dead one showed, it had reserved before, so the
 * read sees them, and the deletion carries them on.
 */
record Eviction(SlotStore store, String lockId) {

    /** Completes exceptionally if the slot could not be read or its deletion was not acknowledged. */
    CompletionStage<Void> of(UUID dead, OptionalLong carry) {
        return store.read(lockId).thenCompose(read -> {
            if (read.slots().stream().noneMatch(slot -> slot.session().equals(dead))) {
                return CompletableFuture.completedFuture(null);
            }
            Carry carried = new Carry();
            carried.raise(carry);
            carried.raise(read.lastToken());
            return store.evict(lockId, dead, carried.value()).thenAccept(WriteOutcome::requireApplied);
        });
    }
}
