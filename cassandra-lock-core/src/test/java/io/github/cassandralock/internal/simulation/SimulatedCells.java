package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.internal.thesis.time.GlobalTimeStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/**
 * Three replicas of rows of cells, read and written by majority as Cassandra does it: a write goes to all and is
 * acknowledged by two; a read merges the first two answers cell by cell, the higher timestamp winning, on a tie the
 * deletion. A write that was given up by its client may be applied all the same, at once or later.
 */
public final class SimulatedCells {

    static final String TABLE = "cells";

    private static final int REPLICAS = 3;

    private final SimulatedTime time;
    private final SimulatedQuorum<Map<String, SortedMap<String, SimulatedCell>>> replicas;
    private long operations;

    public SimulatedCells(SimulatedTime time, SimulatedNetwork network) {
        this.time = time;
        List<Map<String, SortedMap<String, SimulatedCell>>> maps = new ArrayList<>();
        for (int replica = 0; replica < REPLICAS; replica++) {
            maps.add(new TreeMap<>());
        }
        replicas = new SimulatedQuorum<>(network, TABLE, maps);
    }

    /** How many operations clients have sent. */
    public long operations() {
        return operations;
    }

    /** The rows of one table, as a client process sees them. */
    public CellStore table(String table, SimulatedProcess client) {
        return new CellStore() {
            @Override
            public CompletionStage<WriteOutcome> write(String lockId, String cell, long timestamp, int ttlSeconds) {
                long expiresAt = time.now() + ttlSeconds * 1_000_000_000L;
                return apply(client, table + "/" + lockId, cell, new SimulatedCell(timestamp, false, expiresAt, 0));
            }

            @Override
            public CompletionStage<WriteOutcome> delete(String lockId, String cell, long timestamp) {
                return apply(client, table + "/" + lockId, cell, new SimulatedCell(timestamp, true, Long.MAX_VALUE, 0));
            }

            @Override
            public CompletionStage<List<String>> read(String lockId, String fromCell, int limit) {
                return merged(client, table + "/" + lockId)
                        .thenApply(cells -> cells.tailMap(fromCell).entrySet().stream()
                                .filter(cell -> cell.getValue().isAlive(time.now()))
                                .limit(limit)
                                .map(Map.Entry::getKey)
                                .toList());
            }
        };
    }

    /** The time service's cell, as a client process sees it. */
    public GlobalTimeStore globalTime(SimulatedProcess client) {
        return new GlobalTimeStore() {
            @Override
            public CompletionStage<OptionalLong> read() {
                return merged(client, "GlobalTime")
                        .thenApply(cells -> cells.values().stream()
                                .mapToLong(SimulatedCell::value)
                                .findFirst());
            }

            @Override
            public CompletionStage<WriteOutcome> write(long micros) {
                return apply(client, "GlobalTime", "cell", new SimulatedCell(micros, false, Long.MAX_VALUE, micros));
            }
        };
    }

    private CompletionStage<WriteOutcome> apply(
            SimulatedProcess client, String row, String cell, SimulatedCell version) {
        CompletableFuture<WriteOutcome> outcome = new CompletableFuture<>();
        operations++;
        replicas.ask(
                client,
                SimulatedQuorum.QUORUM,
                replica -> replica.computeIfAbsent(row, name -> new TreeMap<>())
                        .merge(cell, version, (a, b) -> Objects.requireNonNull(SimulatedCell.newer(a, b))),
                answers -> outcome.complete(WriteOutcome.APPLIED),
                () -> outcome.complete(new WriteOutcome.Unknown(new TimeoutException("no quorum in time"))));
        return outcome;
    }

    private CompletionStage<SortedMap<String, SimulatedCell>> merged(SimulatedProcess client, String row) {
        CompletableFuture<SortedMap<String, SimulatedCell>> result = new CompletableFuture<>();
        operations++;
        replicas.ask(
                client,
                SimulatedQuorum.QUORUM,
                replica -> new TreeMap<>(replica.getOrDefault(row, new TreeMap<>())),
                answers -> {
                    SortedMap<String, SimulatedCell> merged = new TreeMap<>();
                    answers.forEach(answer -> answer.forEach((cell, version) ->
                            merged.merge(cell, version, (a, b) -> Objects.requireNonNull(SimulatedCell.newer(a, b)))));
                    result.complete(merged);
                },
                () -> result.completeExceptionally(new TimeoutException("no quorum in time")));
        return result;
    }
}
