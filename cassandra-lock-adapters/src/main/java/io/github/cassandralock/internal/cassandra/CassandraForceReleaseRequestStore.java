package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.internal.inspect.ForceReleaseRequest;
import io.github.cassandralock.internal.inspect.ForceReleaseRequestStore;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Requests to force-release locks: a partition per session, a row per lock and attempt. Rows are never deleted: they expire.
 * Statements are rare and not prepared, so the store can be created while Cassandra is down.
 */
public final class CassandraForceReleaseRequestStore implements ForceReleaseRequestStore {

    private final TableRequests requests;
    private final String ask;
    private final String read;

    public CassandraForceReleaseRequestStore(CqlRequests cassandra, QualifiedTable table) {
        requests = cassandra.to(table);
        ask = "INSERT INTO " + table.cql() + " (session, lock_id, attempt, asked_by) VALUES (?, ?, ?, ?)"
                + " USING TIMESTAMP ? AND TTL ?";
        read = "SELECT lock_id, attempt, asked_by FROM " + table.cql() + " WHERE session = ?";
    }

    @Override
    public CompletionStage<WriteOutcome> add(UUID session, ForceReleaseRequest request, Duration ttl) {
        return requests.write(requests.idempotent(
                ask,
                session,
                requests.stored(request.lockId()),
                request.attempt(),
                request.by(),
                requests.timestamp(),
                Math.toIntExact(ttl.toSeconds())));
    }

    @Override
    public CompletionStage<List<ForceReleaseRequest>> requestsTo(UUID session) {
        return requests.readRows(requests.readOfManyRows(read, session), this::request)
                .thenApply(
                        requests -> requests.stream().flatMap(Optional::stream).toList());
    }

    private Optional<ForceReleaseRequest> request(Row row) {
        return requests.lockId(Objects.requireNonNull(row.getString("lock_id")))
                .map(lockId -> new ForceReleaseRequest(
                        lockId,
                        row.getLong("attempt"),
                        Objects.requireNonNullElse(row.getString("asked_by"), "unknown")));
    }
}
