package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store that answers at once unless the test has set another answer. It records requests. */
final class ScriptedStore extends InstantStore {

    final Set<UUID> writers = new LinkedHashSet<>();
    final List<UUID> opened = new ArrayList<>();
    CompletableFuture<CasOutcome> opening = CompletableFuture.completedFuture(CasOutcome.APPLIED);
    boolean reserves = true;
    long reserved;

    @Nullable
    CompletableFuture<WriteOutcome> reservation;

    @Nullable
    CompletableFuture<WriteOutcome> releasing;

    /** The answer to writes that do not release a slot. */
    @Nullable
    CompletableFuture<WriteOutcome> refreshing;

    List<Slot> others = List.of();
    final List<UUID> readSessions = new ArrayList<>();
    int sessionReads;
    int declaredDead;
    boolean showsOwnSlots = true;
    final List<Slot> written = new ArrayList<>();
    Consumer<Slot> beforeAWrite = slot -> {};
    Function<Slot, Optional<WriteOutcome>> answers = slot -> Optional.empty();

    ScriptedStore(SimulatedTime time) {
        super(time);
    }

    @Override
    public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
        writers.add(slot.session());
        written.add(slot);
        beforeAWrite.accept(slot);
        CompletableFuture<WriteOutcome> later = slot.phase() == SlotPhase.IDLE ? releasing : refreshing;
        if (later != null) {
            return later;
        }
        Optional<WriteOutcome> answer = answers.apply(slot);
        return answer.isPresent()
                ? CompletableFuture.completedFuture(answer.get())
                : super.write(lockId, slot, timestamp, ttl);
    }

    @Override
    public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
        reserved = lastToken;
        if (reservation != null) {
            return reservation;
        }
        return reserves
                ? super.reserve(lockId, lastToken)
                : CompletableFuture.completedFuture(new WriteOutcome.Unknown(new TimeoutException("no quorum")));
    }

    @Override
    public CompletionStage<LockSlots> read(String lockId) {
        OptionalLong last = reserved == 0 ? OptionalLong.empty() : OptionalLong.of(reserved);
        return super.read(lockId)
                .thenApply(read -> new LockSlots(
                        Stream.concat(others.stream(), showsOwnSlots ? read.slots().stream() : Stream.empty())
                                .toList(),
                        last));
    }

    @Override
    public CompletionStage<Optional<SessionRow>> read(UUID session) {
        readSessions.add(session);
        sessionReads++;
        return CompletableFuture.completedFuture(Optional.of(
                SessionRow.alive(new Beat(sessionReads, session), ScriptedStoreTest.LEASE, 0.05, "another process")));
    }

    @Override
    public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
        declaredDead++;
        return super.declareDead(session, last, ttl);
    }

    long written(SlotPhase phase) {
        return written.stream().filter(slot -> slot.phase() == phase).count();
    }

    @Override
    public CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl) {
        opened.add(session);
        return opening;
    }
}
