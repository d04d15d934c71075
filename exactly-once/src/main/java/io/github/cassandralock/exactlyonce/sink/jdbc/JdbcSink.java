package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.copy.UserCode;
import io.github.cassandralock.exactlyonce.copy.UserFailures;
import io.github.cassandralock.exactlyonce.jdbc.Database;
import io.github.cassandralock.exactlyonce.jdbc.LocalTransaction;
import io.github.cassandralock.exactlyonce.jdbc.LocalTransactions;
import io.github.cassandralock.exactlyonce.jdbc.NotConnectedException;
import io.github.cassandralock.exactlyonce.jdbc.SqlFailures;
import io.github.cassandralock.exactlyonce.jdbc.StatementConnection;
import io.github.cassandralock.exactlyonce.jdbc.TransactionConnection;
import io.github.cassandralock.exactlyonce.jdbc.TransactionSettings;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.queue.SequenceCheck;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.sink.SinkOrigin;
import io.github.cassandralock.exactlyonce.sink.SinkPosition;
import io.github.cassandralock.exactlyonce.sink.TransactionalSink;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A sink in PostgreSQL, or in H2 for first trials. Index and effect of a message are committed in one transaction at READ
 * COMMITTED (exactly once, section 4). Its first statement is {@code UPDATE … SET next_index = i + 1 WHERE name = ? AND
 * next_index = i}. It locks the row, so READ COMMITTED suffices. Of two copies at one index, the second waits, and then finds
 * another index.
 *
 * <p><b>The longest pause.</b> A copy that stands still within its transaction stops all others. PostgreSQL ends such a transaction
 * after {@code idleTimeout} (5 s by default), and a statement after {@code statementTimeout} (10 s). Copies stop waiting for the
 * lock after {@code lockTimeout} and try again. H2 has only its own time-out for locks.
 *
 * <p>The connections of the data source must take part in no transaction of the application. Thread-safe. Methods block until the
 * data source returns a connection, and for the time-outs of the settings for each statement. An interrupt ends a call before it
 * has a connection. A later one leaves the thread interrupted, and the call ends when the database answers.
 */
public final class JdbcSink implements TransactionalSink {

    private final DataSource source;
    private final LocalTransactions transactions;
    private final String name;
    private final SinkTables tables;
    private final JdbcEffect effect;

    /** A commit has ended without a clear answer. */
    private final AtomicBoolean unconfirmed = new AtomicBoolean();

    private JdbcSink(
            DataSource source, LocalTransactions transactions, String name, SinkTables tables, JdbcEffect effect) {
        this.source = source;
        this.transactions = transactions;
        this.name = name;
        this.tables = tables;
        this.effect = effect;
    }

    /**
     * Opens a sink whose tables exist. Does I/O and blocks until it is done.
     *
     * @param source belongs to the caller
     * @param name of the sink, equal in all copies; never used again for another sink
     * @param settings where positions are kept
     * @param effect what messages do
     * @return the sink
     * @throws IllegalArgumentException if the name is not allowed
     * @throws StoreUnfitException if the database is of another kind; if a table is missing; if the server may forget what it has
     *     acknowledged because of a setting
     * @throws RegisterUnavailableException if there is no connection, the database does not answer, or the thread was
     *     interrupted, and then stays so. Opening again may succeed
     */
    public static JdbcSink open(DataSource source, String name, JdbcSinkSettings settings, JdbcEffect effect) {
        Names.checked("sink", name);
        return new JdbcSink(
                source,
                transaction -> TransactionConnection.begin(source, transaction),
                name,
                SinkTables.open(source, settings),
                effect);
    }

    /**
     * This sink with effects in transactions that others begin, such as the transaction manager of a framework. What the
     * application does there by other means than {@link SinkTransaction#getConnection} is committed with the index as well.
     *
     * @param others of the same data source
     * @return another sink
     */
    public JdbcSink inTransactionsOf(LocalTransactions others) {
        return new JdbcSink(source, others, name, tables, effect);
    }

    /** The data source with which the sink was opened. */
    public DataSource getDataSource() {
        return source;
    }

    /**
     * Creates the tables of positions and outboxes if they do not exist. Adds columns that a table of an older version lacks. Does
     * I/O and blocks until it is done.
     *
     * @param source belongs to the caller
     * @param settings name the tables
     * @throws StoreUnfitException if the database is of another kind, or the user may not create or alter tables
     * @throws RegisterUnavailableException if there is no connection, the database does not answer, or the thread was
     *     interrupted, and then stays so. Creating again may succeed
     */
    public static void createTables(DataSource source, JdbcSinkSettings settings) {
        SinkTables.createIn(source, settings);
    }

    /** The statements by which {@link #createTables} creates the tables. */
    public static List<String> createStatements(Database database, JdbcSinkSettings settings) {
        return new SinkTables(database, settings).create();
    }

    @Override
    public Optional<SinkOrigin> readOrigin() throws InterruptedException {
        return onTable(
                "could not read its origin",
                connection -> connection.first(
                        tables.readOrigin(),
                        statement -> statement.setString(1, name),
                        row -> origin(row.getString(1))));
    }

    private static SinkOrigin origin(@Nullable String column) {
        return column == null ? SinkOrigin.ofOlderVersion() : SinkOrigin.ofText(column);
    }

    @Override
    public void begin(SinkOrigin origin, SinkPosition first) throws InterruptedException {
        onTable("could not make its position", connection -> {
            create(connection, origin, first);
            return connection.update(tables.setOrigin(), statement -> {
                statement.setString(1, origin.toText());
                statement.setString(2, name);
            });
        });
    }

