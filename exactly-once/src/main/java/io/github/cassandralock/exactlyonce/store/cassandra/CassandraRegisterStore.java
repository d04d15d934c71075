package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.data.ByteUtils;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.store.StoreFailures;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.internal.quorum.AnswerCheck;
import io.github.cassandralock.internal.quorum.LocalQuorum;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Registers in a table of Apache Cassandra (exactly once, section 6).
 *
 * <p>Each register is a partition. Paxos contends for a partition, so no register contends with another. The port reads one
 * register at a time, so a shared partition would save nothing.
 *
 * <p>Registers are written by lightweight transactions only, without a time to live and without timestamps of the client. Reads
 * are plain. They may miss a version that was accepted but not committed. The next transaction completes it and is refused with
 * it. All statements are not idempotent for the driver, so it sends none speculatively, and repeats one only after an {@code
 * UnavailableException}. The caller repeats.
 *
 * <p>Cassandra may forget an acknowledged write if one machine loses its power within {@code commitlog_sync_period} (10 s by
 * default) after it. The next quorum may not have the write. {@code commitlog_sync: batch} or {@code group} prevents this. A
 * replica that returns without its data has an equal effect.
 *
 * <p>Thread-safe. Methods block until Cassandra or the driver answers, for at most twice the time-out of the settings. They can
 * be interrupted. The session belongs to the caller and stays open.
 */
public final class CassandraRegisterStore implements RegisterStore {

    /** In multiples of the time-out. The driver may not end a request at its time-out. */
    private static final int LATEST_ANSWER = 2;

    private static final String REMEDY =
            "Or use the consistency levels QUORUM and SERIAL for registers, in all processes.";

    private final CqlSession session;
    private final CassandraStoreSettings settings;
    private final StoreFailures failures;
    private final AnswerCheck answers;
    private final PreparedStatement read;
    private final PreparedStatement create;
    private final PreparedStatement replace;

    private CassandraRegisterStore(CqlSession session, CassandraStoreSettings settings, LocalQuorum local) {
        String table = settings.qualifiedTable();
        this.answers = new AnswerCheck(table, local);
        this.session = session;
        this.settings = settings;
        this.failures = new StoreFailures(
                "the table " + table + " of Cassandra",
                "The user needs the permissions SELECT and MODIFY on the table, and the table must be as '"
                        + createStatement(settings) + "' creates it.");
        this.read = session.prepare(plain("SELECT version, process, counter, value FROM " + table + " WHERE name = ?"));
        this.create = session.prepare(conditional("INSERT INTO " + table
                + " (name, version, process, counter, value) VALUES (?, 1, ?, ?, ?) IF NOT EXISTS"));
        // A refusal shows only the columns of the condition, so the condition names all of them. None is ever null.
        this.replace = session.prepare(conditional("UPDATE " + table
                + " SET version = ?, process = ?, counter = ?, value = ? WHERE name = ?"
                + " IF version = ? AND process != null AND counter != null AND value != null"));
    }

    /**
     * Opens the registers of an existing table. Does I/O and blocks until it is done. If some nodes have the table and others do
     * not yet, waits up to 30 seconds for them.
     *
     * @param session belongs to the caller
     * @param settings where the registers are
     * @return the store
     * @throws StoreUnfitException if the keyspace or the table is missing, has another shape or makes registers expire; if the
     *     user lacks permissions; if the driver may send requests at a local consistency level to several data centres
     * @throws RegisterUnavailableException if Cassandra does not answer, or if a node still has no table: opening again may succeed
     */
    public static CassandraRegisterStore open(CqlSession session, CassandraStoreSettings settings) {
        try {
            LocalQuorum local = LocalQuorum.of(settings.readConsistency().level(), REMEDY, session);
            new RegisterTable(session, settings).requireFit();
            return new CassandraRegisterStore(session, settings, local);
        } catch (ExplainedException e) {
            throw new StoreUnfitException(e.getMessage() + " " + e.action(), e);
        } catch (DriverException e) {
            throw RegisterTable.unusable(settings, e);
        }
    }

