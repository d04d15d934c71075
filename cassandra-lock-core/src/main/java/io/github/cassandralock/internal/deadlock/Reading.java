package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitRow;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Reads waits and locks, each of them once. Used by one task at a time, which waits for what it has asked for. */
final class Reading {

    private final DeadlockContext context;
    private final Map<UUID, CompletableFuture<List<WaitRow>>> sessions = new HashMap<>();
    private final Map<String, CompletableFuture<LockSlots>> locks = new HashMap<>();

    Reading(DeadlockContext context) {
        this.context = context;
    }

    CompletableFuture<LockSlots> lock(String lockId) {
        return locks.computeIfAbsent(lockId, id -> begin(() -> context.slots().read(id)));
    }

    private static <T> CompletableFuture<T> begin(Supplier<CompletionStage<T>> read) {
        return Operation.begin(read).toCompletableFuture();
    }

    private CompletableFuture<List<WaitRow>> session(UUID session) {
        return sessions.computeIfAbsent(
                session, id -> begin(() -> context.waits().read(id)));
    }

    /** Completes with what these sessions have published. */
    CompletableFuture<Map<WaitId, WaitRow>> waitsOf(Collection<UUID> ids) {
        List<CompletableFuture<List<WaitRow>>> reads =
                Set.copyOf(ids).stream().sorted().map(this::session).toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> reads.stream()
                        .flatMap(read -> read.join().stream())
                        .collect(Collectors.toMap(WaitRow::id, row -> row, (one, same) -> one)));
    }
}
