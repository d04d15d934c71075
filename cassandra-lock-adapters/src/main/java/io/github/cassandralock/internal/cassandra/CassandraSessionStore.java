package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.ByteUtils;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.Contact;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionState;
import io.github.cassandralock.internal.store.SessionStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sessions in a table, changed by lightweight transactions. The driver never repeats them ({@link TableRequests}). */
public final class CassandraSessionStore implements SessionStore {

    /** Sessions are opened without a check. */
    public static final Supplier<CompletionStage<Void>> UNCHECKED = () -> CompletableFuture.completedFuture(null);

    /** Any other state counts as alive, even if only a later version writes it: this is the safe choice. */
    static final String DEAD = "DEAD";

    /** The lease of a row without one: the longest that the configuration allows. */
    private static final Duration UNKNOWN_LEASE = Duration.ofHours(1);

    private static final double UNKNOWN_DRIFT = 0.25;
    private static final UUID NO_NONCE = new UUID(0, 0);

    private final TableRequests requests;
    private final Supplier<CompletionStage<Void>> beforeSession;
    private final PreparedStatement open;
    private final PreparedStatement renew;
    private final PreparedStatement declareDead;
    private final PreparedStatement read;
    private final PreparedStatement contact;
    private final Supplier<DriverExecutionProfile> profile;

    /**
     * Prepares the statements; the table must exist.
     *
     * @param beforeSession is called before a session is opened, which is not opened if this fails
     */
    public CassandraSessionStore(
            CqlRequests cassandra, QualifiedTable table, Supplier<CompletionStage<Void>> beforeSession) {
        this.beforeSession = beforeSession;
        requests = cassandra.to(table);
        profile = cassandra.port()::profile;
        List<PreparedStatement> prepared = requests.prepare(
                requests.conditional("INSERT INTO " + table.cql()
                        + " (session, beat, nonce, state, lease_ms, clock_drift, owner, address, secret)"
                        + " VALUES (?, ?, ?, 'ALIVE', ?, ?, ?, ?, ?) IF NOT EXISTS USING TTL ?"),
                requests.conditional("UPDATE " + table.cql()
                        + " USING TTL ? SET beat = ?, nonce = ?, state = 'ALIVE', lease_ms = ?, clock_drift = ?, owner = ?,"
                        + " address = ?, secret = ? WHERE session = ? IF beat = ? AND nonce = ? AND state = 'ALIVE'"),
                requests.conditional(
                        "UPDATE " + table.cql()
                                + " USING TTL ? SET state = 'DEAD', secret = null WHERE session = ? IF beat = ? AND nonce = ? AND state = 'ALIVE'"),
                requests.serialRead("SELECT beat, nonce, state, lease_ms, clock_drift, owner, address, secret FROM "
                        + table.cql() + " WHERE session = ?"),
                requests.idempotent("SELECT address, secret FROM " + table.cql() + " WHERE session = ?"));
        open = prepared.get(0);
        renew = prepared.get(1);
        declareDead = prepared.get(2);
        read = prepared.get(3);
        contact = prepared.get(4);
    }

