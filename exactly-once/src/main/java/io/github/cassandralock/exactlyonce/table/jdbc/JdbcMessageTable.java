package io.github.cassandralock.exactlyonce.table.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.Database;
import io.github.cassandralock.exactlyonce.jdbc.DatabaseSetup;
import io.github.cassandralock.exactlyonce.jdbc.LocalTransactions;
import io.github.cassandralock.exactlyonce.jdbc.NotConnectedException;
import io.github.cassandralock.exactlyonce.jdbc.StatementConnection;
import io.github.cassandralock.exactlyonce.jdbc.TableCreation;
import io.github.cassandralock.exactlyonce.jdbc.TransactionConnection;
import io.github.cassandralock.exactlyonce.jdbc.TransactionSettings;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.exactlyonce.table.MessageTable;
import io.github.cassandralock.exactlyonce.table.TableMessage;
import io.github.cassandralock.exactlyonce.table.TableTransaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * The messages of one queue in a table of PostgreSQL, or of H2 for first trials. A transaction at READ COMMITTED locks rows by
 * {@code SELECT … FOR UPDATE SKIP LOCKED}, makes their effects, and deletes them. Any program pushes a message by an {@code INSERT}
 * of the columns {@code queue} and {@code payload}, in its own transaction.
 *
 * <p><b>The longest pause.</b> If a copy stands still within its transaction, the messages that it has locked wait, and no others.
 * PostgreSQL ends such a transaction after {@code idleTimeout} (30 s by default). H2 has no such time-out, and
 * locks all messages of the queue at once.
 *
 * <p>The connections of the data source must take part in no transaction of the application. Thread-safe. Methods block until the
 * data source returns a connection, and for the time-outs of the settings for each statement.
 */
public final class JdbcMessageTable implements MessageTable {

    /** A figure for operators must not wait as long as an effect may. */
    private static final Duration COUNT_TIMEOUT = Duration.ofSeconds(5);

    private final DataSource source;
    private final LocalTransactions transactions;
    private final String queue;
    private final MessageTableSettings settings;
    private final MessageStatements statements;
    private final TableEffect effect;

    private JdbcMessageTable(
            DataSource source,
            LocalTransactions transactions,
            String queue,
            MessageTableSettings settings,
            MessageStatements statements,
            TableEffect effect) {
        this.source = source;
        this.transactions = transactions;
        this.queue = queue;
        this.settings = settings;
        this.statements = statements;
        this.effect = effect;
    }

    /**
     * Opens a queue of an existing table. Does I/O and blocks until it is done.
     *
     * @param source belongs to the caller
     * @param queue the name of the queue
     * @param settings where messages are kept
     * @param effect what messages do
     * @return the queue
     * @throws IllegalArgumentException if the name is not allowed
     * @throws StoreUnfitException if the database is of another kind; if the table is missing; if the server may forget what it has
     *     acknowledged because of a setting
     * @throws RegisterUnavailableException if there is no connection, the database does not answer, or the thread was
     *     interrupted, and then stays so. Opening again may succeed
     */
    public static JdbcMessageTable open(
            DataSource source, String queue, MessageTableSettings settings, TableEffect effect) {
        Names.checked("queue", queue);
        Database database = requireFit(source, settings);
        return new JdbcMessageTable(
                source,
                transaction -> TransactionConnection.begin(source, transaction),
                queue,
                settings,
                new MessageStatements(database, settings.table()),
                effect);
    }

    /**
     * This queue with effects in transactions that others begin, such as the transaction manager of a framework.
     *
     * @param others of the same data source
     * @return another object for the same queue
     */
    public JdbcMessageTable inTransactionsOf(LocalTransactions others) {
        return new JdbcMessageTable(source, others, queue, settings, statements, effect);
    }

    /**
     * Creates the table of messages if it does not exist. Does I/O and blocks until it is done.
     *
     * @param source belongs to the caller
     * @param settings name the table
     * @throws StoreUnfitException if the database is of another kind, or the user may not create tables
     * @throws RegisterUnavailableException if there is no connection, the database does not answer, or the thread was
     *     interrupted, and then stays so. Creating again may succeed
     */
    public static void createTable(DataSource source, MessageTableSettings settings) {
        setup(source, settings).run((connection, database) -> {
            // As one request they are one transaction in PostgreSQL: there is no table without its indexes.
            TableCreation.ifMissing(
                    connection,
                    readNothing(database, settings),
                    List.of(String.join("; ", createStatements(database, settings))));
            return database;
        });
    }

