package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Rows of cells in one table. A row of the thesis is a partition; a cell is a clustering key without further columns. */
public final class CassandraCellStore implements CellStore {

    private final TableRequests requests;
    private final PreparedStatement write;
    private final PreparedStatement delete;
    private final PreparedStatement read;

    /** Prepares the statements; the table must exist. */
    public CassandraCellStore(CqlRequests cassandra, QualifiedTable table) {
        requests = cassandra.to(table);
        List<PreparedStatement> prepared = requests.prepare(
                requests.idempotent(
                        "INSERT INTO " + table.cql() + " (lock_id, cell) VALUES (?, ?) USING TIMESTAMP ? AND TTL ?"),
                requests.idempotent("DELETE FROM " + table.cql() + " USING TIMESTAMP ? WHERE lock_id = ? AND cell = ?"),
                requests.readOfManyRows(
                        "SELECT cell FROM " + table.cql() + " WHERE lock_id = ? AND cell >= ? LIMIT ?"));
        write = prepared.get(0);
        delete = prepared.get(1);
        read = prepared.get(2);
    }

    @Override
    public CompletionStage<WriteOutcome> write(String lockId, String cell, long timestamp, int ttlSeconds) {
        return requests.write(write.bind(requests.stored(lockId), cell, timestamp, ttlSeconds));
    }

    @Override
    public CompletionStage<WriteOutcome> delete(String lockId, String cell, long timestamp) {
        return requests.write(delete.bind(timestamp, requests.stored(lockId), cell));
    }

    @Override
    public CompletionStage<List<String>> read(String lockId, String fromCell, int limit) {
        return requests.readRows(read.bind(requests.stored(lockId), fromCell, limit), row -> row.getString("cell"));
    }
}
