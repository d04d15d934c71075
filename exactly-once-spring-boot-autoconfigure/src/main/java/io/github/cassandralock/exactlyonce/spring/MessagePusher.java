package io.github.cassandralock.exactlyonce.spring;

import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.table.Lanes;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Pushes messages to the queues of methods with {@link ExactlyOnce}, in the application's own transaction. The message is there if
 * that transaction is committed. Without a transaction, each call is a transaction of its own. Thread-safe; blocks for one
 * statement. The first call creates the table if it is missing. If a transaction is
 * open by then, the table is created on a second connection.
 */
public final class MessagePusher {

    /**
     * Where messages are kept.
     *
     * @param source the data source whose connection a transaction binds to its thread. Its table exists
     * @param statement its parameters are the queue, the payload, and the lane or null
     */
    public record Target(DataSource source, String statement) {}

    /** Converts messages. */
    @FunctionalInterface
    public interface Encoder {

        /**
         * Converts a message.
         *
         * @param queue to which it is pushed
         * @param message to convert
         * @return its payload
         * @throws IllegalArgumentException if there is no codec for the message
         */
        byte[] encode(String queue, Object message);
    }

    private final Supplier<Target> target;
    private final Encoder encoder;

    /**
     * Pushes to one database. Does no I/O.
     *
     * @param target called at each push; it opens the table at the first one
     * @param encoder converts messages
     */
    public MessagePusher(Supplier<Target> target, Encoder encoder) {
        this.target = target;
        this.encoder = encoder;
    }

    /**
     * Pushes a message.
     *
     * @param queue the name that the method's annotation has
     * @param message a {@code String}, a {@code byte[]}, or a value for which the application has a {@code Codec} bean
     * @throws IllegalArgumentException if the name is not allowed, there is no codec, or the message is larger than 1 MiB
     * @throws IllegalStateException if the transaction of this thread has ended, or is of another database
     * @throws org.springframework.dao.DataAccessException if the database refuses or does not answer
     */
    public void push(String queue, Object message) {
        pushAll(queue, List.of(message));
    }

    /**
     * Pushes messages by one request.
     *
     * @param queue the name that the method's annotation has
     * @param messages as for {@link #push}
     * @throws IllegalArgumentException as for {@link #push}; then nothing was pushed
     * @throws IllegalStateException if the transaction of this thread has ended, or is of another database
     * @throws org.springframework.dao.DataAccessException if the database refuses or does not answer
     */
    public void pushAll(String queue, Collection<?> messages) {
        pushAll(queue, messages, null);
    }

    /**
     * Pushes a message that takes effect after all earlier messages of its key. Transactions that push messages of one key at the
     * same time have no order. Keys are spread over 32 lanes. If a message fails, later messages of its lane wait for it.
     *
     * @param queue the name that the method's annotation has
     * @param key such as the number of an account
     * @param message as for {@link #push}
     * @throws IllegalArgumentException as for {@link #push}
     * @throws IllegalStateException if the transaction of this thread has ended, or is of another database
     * @throws org.springframework.dao.DataAccessException if the database refuses or does not answer
     */
    public void pushInOrder(String queue, String key, Object message) {
        pushAll(queue, List.of(message), Lanes.of(key));
    }

    private void pushAll(String queue, Collection<?> messages, @Nullable Integer lane) {
        Names.checked("queue", queue);
        List<@Nullable Object[]> rows = messages.stream()
                .map(message -> new @Nullable Object[] {
                    queue, payload(queue, message), new SqlParameterValue(Types.SMALLINT, lane)
                })
                .toList();
        Target present = target.get();
        if (ApplicationTransaction.keeps(present.source(), queue)) {
            insert(present, rows);
        } else {
            new TransactionTemplate(new JdbcTransactionManager(present.source()))
                    .executeWithoutResult(own -> insert(present, rows));
        }
    }

    private static void insert(Target target, List<@Nullable Object[]> rows) {
        JdbcTemplate template = new JdbcTemplate(target.source());
        if (rows.size() == 1) {
            template.update(target.statement(), rows.get(0));
        } else if (!rows.isEmpty()) {
            template.batchUpdate(target.statement(), rows);
        }
    }

    private byte[] payload(String queue, Object message) {
        byte[] payload = encoder.encode(queue, message);
        if (payload.length > RegisterLimits.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("A message to queue '" + queue + "' has " + payload.length
                    + " bytes, and at most " + RegisterLimits.MAX_VALUE_BYTES
                    + " are allowed. Store large data elsewhere, and push a reference.");
        }
        return payload;
    }
}
