package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.internal.store.PublishedWaits;
import io.github.cassandralock.internal.store.WaitStore;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Waits in a table: a row per session. A process sends one write in each interval. Nothing is prepared, so the application starts
 * even if the table cannot be used.
 */
public final class CassandraWaitStore implements WaitStore {

    private final TableRequests requests;
    private final String write;
    private final String remove;
    private final String read;

    public CassandraWaitStore(CqlRequests cassandra, QualifiedTable table) {
        requests = cassandra.to(table);
        write = "INSERT INTO " + table.cql()
                + " (session, seq, interval_ms, calls) VALUES (?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?";
        remove = "DELETE FROM " + table.cql() + " USING TIMESTAMP ? WHERE session = ?";
        read = "SELECT seq, interval_ms, calls FROM " + table.cql() + " WHERE session = ?";
    }

    @Override
    public CompletionStage<WriteOutcome> write(PublishedWaits row, long timestamp, Duration ttl) {
        return requests.write(requests.idempotent(
                write,
                row.session(),
                row.seq(),
                row.interval().toMillis(),
                WaitsCodec.encoded(row.waits()),
                timestamp,
                Math.toIntExact(ttl.toSeconds())));
    }

    @Override
    public CompletionStage<WriteOutcome> remove(UUID session, long timestamp) {
        return requests.write(requests.idempotent(remove, timestamp, session));
    }

    @Override
    public CompletionStage<Optional<PublishedWaits>> read(UUID session) {
        return requests.read(
                requests.idempotent(read, session),
                result -> Optional.ofNullable(result.one()).flatMap(row -> waits(session, row)));
    }

    private static Optional<PublishedWaits> waits(UUID session, Row row) {
        ByteBuffer calls = row.getByteBuffer("calls");
        return calls == null || row.isNull("seq")
                ? Optional.empty()
                : WaitsCodec.decoded(session, calls)
                        .map(waits -> new PublishedWaits(
                                session, row.getLong("seq"), Duration.ofMillis(row.getLong("interval_ms")), waits));
    }
}
