package io.github.cassandralock.internal.threads;

import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;

/**
 * Applies each request at once, and answers on its own threads, as a driver does. Some writes have an unknown outcome. Stores
 * last tokens.
 */
final class AnsweringLaterStore extends InstantStore {

    private static final double SHARE_UNKNOWN = 0.01;

    private final Executor driver;
    private final Map<String, Long> lastTokens = new ConcurrentHashMap<>();

    AnsweringLaterStore(Executor driver) {
        super(new SimulatedTime());
        this.driver = driver;
    }

    @Override
    public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
        CompletionStage<WriteOutcome> written = super.write(lockId, slot, timestamp, ttl);
        boolean unknown =
                slot.phase() == SlotPhase.IDLE && ThreadLocalRandom.current().nextDouble() < SHARE_UNKNOWN;
        return unknown
                ? later(CompletableFuture.completedFuture(new WriteOutcome.Unknown(new TimeoutException("no answer"))))
                : later(written);
    }

    @Override
    public CompletionStage<LockSlots> read(String lockId) {
        Long token = lastTokens.get(lockId);
        return later(super.read(lockId)
                .thenApply(read ->
                        new LockSlots(read.slots(), token == null ? OptionalLong.empty() : OptionalLong.of(token))));
    }

    @Override
    public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
        lastTokens.merge(lockId, lastToken, Math::max);
        return later(super.reserve(lockId, lastToken));
    }

    private <T> CompletionStage<T> later(CompletionStage<T> answer) {
        return answer.thenApplyAsync(value -> value, driver);
    }
}
