package io.github.cassandralock.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.spi.CasOutcome;
import io.github.cassandralock.spi.SessionRow;
import io.github.cassandralock.spi.SessionStore;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Sessions in a table, changed by lightweight transactions. The driver never repeats one: see {@link CqlRequests}. */
public final class CassandraSessionStore implements SessionStore {

    private static final String ALIVE = "ALIVE";

    private final CqlRequests requests;
    private final PreparedStatement open;
    private final PreparedStatement renew;
    private final PreparedStatement declareDead;
    private final PreparedStatement read;

    /** Prepares the statements; the table must exist. */
    public CassandraSessionStore(CqlRequests requests, QualifiedTable table) {
        this.requests = requests;
        open = requests.prepareConditional("INSERT INTO " + table.cql()
                + " (session, beat, state, owner) VALUES (?, 0, 'ALIVE', ?) IF NOT EXISTS USING TTL ?");
        renew = requests.prepareConditional("UPDATE " + table.cql()
                + " USING TTL ? SET beat = ?, state = 'ALIVE', owner = ? WHERE session = ?"
                + " IF beat = ? AND state = 'ALIVE'");
        declareDead = requests.prepareConditional("UPDATE " + table.cql()
                + " USING TTL ? SET state = 'DEAD' WHERE session = ? IF beat = ? AND state = 'ALIVE'");
        read = requests.prepareSerialRead("SELECT beat, state FROM " + table.cql() + " WHERE session = ?");
    }

    @Override
    public CompletionStage<CasOutcome> open(UUID session, String owner, Duration ttl) {
        return compareAndSet(open.bind(session, owner, seconds(ttl)));
    }

    @Override
    public CompletionStage<CasOutcome> renew(UUID session, long beat, String owner, Duration ttl) {
        return compareAndSet(renew.bind(seconds(ttl), beat + 1, owner, session, beat));
    }

    @Override
    public CompletionStage<CasOutcome> declareDead(UUID session, long beat, Duration ttl) {
        return compareAndSet(declareDead.bind(seconds(ttl), session, beat));
    }

    @Override
    public CompletionStage<Optional<SessionRow>> read(UUID session) {
        return requests.query(read.bind(session)).thenApply(CassandraSessionStore::row);
    }

    private CompletionStage<CasOutcome> compareAndSet(BoundStatement statement) {
        return requests.query(statement).handle(CassandraSessionStore::outcome);
    }

    private static CasOutcome outcome(@Nullable AsyncResultSet result, @Nullable Throwable failure) {
        if (result == null) {
            return new CasOutcome.Unknown(failure == null ? new IllegalStateException("no answer") : failure);
        }
        return result.wasApplied() ? CasOutcome.APPLIED : new CasOutcome.Refused(row(result));
    }

    /** A refusal brings what was compared, or nothing at all if there is no such row. */
    private static Optional<SessionRow> row(AsyncResultSet result) {
        Row row = result.one();
        return row == null || !row.getColumnDefinitions().contains("state") || row.isNull("state")
                ? Optional.empty()
                : Optional.of(new SessionRow(row.getLong("beat"), ALIVE.equals(row.getString("state"))));
    }

    private static int seconds(Duration ttl) {
        return Math.toIntExact(ttl.toSeconds());
    }
}
