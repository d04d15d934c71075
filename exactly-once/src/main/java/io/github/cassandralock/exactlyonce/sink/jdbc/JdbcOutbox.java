package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.bytes.ByteDecoder;
import io.github.cassandralock.exactlyonce.jdbc.StatementConnection;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.sink.Outbox;
import io.github.cassandralock.exactlyonce.sink.OutboxOrigin;
import io.github.cassandralock.exactlyonce.sink.OutboxTarget;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The outbox of a {@link JdbcSink}: the rows of its effects, for a pump to a queue in another store. Thread-safe. Methods block
 * until the data source returns a connection, and then for at most the statement time-out and 2 s.
 */
public final class JdbcOutbox implements Outbox {

    private final DataSource source;
    private final String sink;
    private final SinkTables tables;

    private JdbcOutbox(DataSource source, String sink, SinkTables tables) {
        this.source = source;
        this.sink = sink;
        this.tables = tables;
    }

    /**
     * Opens the outbox of a sink. Does I/O and blocks until it is done.
     *
     * @param source belongs to the caller
     * @param sink the name of the sink that writes the rows
     * @param settings the settings of the sink
     * @return the outbox
     * @throws IllegalArgumentException if the name is not allowed
     * @throws StoreUnfitException if the database is of another kind; if a table is missing; if the server may forget what it has
     *     acknowledged because of a setting
     * @throws RegisterUnavailableException if there is no connection, the database does not answer, or the thread was
     *     interrupted, and then stays so. Opening again may succeed
     */
    public static JdbcOutbox open(DataSource source, String sink, JdbcSinkSettings settings) {
        Names.checked("sink", sink);
        return new JdbcOutbox(source, sink, SinkTables.open(source, settings));
    }

    @Override
    public Optional<List<byte[]>> readRow(long number) throws InterruptedException {
        return onTable(
                "could not be read",
                connection -> connection.first(
                        tables.readRow(),
                        statement -> {
                            statement.setString(1, sink);
                            statement.setLong(2, number);
                        },
                        row -> payloads(number, row.getBytes(1))));
    }

    private List<byte[]> payloads(long number, byte[] column) {
        ByteDecoder decoder = new ByteDecoder("row " + number + " of the outbox of sink '" + sink + "'", column);
        List<byte[]> payloads = decoder.readAll(ByteDecoder::readBytes);
        decoder.requireEnd();
        return payloads;
    }

    @Override
    public Optional<OutboxOrigin> readOrigin() throws InterruptedException {
        return onTable(
                "could not read where it is pumped to",
                connection -> connection.first(
                        tables.readOutbox(),
                        statement -> statement.setString(1, sink),
                        row -> origin(row.getLong(1), row.getString(2))));
    }

    private static OutboxOrigin origin(long rows, @Nullable String target) {
        return target == null || target.equals(SinkTables.NEVER_PUMPED)
                ? new OutboxOrigin(rows, Optional.empty(), target == null)
                : new OutboxOrigin(rows, Optional.of(OutboxTarget.ofText(target)), false);
    }

    @Override
    public void sendTo(OutboxTarget target) throws InterruptedException {
        onTable(
                "could not keep where it is pumped to",
                connection -> connection.update(tables.setOutboxTarget(), statement -> {
                    statement.setString(1, target.toText());
                    statement.setString(2, sink);
                }));
    }

    /**
     * Deletes rows below the queue's low-water mark: they are in the queue and will not be requested again.
     *
     * @param number of the first row that is kept
     * @return how many were deleted
     * @throws RegisterUnavailableException if it is unknown whether they were deleted: delete again
     * @throws RegisterRefusedException if the database refuses permanently
     * @throws InterruptedException if the thread was interrupted before it began
     */
    public int deleteBelow(long number) throws InterruptedException {
        return onTable(
                "could not be cleaned",
                connection -> connection.update(tables.deleteRowsBelow(), statement -> {
                    statement.setString(1, sink);
                    statement.setLong(2, number);
                }));
    }

    private <T> T onTable(String what, StatementConnection.Requests<T> requests) throws InterruptedException {
        return StatementConnection.send(
                source,
                tables.settings().statementTimeout(),
                requests,
                (meaning, cause) -> failed(what, meaning, cause));
    }

    private RuntimeException failed(String what, FailureMeaning meaning, Exception e) {
        String message = "The " + this + " " + what + ": " + e.getMessage();
        return meaning == FailureMeaning.REFUSED
                ? new RegisterRefusedException(
                        message + ". The user needs SELECT and DELETE on the table, and SELECT and UPDATE on "
                                + tables.settings().table() + ".",
                        e)
                : new RegisterUnavailableException(
                        message + ". Try again; if this goes on, check whether the database is up.", e);
    }

    @Override
    public String toString() {
        return "outbox of sink '" + sink + "' in the table " + tables.settings().outboxTable();
    }
}
