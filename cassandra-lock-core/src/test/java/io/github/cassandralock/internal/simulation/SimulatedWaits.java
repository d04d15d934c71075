package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitRow;
import io.github.cassandralock.internal.store.WaitStore;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The table of waits on three replicas. Nothing is repaired. */
public final class SimulatedWaits {

    static final String TABLE = "waits";

    private static final int REPLICAS = 3;

    /** @param row null: a deletion */
    private record Version(long timestamp, @Nullable WaitRow row, long expiresAt) {

        Version newer(Version other) {
            return timestamp >= other.timestamp ? this : other;
        }
    }

    private final SimulatedTime time;
    private final SimulatedQuorum<Map<UUID, TreeMap<Long, Version>>> replicas;
    private long operations;

    public SimulatedWaits(SimulatedTime time, SimulatedNetwork network) {
        this.time = time;
        List<Map<UUID, TreeMap<Long, Version>>> states = new ArrayList<>();
        for (int replica = 0; replica < REPLICAS; replica++) {
            states.add(new HashMap<>());
        }
        replicas = new SimulatedQuorum<>(network, TABLE, states);
    }

    /** How many operations clients have sent. */
    public long operations() {
        return operations;
    }

    /** The table, as a client process sees it. */
    public WaitStore seenBy(SimulatedProcess client) {
        return new WaitStore() {
            @Override
            public CompletionStage<WriteOutcome> write(WaitRow row, long timestamp, Duration ttl) {
                return apply(client, row.id(), new Version(timestamp, row, time.now() + ttl.toNanos()));
            }

            @Override
            public CompletionStage<WriteOutcome> remove(WaitId id, long timestamp) {
                return apply(client, id, new Version(timestamp, null, Long.MAX_VALUE));
            }

            @Override
            public CompletionStage<List<WaitRow>> read(UUID session) {
                return rows(client, session);
            }
        };
    }

    private CompletionStage<WriteOutcome> apply(SimulatedProcess client, WaitId id, Version version) {
        operations++;
        CompletableFuture<WriteOutcome> outcome = new CompletableFuture<>();
        replicas.ask(
                client,
                SimulatedQuorum.QUORUM,
                replica -> replica.computeIfAbsent(id.session(), session -> new TreeMap<>())
                        .merge(id.number(), version, Version::newer),
                answers -> outcome.complete(WriteOutcome.APPLIED),
                () -> outcome.complete(new WriteOutcome.Unknown(new TimeoutException("no quorum in time"))));
        return outcome;
    }

    private CompletionStage<List<WaitRow>> rows(SimulatedProcess client, UUID session) {
        operations++;
        CompletableFuture<List<WaitRow>> result = new CompletableFuture<>();
        replicas.ask(
                client,
                SimulatedQuorum.QUORUM,
                replica -> new TreeMap<>(replica.getOrDefault(session, new TreeMap<>())),
                answers -> {
                    TreeMap<Long, Version> merged = new TreeMap<>();
                    answers.forEach(answer ->
                            answer.forEach((number, version) -> merged.merge(number, version, Version::newer)));
                    result.complete(alive(merged));
                },
                () -> result.completeExceptionally(new TimeoutException("no quorum in time")));
        return result;
    }

    private List<WaitRow> alive(Map<Long, Version> versions) {
        List<WaitRow> rows = new ArrayList<>();
        versions.values().forEach(version -> {
            if (version.row() != null && time.now() < version.expiresAt()) {
                rows.add(version.row());
            }
        });
        return rows;
    }
}
