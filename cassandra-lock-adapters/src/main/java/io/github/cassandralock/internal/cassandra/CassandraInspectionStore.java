package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.inspect.ProcessOwner;
import io.github.cassandralock.inspect.SessionInfo;
import io.github.cassandralock.internal.inspect.InspectedSlot;
import io.github.cassandralock.internal.inspect.InspectedSlots;
import io.github.cassandralock.internal.inspect.InspectionStore;
import io.github.cassandralock.internal.inspect.LockIds;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Reads slots and sessions for people, with the remaining time to live of rows. Statements are rare and not prepared, so the store
 * can be created while Cassandra is down.
 */
public final class CassandraInspectionStore implements InspectionStore {

    private final TableRequests slots;
    private final TableRequests sessions;
    private final Function<Duration, Duration> sessionLife;
    private final String readSlots;
    private final String readSessions;
    private final LockIdScan scan;

    /** @param sessionLife the time to live of a session's row, for the lease of its owner */
    public CassandraInspectionStore(
            CqlRequests cassandra,
            QualifiedTable slots,
            QualifiedTable sessions,
            Function<Duration, Duration> sessionLife) {
        this.slots = cassandra.to(slots);
        this.sessions = cassandra.to(sessions);
        this.sessionLife = sessionLife;
        this.readSlots = "SELECT " + CassandraSlotStore.COLUMNS + ", TTL(phase) AS ttl_left FROM " + slots.cql()
                + " WHERE lock_id = ?";
        this.readSessions =
                "SELECT session, beat, state, lease_ms, owner, address, TTL(beat) AS ttl_left FROM " + sessions.cql();
        this.scan = new LockIdScan(slots.cql(), this.slots);
    }

    @Override
    public CompletionStage<InspectedSlots> slots(String lockId) {
        return slots.read(
                slots.readOfManyRows(readSlots, slots.stored(lockId)),
                result -> CassandraSlotStore.slots(
                        result,
                        (session, row) -> new InspectedSlot(CassandraSlotStore.slot(session, row), left(row)),
                        InspectedSlots::new));
    }

    @Override
    public CompletionStage<LockIds> lockIds(String part, int most) {
        return scan.lockIds(part, most);
    }

    private static Optional<Duration> left(Row row) {
        return row.isNull("ttl_left") ? Optional.empty() : Optional.of(Duration.ofSeconds(row.getInt("ttl_left")));
    }

    @Override
    public CompletionStage<List<SessionInfo>> sessions(Collection<UUID> ids) {
        return sessions(sessions.readOfManyRows(readSessions + " WHERE session IN ?", List.copyOf(ids)));
    }

    @Override
    public CompletionStage<List<SessionInfo>> anySessions(int most) {
        return sessions(sessions.readOfManyRows(readSessions + " LIMIT ?", most));
    }

    private CompletionStage<List<SessionInfo>> sessions(SimpleStatement statement) {
        return sessions.readRows(statement, this::session)
                .thenApply(all -> all.stream()
                        .filter(session -> !session.id().equals(BirthRow.ID))
                        .toList());
    }

    private SessionInfo session(Row row) {
        Duration lease = CassandraSessionStore.lease(row);
        String owner = row.getString("owner");
        return new SessionInfo(
                Objects.requireNonNull(row.getUuid("session")),
                owner == null ? ProcessOwner.UNKNOWN : ProcessOwner.ofSession(owner),
                !CassandraSessionStore.DEAD.equals(row.getString("state")),
                row.getLong("beat"),
                lease,
                left(row).map(left -> sinceWritten(lease, left)),
                Optional.ofNullable(row.getString("address")),
                false);
    }

    private Duration sinceWritten(Duration lease, Duration left) {
        Duration since = sessionLife.apply(lease).minus(left);
        return since.isNegative() ? Duration.ZERO : since;
    }
}