    /** Another copy may have created it first. */
    private void create(StatementConnection connection, SinkOrigin origin, SinkPosition first) throws SQLException {
        try {
            connection.update(tables.createPosition(), statement -> {
                statement.setString(1, name);
                statement.setLong(2, first.index());
                statement.setBytes(3, first.check().toBytes());
                statement.setString(4, origin.toText());
            });
        } catch (SQLException e) {
            if (!SqlFailures.isConflict(e)) {
                throw e;
            }
        }
    }

    @Override
    public SinkPosition readPosition() throws InterruptedException {
        Optional<SinkPosition> present = onTable("could not read its position", connection -> {
            confirm(connection);
            return connection.first(
                    tables.readPosition(),
                    statement -> statement.setString(1, name),
                    row -> new SinkPosition(row.getLong(1), SequenceCheck.ofBytes(row.getBytes(2), row.getLong(1))));
        });
        return present.orElseThrow(() -> new RegisterRefusedException(
                "The row of the sink '" + name + "' in the table "
                        + tables.settings().table()
                        + " was deleted while it ran, and nobody may do that. Restore the row; or begin again with new names"
                        + " for the sink and its queue.",
                new IllegalStateException("no row")));
    }

    private <T> T onTable(String what, StatementConnection.Requests<T> requests) throws InterruptedException {
        return StatementConnection.send(
                source,
                tables.settings().statementTimeout(),
                requests,
                (meaning, cause) -> failed(what, meaning, cause));
    }

    @Override
    public boolean take(SinkPosition from, Message message, SinkPosition to) throws InterruptedException {
        try (LocalTransaction transaction = transactions.begin(transactionSettings())) {
            if (!hasTakenEffect(transaction, from, message, to)) {
                return false;
            }
            commit(transaction, message);
            return true;
        } catch (NotConnectedException e) {
            throw failed("has not taken " + message, FailureMeaning.NOT_APPLIED, e);
        }
    }

    private TransactionSettings transactionSettings() {
        JdbcSinkSettings settings = tables.settings();
        return new TransactionSettings(
                tables.database(), settings.lockTimeout(), settings.idleTimeout(), settings.statementTimeout(), false);
    }

    /** Until the commit is sent, it is certain that nothing was committed. */
    private boolean hasTakenEffect(LocalTransaction transaction, SinkPosition from, Message message, SinkPosition to) {
        try {
            OpenTransaction open = new OpenTransaction(transaction.getConnection(), tables, name);
            if (!open.move(from, to)) {
                return false;
            }
            makeEffect(transaction, open, message);
            open.countOutboxRows();
            requireKept(transaction);
            return true;
        } catch (SQLException e) {
            throw failed("has not taken " + message, SqlFailures.beforeCommit(e), e);
        }
    }

    /** Libraries wrap exceptions of drivers. Any other exception has nothing to do with the database: the effect failed. */
    private void makeEffect(LocalTransaction transaction, OpenTransaction open, Message message) {
        try {
            UserCode.call(() -> {
                effect.apply(open, message);
                transaction.flush();
                return message;
            });
        } catch (Throwable e) { // even a checked exception: Kotlin does not check them
            Optional<SQLException> refusal = SqlFailures.among(e);
            if (refusal.isPresent()) {
                throw failed("has not taken " + message, SqlFailures.beforeCommit(refusal.get()), e);
            }
            Throwable failure = UserFailures.describable(e);
            throw new RegisterUnavailableException(
                    "The effect of sink '" + name + "' failed for " + message + ": " + failure
                            + ". Nothing was committed, and it is tried again. If this goes on, correct the effect: the"
                            + " messages that follow wait for this message.",
                    failure);
        }
    }

    private void requireKept(LocalTransaction transaction) throws SQLException {
        if (!transaction.isKept(tables.database())) {
            throw new RegisterRefusedException(
                    "A statement of the effect of sink '" + name
                            + "', or of its session, has set synchronous_commit to off or local. A crash or a failover"
                            + " would forget what the sink has committed. Leave the setting as it is.",
                    new IllegalStateException("synchronous_commit is off or local"));
        }
    }

    private void commit(LocalTransaction transaction, Message message) {
        try {
            transaction.commit();
        } catch (SQLException e) {
            unconfirmed.set(true);
            throw failed("has not taken " + message, SqlFailures.ofStatement(e), e);
        }
    }

    /**
     * After a commit without a clear answer, the row may show what a failover would forget. If a later commit is acknowledged, the
     * standby has both.
     */
    private void confirm(StatementConnection connection) throws SQLException {
        if (unconfirmed.get()) {
            connection.update(tables.confirmPosition(), statement -> statement.setString(1, name));
            unconfirmed.set(false);
        }
    }

    private RuntimeException failed(String what, FailureMeaning meaning, Throwable e) {
        return switch (meaning) {
            case REFUSED ->
                new RegisterRefusedException(
                        "The sink '" + name + "' " + what + ": the database refuses: " + e.getMessage()
                                + ". Correct the effect, the tables or the permissions, and start the sink again.",
                        e);
            case NOT_APPLIED ->
                new RegisterUnavailableException(
                        "The sink '" + name + "' " + what + ": " + e.getMessage()
                                + ". Nothing was committed. Try again; if this goes on, check the database and its locks.",
                        e);
            case UNKNOWN ->
                new UnknownOutcomeException(
                        "It is unknown whether the sink '" + name + "' has committed. It reports that it " + what + ": "
                                + e.getMessage() + ". Read its position again.",
                        e);
        };
    }
}