    @Override
    public CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl) {
        Beat beat = row.state().beat();
        return beforeSession
                .get()
                .thenCompose(allowed -> compareAndSet(publishing(
                        row.contact(),
                        open.bind(
                                session,
                                beat.number(),
                                beat.nonce(),
                                milliseconds(row.lease()),
                                row.clockDrift(),
                                row.owner(),
                                null,
                                null,
                                seconds(ttl)))));
    }

    @Override
    public CompletionStage<CasOutcome> renew(UUID session, Beat last, SessionRow row, Duration ttl) {
        Beat beat = row.state().beat();
        return compareAndSet(publishing(
                row.contact(),
                renew.bind(
                        seconds(ttl),
                        beat.number(),
                        beat.nonce(),
                        milliseconds(row.lease()),
                        row.clockDrift(),
                        row.owner(),
                        null,
                        null,
                        session,
                        last.number(),
                        compared(last))));
    }

    /**
     * Columns that are not set cost nothing; null would leave tombstones. The driver's request logger never shows the values of a
     * statement with a secret, whatever the application has configured.
     */
    private BoundStatement publishing(Optional<Contact> contact, BoundStatement statement) {
        return contact.map(known -> statement
                        .setString("address", known.address())
                        .setByteBuffer("secret", ByteBuffer.wrap(known.secret()))
                        .setExecutionProfile(
                                profile.get().withBoolean(DefaultDriverOption.REQUEST_LOGGER_VALUES, false)))
                .orElseGet(() -> statement.unset("address").unset("secret"));
    }

    @Override
    public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
        return compareAndSet(declareDead.bind(seconds(ttl), session, last.number(), compared(last)));
    }

    @Override
    public CompletionStage<Optional<SessionRow>> read(UUID session) {
        return requests.read(read.bind(session), CassandraSessionStore::row);
    }

    /**
     * Reads where a session receives notices; empty if it receives none, or does not exist. Reads at the ordinary consistency
     * level, without a round of consensus. Completes exceptionally if the row could not be read.
     */
    public CompletionStage<Optional<Contact>> contact(UUID session) {
        return requests.read(
                contact.bind(session),
                result -> Optional.ofNullable(result.one()).flatMap(CassandraSessionStore::contact));
    }

    private CompletionStage<CasOutcome> compareAndSet(BoundStatement statement) {
        return requests.compareAndSet(statement, CassandraSessionStore::outcome, CasOutcome.Unknown::new);
    }

    private static CasOutcome outcome(AsyncResultSet result) {
        return result.wasApplied()
                ? CasOutcome.APPLIED
                : new CasOutcome.Refused(Optional.ofNullable(result.one()).flatMap(CassandraSessionStore::state));
    }

    private static Optional<SessionRow> row(AsyncResultSet result) {
        Row row = result.one();
        return row == null
                ? Optional.empty()
                : state(row).map(state -> new SessionRow(state, lease(row), drift(row), owner(row), contact(row)));
    }

    /** A rejected transaction returns the current values of the compared columns, or none if the row does not exist. */
    private static Optional<SessionState> state(Row row) {
        return !row.getColumnDefinitions().contains("state") || row.isNull("state")
                ? Optional.empty()
                : Optional.of(new SessionState(
                        new Beat(row.getLong("beat"), nonce(row)), !DEAD.equals(row.getString("state"))));
    }

    /** For a row without a nonce, the transaction requires that it has none. */
    private static @Nullable UUID compared(Beat last) {
        return last.nonce().equals(NO_NONCE) ? null : last.nonce();
    }

    private static UUID nonce(Row row) {
        UUID nonce = row.getUuid("nonce");
        return nonce == null ? NO_NONCE : nonce;
    }

    static Duration lease(Row row) {
        return row.isNull("lease_ms") ? UNKNOWN_LEASE : Duration.ofMillis(row.getLong("lease_ms"));
    }

    private static double drift(Row row) {
        return row.isNull("clock_drift") ? UNKNOWN_DRIFT : row.getDouble("clock_drift");
    }

    private static String owner(Row row) {
        String owner = row.getString("owner");
        return owner == null ? "unknown" : owner;
    }

    /** A session that has only one of the two, or a secret that is too short, receives no notices. */
    private static Optional<Contact> contact(Row row) {
        String address = row.getString("address");
        ByteBuffer secret = row.getByteBuffer("secret");
        return address == null || secret == null || !Contact.isPossible(address, secret.remaining())
                ? Optional.empty()
                : Optional.of(new Contact(address, ByteUtils.getArray(secret)));
    }

    private static int seconds(Duration ttl) {
        return Math.toIntExact(ttl.toSeconds());
    }

    /** Rounds up: other processes must not assume a shorter lease than the owner does. */
    private static long milliseconds(Duration lease) {
        return lease.plusNanos(999_999).toMillis();
    }
}
