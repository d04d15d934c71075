package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.thesis.time.GlobalTimeStore;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** The cell GlobalTime in a table of its own. */
public final class CassandraGlobalTimeStore implements GlobalTimeStore {

    private static final String CELL = "GlobalTime";

    private final TableRequests requests;
    private final PreparedStatement read;
    private final PreparedStatement write;

    /** Prepares the statements; the table must exist. */
    public CassandraGlobalTimeStore(CqlRequests cassandra, QualifiedTable table) {
        requests = cassandra.to(table);
        List<PreparedStatement> prepared = requests.prepare(
                requests.idempotent("SELECT micros FROM " + table.cql() + " WHERE name = ?"),
                requests.idempotent("INSERT INTO " + table.cql() + " (name, micros) VALUES (?, ?) USING TIMESTAMP ?"));
        read = prepared.get(0);
        write = prepared.get(1);
    }

    @Override
    public CompletionStage<OptionalLong> read() {
        return requests.read(read.bind(CELL), result -> {
            Row row = result.one();
            return row == null || row.isNull("micros") ? OptionalLong.empty() : OptionalLong.of(row.getLong("micros"));
        });
    }

    @Override
    public CompletionStage<WriteOutcome> write(long micros) {
        return requests.write(write.bind(CELL, micros, micros));
    }
}