    /**
     * Creates the table if it does not exist, and waits until the nodes agree on the schema. Does I/O and blocks until it is done.
     * Does not check an existing table; {@link #open} does.
     *
     * @param session belongs to the caller
     * @param settings name the table; its keyspace must exist
     * @throws StoreUnfitException if Cassandra refuses, for example without permission or keyspace
     * @throws RegisterUnavailableException if Cassandra does not answer: creating again may succeed
     */
    public static void createTable(CqlSession session, CassandraStoreSettings settings) {
        try {
            new RegisterTable(session, settings).create();
        } catch (DriverException e) {
            throw RegisterTable.unusable(settings, e);
        }
    }

    /** The statement by which {@link #createTable} creates the table. */
    public static String createStatement(CassandraStoreSettings settings) {
        return RegisterTable.createStatement(settings);
    }

    private SimpleStatement plain(String cql) {
        return SimpleStatement.newInstance(cql)
                .setIdempotent(false)
                .setConsistencyLevel(settings.readConsistency().level())
                .setTimeout(settings.timeout());
    }

    private SimpleStatement conditional(String cql) {
        return plain(cql).setSerialConsistencyLevel(settings.serialConsistency().level());
    }

    @Override
    public StoredValue read(String name) throws InterruptedException {
        RegisterLimits.requireName(name);
        try {
            return stored(name, send(read.bind(name)).one());
        } catch (ExecutionException e) {
            throw failures.ofRead(name, meaning(cause(e)), cause(e));
        }
    }

    @Override
    public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException {
        RegisterLimits.requireRequest(name, expected, value);
        ByteBuffer bytes = ByteBuffer.wrap(value.clone());
        BoundStatement statement = expected == 0
                ? create.bind(name, writeId.process(), writeId.counter(), bytes)
                : replace.bind(expected + 1, writeId.process(), writeId.counter(), bytes, name, expected);
        try {
            AsyncResultSet answer = send(statement);
            return answer.wasApplied()
                    ? new CompareAndSetAnswer.Applied()
                    : new CompareAndSetAnswer.Refused(stored(name, answer.one()));
        } catch (ExecutionException e) {
            throw failures.ofCompareAndSet(name, meaning(cause(e)), cause(e));
        }
    }

    /** Fails with the driver's exception. After an interrupt the request continues. */
    private AsyncResultSet send(BoundStatement statement) throws InterruptedException, ExecutionException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CompletableFuture<AsyncResultSet> answer =
                answerTo(statement).thenApply(result -> answers.requireQuorum(statement, result));
        try {
            return answer.get(settings.timeout().toMillis() * LATEST_ANSWER, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | CancellationException e) {
            throw new ExecutionException(e);
        }
    }

    /** A closed session throws at once. */
    private CompletableFuture<AsyncResultSet> answerTo(BoundStatement statement) {
        try {
            return session.executeAsync(statement).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static Throwable cause(ExecutionException e) {
        return Objects.requireNonNullElse(e.getCause(), e);
    }

    /** The driver throws an exception of the JDK if the session is closed. Nothing was sent then. */
    private FailureMeaning meaning(Throwable failure) {
        return failure instanceof IllegalStateException && session.isClosed()
                ? FailureMeaning.REFUSED
                : CassandraFailures.of(failure);
    }

    /** This class wrote no row that lacks a column. */
    private StoredValue stored(String name, @Nullable Row row) {
        if (row == null || !row.getColumnDefinitions().contains("version") || row.isNull("version")) {
            return StoredValue.neverWritten();
        }
        if (row.isNull("process") || row.isNull("counter") || row.isNull("value")) {
            throw new RegisterRefusedException(
                    "The register '" + name + "' in " + failures.place()
                            + " has a version, but no write id or no value. Something else than this store has written"
                            + " to the table, or its cells have expired. "
                            + failures.advice(),
                    new IllegalStateException(row.getFormattedContents()));
        }
        return StoredValue.of(
                row.getLong("version"),
                new WriteId(Objects.requireNonNull(row.getUuid("process")), row.getLong("counter")),
                ByteUtils.getArray(Objects.requireNonNull(row.getByteBuffer("value"))));
    }
}
