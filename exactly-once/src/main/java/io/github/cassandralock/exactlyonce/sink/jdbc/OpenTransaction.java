package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.sink.SinkPosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** A transaction of a sink between its begin and its end. Belongs to one thread. */
final class OpenTransaction implements SinkTransaction {

    private static final long UNKNOWN = -1;

    /** The message of a row also holds its id, which has up to 214 bytes. */
    private static final int MOST_ROW_BYTES = RegisterLimits.MAX_VALUE_BYTES - 256;

    private final Connection connection;
    private final Connection guarded;
    private final SinkTables tables;
    private final String name;

    /** The number of the next row of the outbox. Read from the locked row when the first row is sent. */
    private long outboxRows = UNKNOWN;

    OpenTransaction(Connection connection, SinkTables tables, String name) {
        this.connection = connection;
        this.tables = tables;
        this.name = name;
        this.guarded = GuardedConnection.of(connection, name);
    }

    /** Locks the sink's row. Returns false, and changes nothing, if the position has another index. */
    boolean move(SinkPosition from, SinkPosition to) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(tables.movePosition())) {
            statement.setLong(1, to.index());
            statement.setBytes(2, to.check().toBytes());
            statement.setString(3, name);
            statement.setLong(4, from.index());
            return statement.executeUpdate() == 1;
        }
    }

    @Override
    public Connection getConnection() {
        return guarded;
    }

    @Override
    public long send(List<byte[]> payloads) throws SQLException {
        byte[] row = new ByteEncoder().all(payloads, ByteEncoder::bytes).toBytes();
        if (row.length > MOST_ROW_BYTES) {
            throw new IllegalArgumentException("The row that the effect of sink '" + name + "' sends has " + row.length
                    + " bytes, and a message has at most " + MOST_ROW_BYTES
                    + ". No pump could push the row. Put large payloads elsewhere, and send references");
        }
        if (outboxRows == UNKNOWN) {
            outboxRows = readOutboxRows();
        }
        try (PreparedStatement statement = connection.prepareStatement(tables.createRow())) {
            statement.setString(1, name);
            statement.setLong(2, outboxRows);
            statement.setBytes(3, row);
            statement.executeUpdate();
        }
        return outboxRows++;
    }

    private long readOutboxRows() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(tables.readOutboxRows())) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("The row of the sink '" + name + "' was deleted within its transaction");
                }
                return row.getLong(1);
            }
        }
    }

    /** Writes the number of rows to the row of the index. */
    void countOutboxRows() throws SQLException {
        if (outboxRows != UNKNOWN) {
            try (PreparedStatement statement = connection.prepareStatement(tables.setOutboxRows())) {
                statement.setLong(1, outboxRows);
                statement.setString(2, name);
                statement.executeUpdate();
            }
        }
    }
}
