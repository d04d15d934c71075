package io.github.cassandralock.exactlyonce.store.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.Database;
import io.github.cassandralock.exactlyonce.jdbc.DatabaseSetup;
import io.github.cassandralock.exactlyonce.jdbc.NotConnectedException;
import io.github.cassandralock.exactlyonce.jdbc.SqlFailures;
import io.github.cassandralock.exactlyonce.jdbc.StatementConnection;
import io.github.cassandralock.exactlyonce.jdbc.TableCreation;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.store.StoreFailures;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Registers in a table of PostgreSQL, or of H2 for first trials (exactly once, section 6).
 *
 * <p>Each statement is a transaction of its own (autocommit), so the isolation level of the data source does not matter. A
 * compare-and-set is one {@code UPDATE … WHERE version = ?}, or one {@code INSERT} for a register that nobody has written. If the
 * statement changes no row, or fails to be serialized (40001), a later {@code SELECT} shows the present version.
 *
 * <p>PostgreSQL forgets nothing on one server with {@code fsync} on and {@code synchronous_commit} not off, which is checked. A
 * failover to a standby that replicates asynchronously forgets what the standby had not received. H2 forgets up to half a second of
 * writes when the process ends, and everything if it is in memory.
 *
 * <p>The connections of the data source must take part in no transaction of the application. A transaction-aware proxy is not
 * suitable. All requests must reach the primary server. A plain read may be old. But a pool that sends the {@code SELECT} after a
 * refusal to a standby breaks the port.
 *
 * <p>Thread-safe. Methods block until the data source returns a connection. Then each statement takes at most the time-out of the
 * settings and 2 s. A read sends one statement, a compare-and-set one to four. JDBC drivers cannot be interrupted while they wait
 * for an answer. An interrupt ends the call before or while the data source waits for a connection. After a later interrupt, the
 * answer is returned, and the thread stays interrupted.
 */
public final class JdbcRegisterStore implements RegisterStore {

    private final DataSource source;
    private final JdbcStoreSettings settings;
    private final RegisterStatements statements;
    private final StoreFailures failures;

    private JdbcRegisterStore(DataSource source, JdbcStoreSettings settings, RegisterStatements statements) {
        this.source = source;
        this.settings = settings;
        this.statements = statements;
        this.failures = new StoreFailures(
                "the table " + settings.table() + " of " + statements.database(),
                "The user needs SELECT, INSERT and UPDATE on the table, and the table must be as '"
                        + statements.createTable() + "' creates it.");
    }

    /**
     * Opens the registers of an existing table. Does I/O and blocks until it is done.
     *
     * @param source belongs to the caller
     * @param settings where the registers are
     * @return the store
     * @throws StoreUnfitException if the database is of another kind; if the table is missing or has another shape; if the server
     *     may forget what it has acknowledged because of a setting
     * @throws RegisterUnavailableException if there is no connection, the database does not answer, or the thread was
     *     interrupted, and then stays so. Opening again may succeed
     */
    public static JdbcRegisterStore open(DataSource source, JdbcStoreSettings settings) {
        return setup(source, settings).run((connection, database) -> {
            RegisterStatements statements = new RegisterStatements(database, settings.table());
            new RegisterTable(connection, statements).requireFit();
            return new JdbcRegisterStore(source, settings, statements);
        });
    }

    /**
     * Creates the table if it does not exist. Does I/O and blocks until it is done. Does not check an existing table; {@link #open}
     * does.
     *
     * @param source belongs to the caller
     * @param settings name the table
     * @throws StoreUnfitException if the database is of another kind, or the user may not create tables
     * @throws RegisterUnavailableException if there is no connection, the database does not answer, or the thread was
     *     interrupted, and then stays so. Creating again may succeed
     */
    public static void createTable(DataSource source, JdbcStoreSettings settings) {
        setup(source, settings).run((connection, database) -> {
            RegisterStatements statements = new RegisterStatements(database, settings.table());
            TableCreation.ifMissing(connection, List.of(statements.readNothing()), List.of(statements.createTable()));
            return database;
        });
    }

