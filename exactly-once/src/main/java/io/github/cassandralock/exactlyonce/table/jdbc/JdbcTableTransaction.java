package io.github.cassandralock.exactlyonce.table.jdbc;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.jdbc.LocalTransaction;
import io.github.cassandralock.exactlyonce.jdbc.SqlFailures;
import io.github.cassandralock.exactlyonce.jdbc.StatementConnection.Parameters;
import io.github.cassandralock.exactlyonce.jdbc.StatementConnection.Row;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.table.FailedMessage;
import io.github.cassandralock.exactlyonce.table.MessageFailedException;
import io.github.cassandralock.exactlyonce.table.MessageKind;
import io.github.cassandralock.exactlyonce.table.TableMessage;
import io.github.cassandralock.exactlyonce.table.TableTransaction;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A transaction on the messages of a queue. Belongs to one thread. */
final class JdbcTableTransaction implements TableTransaction {

    private final LocalTransaction transaction;
    private final Connection connection;
    private final MessageStatements statements;
    private final String queue;
    private final TableEffect effect;

    /** Goes with the first query. */
    private String setUp;

    JdbcTableTransaction(
            LocalTransaction transaction,
            String setUp,
            MessageStatements statements,
            String queue,
            TableEffect effect) {
        this.transaction = transaction;
        this.setUp = setUp;
        this.connection = transaction.getConnection();
        this.statements = statements;
        this.queue = queue;
        this.effect = effect;
    }

    @Override
    public List<TableMessage> lock(int most, MessageKind kind) {
        return switch (kind) {
            case NEW -> read(statements.lockNew(most), this::ofQueue, JdbcTableTransaction::message);
            case FAILED -> read(statements.lockFailed(most), this::ofQueue, JdbcTableTransaction::message);
            case ORDERED ->
                read(statements.lockHead(), this::ofQueue, Head::of).stream()
                        .flatMap(head -> read(
                                statements.lockLane(most),
                                statement -> {
                                    statement.setString(1, queue);
                                    statement.setInt(2, head.lane());
                                    statement.setLong(3, head.id());
                                    statement.setLong(4, head.id());
                                },
                                JdbcTableTransaction::message)
                                .stream())
                        .toList();
        };
    }

    /** The first message of a lane. Whoever has locked it takes messages of that lane alone. */
    private record Head(long id, int lane) {

        static Head of(ResultSet row) throws SQLException {
            return new Head(row.getLong(1), row.getInt(2));
        }
    }

    private void ofQueue(PreparedStatement statement) throws SQLException {
        statement.setString(1, queue);
    }

    private static TableMessage message(ResultSet row) throws SQLException {
        return new TableMessage(row.getLong(1), Bytes.of(row.getBytes(2)), row.getInt(3));
    }

    @Override
    public List<FailedMessage> failed(int most) {
        return read(
                statements.failed(most),
                this::ofQueue,
                row -> new FailedMessage(
                        row.getLong(1), row.getInt(2), Objects.requireNonNullElse(row.getString(3), "unknown")));
    }

    private <T> List<T> read(String query, Parameters parameters, Row<T> row) {
        try (PreparedStatement statement = connection.prepareStatement(setUp + query)) {
            parameters.set(statement);
            try (ResultSet rows = rowsOf(statement)) {
                setUp = "";
                List<T> read = new ArrayList<>();
                while (rows.next()) {
                    read.add(row.of(rows));
                }
                return read;
            }
        } catch (SQLException e) {
            throw JdbcMessageTable.failed(queue, SqlFailures.beforeCommit(e), e);
        }
    }

    /** Only the query has rows. */
    private static ResultSet rowsOf(PreparedStatement statement) throws SQLException {
        boolean rows = statement.execute();
        while (!rows && statement.getUpdateCount() != -1) {
            rows = statement.getMoreResults();
        }
        return statement.getResultSet();
    }

    @Override
    public void apply(List<TableMessage> messages) throws MessageFailedException {
        try {
            effect.apply(
                    connection, messages.stream().map(TableMessage::payload).toList());
        } catch (Throwable e) { // even an error: the copy goes on with other messages
            throw new MessageFailedException(e);
        }
    }

    /** What ends the copy is thrown as it is: an effect that ends the transaction must not run again. */
    @Override
    public void delete(List<TableMessage> messages) throws MessageFailedException {
        flush();
        try {
            transaction.requireWhole();
            if (deleted(messages) != messages.size()) {
                throw notDeleted(messages);
            }
        } catch (SQLException e) {
            throw new MessageFailedException(e); // such as an effect that has caught the failure of its statement
        }
    }

    private void flush() throws MessageFailedException {
        try {
            transaction.flush();
        } catch (RuntimeException e) {
            throw new MessageFailedException(e);
        }
    }

    private int deleted(List<TableMessage> messages) throws SQLException {
        Array ids = connection.createArrayOf(
                "bigint", messages.stream().map(TableMessage::id).toArray());
        try (PreparedStatement statement = connection.prepareStatement(statements.delete())) {
            statement.setString(1, queue);
            statement.setArray(2, ids);
            return statement.executeUpdate();
        } finally {
            ids.free();
        }
    }

    private RuntimeException notDeleted(List<TableMessage> messages) throws SQLException {
        if (!transaction.isKept(statements.database())) {
            return new RegisterRefusedException(
                    "The effect of a message of queue '" + queue
                            + "', or its session, has set synchronous_commit to off or local. A crash or a failover"
                            + " would forget what is committed. Leave the setting as it is, and start again.",
                    new IllegalStateException("synchronous_commit is off or local"));
        }
        return new IllegalStateException("An effect has deleted or moved messages of queue '" + queue
                + "' that its own transaction takes, among " + messages + ". Leave their rows as they are");
    }

    @Override
    public void commit() throws MessageFailedException {
        try {
            transaction.commit();
        } catch (SQLException e) {
            FailureMeaning meaning = SqlFailures.ofStatement(e);
            switch (meaning) {
                case REFUSED ->
                    throw new MessageFailedException(e); // such as a constraint that is checked at the commit
                case NOT_APPLIED -> throw JdbcMessageTable.failed(queue, meaning, e);
                case UNKNOWN ->
                    throw new UnknownOutcomeException(
                            "It is unknown whether messages of queue '" + queue + "' were taken: " + e.getMessage()
                                    + ". If not, they are taken again.",
                            e);
            }
        }
    }

    @Override
    public void close() {
        transaction.close();
    }
}