    /**
     * Whether the table exists. Blocks for at most one statement. It does not fail if the table is missing, so a transaction of
     * PostgreSQL continues.
     *
     * @param connection of any transaction
     * @param settings name the table
     * @throws SQLException if the database does not answer
     */
    public static boolean exists(Connection connection, MessageTableSettings settings) throws SQLException {
        Database database = Database.of(connection);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(new MessageStatements(database, settings.table()).exists())) {
            return row.next();
        }
    }

    private static List<String> readNothing(Database database, MessageTableSettings settings) {
        return List.of(new MessageStatements(database, settings.table()).readNothing());
    }

    /** The statements by which {@link #createTable} creates the table and its indexes. */
    public static List<String> createStatements(Database database, MessageTableSettings settings) {
        return new MessageStatements(database, settings.table()).create();
    }

    /**
     * The statement by which a program pushes a message. Its parameters are the name of the queue, the payload as bytes, and
     * the lane. {@link io.github.cassandralock.exactlyonce.table.Lanes} computes the lane of a key. The lane is null without a key.
     */
    public static String pushStatement(MessageTableSettings settings) {
        return new MessageStatements(Database.POSTGRESQL, settings.table()).push();
    }

    private static Database requireFit(DataSource source, MessageTableSettings settings) {
        return setup(source, settings).run((connection, database) -> {
            TableCreation.execute(connection, readNothing(database, settings));
            database.requireToKeep(connection, settings.table());
            return database;
        });
    }

    private static DatabaseSetup setup(DataSource source, MessageTableSettings settings) {
        return new DatabaseSetup(
                source,
                settings.statementTimeout(),
                "messages",
                database -> "If the table " + settings.table() + " is missing, create it with: "
                        + String.join("; ", createStatements(database, settings))
                        + "; the user needs SELECT, INSERT, UPDATE and DELETE on it.");
    }

    @Override
    public TableTransaction begin() throws InterruptedException {
        TransactionSettings transaction = new TransactionSettings(
                statements.database(),
                settings.lockTimeout(),
                settings.idleTimeout(),
                settings.statementTimeout(),
                true);
        try {
            return new JdbcTableTransaction(
                    transactions.begin(transaction), transaction.setUp(), statements, queue, effect);
        } catch (NotConnectedException e) {
            throw failed(queue, FailureMeaning.NOT_APPLIED, e);
        }
    }

    @Override
    public void postpone(TableMessage message, Duration pause, String reason) throws InterruptedException {
        StatementConnection.send(
                source,
                settings.statementTimeout(),
                connection -> connection.update(statements.postpone(), statement -> {
                    statement.setLong(1, pause.toMillis());
                    statement.setString(2, reason);
                    statement.setString(3, queue);
                    statement.setLong(4, message.id());
                }),
                (meaning, cause) -> failed(queue, meaning, cause));
    }

    @Override
    public int count(int most) throws InterruptedException {
        return StatementConnection.send(
                source,
                COUNT_TIMEOUT,
                connection -> connection
                        .first(
                                statements.count(most),
                                statement -> {
                                    for (int part = 1; part <= MessageStatements.PARTS.size(); part++) {
                                        statement.setString(part, queue);
                                    }
                                },
                                row -> row.getInt(1))
                        .orElse(0),
                (meaning, cause) -> failed(queue, meaning, cause));
    }

    static RuntimeException failed(String queue, FailureMeaning meaning, Throwable e) {
        return meaning == FailureMeaning.REFUSED
                ? new RegisterRefusedException(
                        "The database refuses to give messages of queue '" + queue + "': " + e.getMessage()
                                + ". Correct the table or the permissions, and start again.",
                        e)
                : new RegisterUnavailableException(
                        "No message of queue '" + queue + "' was taken: " + e.getMessage()
                                + ". Nothing was committed. It is tried again; if this goes on, check the database and its"
                                + " locks.",
                        e);
    }

    @Override
    public String toString() {
        return "queue '" + queue + "' in the table " + settings.table();
    }
}
