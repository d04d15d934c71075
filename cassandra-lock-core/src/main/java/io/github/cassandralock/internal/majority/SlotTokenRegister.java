package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Keeps tokens where the ticket lock keeps them, in {@code last_token}. Their lock ids contain the incarnation, and no
 * application can request them. Therefore a late write that was meant for an earlier incarnation is never read.
 *
 * @param slots of one cluster
 */
public record SlotTokenRegister(SlotStore slots) implements TokenRegister {

    /** Lock ids of applications contain no control characters. */
    private static final char SEPARATOR = '\u0001';

    @Override
    public CompletionStage<OptionalLong> read(String lockId, UUID incarnation) {
        return slots.read(key(lockId, incarnation)).thenApply(LockSlots::lastToken);
    }

    @Override
    public CompletionStage<Void> raise(String lockId, UUID incarnation, long token) {
        return slots.reserve(key(lockId, incarnation), token).thenAccept(WriteOutcome::requireApplied);
    }

    private static String key(String lockId, UUID incarnation) {
        return lockId + SEPARATOR + incarnation;
    }
}