    /** The statement by which {@link #createTable} creates the table. */
    public static String createStatement(Database database, JdbcStoreSettings settings) {
        return new RegisterStatements(database, settings.table()).createTable();
    }

    private static DatabaseSetup setup(DataSource source, JdbcStoreSettings settings) {
        return new DatabaseSetup(
                source,
                settings.timeout(),
                "registers",
                database -> "If the table " + settings.table() + " is missing, create it with: "
                        + createStatement(database, settings) + "; the user needs SELECT, INSERT and UPDATE on it.");
    }

    @Override
    public StoredValue read(String name) throws InterruptedException {
        RegisterLimits.requireName(name);
        return StatementConnection.send(
                source,
                settings.timeout(),
                connection -> present(connection, name),
                (meaning, cause) -> failures.ofRead(name, meaning, cause));
    }

    @Override
    public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException {
        RegisterLimits.requireRequest(name, expected, value);
        try (StatementConnection connection = StatementConnection.open(source, settings.timeout())) {
            return isWritten(connection, name, expected, value, writeId)
                    ? new CompareAndSetAnswer.Applied()
                    : new CompareAndSetAnswer.Refused(afterRefusal(connection, name, expected, writeId));
        } catch (NotConnectedException e) {
            throw failures.ofCompareAndSet(name, FailureMeaning.NOT_APPLIED, e);
        }
    }

    private boolean isWritten(
            StatementConnection connection, String name, long expected, byte[] value, WriteId writeId) {
        try {
            return expected == 0
                    ? create(connection, name, value, writeId)
                    : replace(connection, name, expected, value, writeId);
        } catch (SQLException e) {
            if (SqlFailures.isConflict(e)) {
                return false;
            }
            throw failures.ofCompareAndSet(name, SqlFailures.ofStatement(e), e);
        }
    }

    private boolean create(StatementConnection connection, String name, byte[] value, WriteId writeId)
            throws SQLException {
        return connection.update(statements.createRegister(), statement -> {
                    statement.setString(1, name);
                    statement.setObject(2, writeId.process());
                    statement.setLong(3, writeId.counter());
                    statement.setBytes(4, value);
                })
                == 1;
    }

    private boolean replace(StatementConnection connection, String name, long expected, byte[] value, WriteId writeId)
            throws SQLException {
        return connection.update(statements.replaceRegister(), statement -> {
                    statement.setLong(1, expected + 1);
                    statement.setObject(2, writeId.process());
                    statement.setLong(3, writeId.counter());
                    statement.setBytes(4, value);
                    statement.setString(5, name);
                    statement.setLong(6, expected);
                })
                == 1;
    }

    /** Whatever fails here, the request was not applied. */
    private StoredValue afterRefusal(StatementConnection connection, String name, long expected, WriteId writeId) {
        try {
            StoredValue present = present(connection, name);
            if (present.getVersion() == expected) {
                throw new SQLException("Another transaction was in the way, and has been rolled back");
            }
            return present.isWrittenBy(writeId) ? confirmed(connection, name, present) : present;
        } catch (SQLException e) {
            throw failures.ofCompareAndSet(name, SqlFailures.beforeCommit(e), e);
        }
    }

    /**
     * The answer to an own write was lost, or warned that a failover may forget it. If a later commit is acknowledged, the standby
     * has both.
     */
    private StoredValue confirmed(StatementConnection connection, String name, StoredValue present) {
        try {
            int rows = connection.update(statements.confirmRegister(), statement -> {
                statement.setString(1, name);
                statement.setLong(2, present.getVersion());
            });
            return rows == 1 ? present : present(connection, name);
        } catch (SQLException e) {
            throw failures.ofCompareAndSet(name, FailureMeaning.UNKNOWN, e);
        }
    }

    private StoredValue present(StatementConnection connection, String name) throws SQLException {
        return connection
                .first(
                        statements.readRegister(),
                        statement -> statement.setString(1, name),
                        row -> StoredValue.of(
                                row.getLong(1),
                                new WriteId(row.getObject(2, UUID.class), row.getLong(3)),
                                row.getBytes(4)))
                .orElseGet(StoredValue::neverWritten);
    }
}
