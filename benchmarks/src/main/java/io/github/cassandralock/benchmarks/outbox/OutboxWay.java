package io.github.cassandralock.benchmarks.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * A transactional outbox. A producer writes, in one transaction, a business row and a row of the outbox for each message of a
 * group. Meanwhile a relay takes as many rows by {@code SELECT … FOR UPDATE SKIP LOCKED}, writes them into the inbox of the consumer,
 * whose unique key refuses doubles, in a transaction of its own, as if it were in another database, and deletes them from the
 * outbox. Statements are prepared once, and rows are sent in batches.
 */
final class OutboxWay implements Way {

    private static final List<String> TABLES = List.of(
            "CREATE TABLE business (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, amount bigint NOT NULL)",
            "CREATE TABLE outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload bytea NOT NULL)",
            "CREATE TABLE inbox (message bigint PRIMARY KEY, payload bytea NOT NULL)");
    private static final String EMPTY = "TRUNCATE business, outbox, inbox";
    private static final String BUSINESS = "INSERT INTO business (amount) VALUES (?)";
    private static final String SEND = "INSERT INTO outbox (payload) VALUES (?)";
    private static final String TAKE = "SELECT id, payload FROM outbox ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED";
    private static final String DELIVER = "INSERT INTO inbox (message, payload) VALUES (?, ?) ON CONFLICT DO NOTHING";
    private static final String REMOVE = "DELETE FROM outbox WHERE id = ANY (?)";

    private final DataSource source;

    OutboxWay(DataSource source) throws SQLException {
        this.source = source;
        for (String table : TABLES) {
            execute(table);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public String name() {
        return "outbox";
    }

    @Override
    public Passage pass(int groups, int size) throws Exception {
        execute(EMPTY);
        Counts counts = new Counts();
        AtomicBoolean failed = new AtomicBoolean();
        ExecutorService producer = Executors.newSingleThreadExecutor(body -> new Thread(body, "outbox-producer"));
        try {
            long began = System.nanoTime();
            Future<?> produced = producer.submit(() -> {
                try {
                    produce(groups, size, counts);
                } catch (SQLException | RuntimeException e) {
                    failed.set(true);
                    throw e;
                }
                return null;
            });
            relay((long) groups * size, size, counts, failed);
            double seconds = (System.nanoTime() - began) / 1e9;
            produced.get(1, TimeUnit.MINUTES);
            return new Passage((long) groups * size, seconds, counts.requests.get(), counts.commits.get());
        } finally {
            producer.shutdownNow();
        }
    }

    private static final class Counts {
        final AtomicLong requests = new AtomicLong();
        final AtomicLong commits = new AtomicLong();

        void commit(Connection connection) throws SQLException {
            connection.commit();
            requests.incrementAndGet();
            commits.incrementAndGet();
        }
    }

    private void produce(int groups, int size, Counts counts) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement business = connection.prepareStatement(BUSINESS);
                    PreparedStatement send = connection.prepareStatement(SEND)) {
                for (int group = 0; group < groups; group++) {
                    for (byte[] payload : Payloads.of(group, size)) {
                        business.setLong(1, Payloads.amount(group));
                        business.addBatch();
                        send.setBytes(1, payload);
                        send.addBatch();
                    }
                    business.executeBatch();
                    send.executeBatch();
                    counts.requests.addAndGet(2);
                    counts.commit(connection);
                }
            }
        }
    }

    private void relay(long messages, int size, Counts counts, AtomicBoolean producerFailed)
            throws SQLException, InterruptedException {
        try (Connection outbox = source.getConnection();
                Connection inbox = source.getConnection()) {
            outbox.setAutoCommit(false);
            inbox.setAutoCommit(false);
            try (PreparedStatement take = outbox.prepareStatement(TAKE);
                    PreparedStatement deliver = inbox.prepareStatement(DELIVER);
                    PreparedStatement remove = outbox.prepareStatement(REMOVE)) {
                take.setInt(1, size);
                long delivered = 0;
                while (delivered < messages && !producerFailed.get()) {
                    List<Long> ids = takeInto(take, deliver);
                    counts.requests.incrementAndGet();
                    if (ids.isEmpty()) {
                        outbox.rollback();
                        TimeUnit.MICROSECONDS.sleep(200);
                        continue;
                    }
                    deliver.executeBatch();
                    counts.commit(inbox);
                    remove.setArray(1, outbox.createArrayOf("bigint", ids.toArray()));
                    remove.executeUpdate();
                    counts.requests.addAndGet(2);
                    counts.commit(outbox);
                    delivered += ids.size();
                }
            }
        }
    }

    private static List<Long> takeInto(PreparedStatement take, PreparedStatement deliver) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = take.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
                deliver.setLong(1, rows.getLong(1));
                deliver.setBytes(2, rows.getBytes(2));
                deliver.addBatch();
            }
        }
        return ids;
    }
}
