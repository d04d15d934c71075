package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.store.PublishedWaits;
import io.github.cassandralock.internal.store.WaitStore;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The table of waits on three replicas. Nothing is repaired. */
public final class SimulatedWaits {

    static final String TABLE = "waits";

    private static final int REPLICAS = 3;

    /**
     * @param row null: a deletion
     * @param isOld whether the row has a format that newer versions cannot read
     */
    private record Version(long timestamp, @Nullable PublishedWaits row, long expiresAt, boolean isOld) {

        Version newer(Version other) {
            return timestamp >= other.timestamp ? this : other;
        }
    }

    private final SimulatedTime time;
    private final SimulatedQuorum<Map<UUID, Version>> replicas;
    private final Set<SimulatedProcess> older = new HashSet<>();
    private long operations;

    public SimulatedWaits(SimulatedTime time, SimulatedNetwork network) {
        this.time = time;
        List<Map<UUID, Version>> states = new ArrayList<>();
        for (int replica = 0; replica < REPLICAS; replica++) {
            states.add(new HashMap<>());
        }
        replicas = new SimulatedQuorum<>(network, TABLE, states);
    }

    /** From now on, the process writes and reads another format than others. */
    void useAnOlderFormat(SimulatedProcess client) {
        older.add(client);
    }

    /** How many operations clients have sent. */
    public long operations() {
        return operations;
    }

    /** The table, as a client process sees it. */
    public WaitStore seenBy(SimulatedProcess client) {
        return new WaitStore() {
            @Override
            public CompletionStage<WriteOutcome> write(PublishedWaits row, long timestamp, Duration ttl) {
                return apply(
                        client,
                        row.session(),
                        new Version(timestamp, row, time.now() + ttl.toNanos(), older.contains(client)));
            }

            @Override
            public CompletionStage<WriteOutcome> remove(UUID session, long timestamp) {
                return apply(client, session, new Version(timestamp, null, Long.MAX_VALUE, false));
            }

            @Override
            public CompletionStage<Optional<PublishedWaits>> read(UUID session) {
                return row(client, session);
            }
        };
    }

    private CompletionStage<WriteOutcome> apply(SimulatedProcess client, UUID session, Version version) {
        operations++;
        CompletableFuture<WriteOutcome> outcome = new CompletableFuture<>();
        replicas.ask(
                client,
                SimulatedQuorum.QUORUM,
                replica -> replica.merge(session, version, Version::newer),
                answers -> outcome.complete(WriteOutcome.APPLIED),
                () -> outcome.complete(new WriteOutcome.Unknown(new TimeoutException("no quorum in time"))));
        return outcome;
    }

    private CompletionStage<Optional<PublishedWaits>> row(SimulatedProcess client, UUID session) {
        operations++;
        CompletableFuture<Optional<PublishedWaits>> result = new CompletableFuture<>();
        replicas.ask(
                client,
                SimulatedQuorum.QUORUM,
                replica -> Optional.ofNullable(replica.get(session)),
                answers -> result.complete(answers.stream()
                        .flatMap(Optional::stream)
                        .reduce(Version::newer)
                        .filter(version -> time.now() < version.expiresAt())
                        .filter(version -> version.isOld() == older.contains(client))
                        .map(Version::row)),
                () -> result.completeExceptionally(new TimeoutException("no quorum in time")));
        return result;
    }
}
