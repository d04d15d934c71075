package io.github.cassandralock.benchmarks.plain;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A consumer as one writes it for PostgreSQL: {@code SELECT … FOR UPDATE SKIP LOCKED}, the effects as one batch, {@code DELETE}, and a
 * commit. Its connection stays its own, and its statements are prepared once.
 */
final class ByHand implements Consumers {

    private static final String TAKE = "SELECT id, payload FROM jobs ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED";
    private static final String EFFECT = "INSERT INTO shipments (item) VALUES (?)";
    private static final String REMOVE = "DELETE FROM jobs WHERE id = ANY (?)";

    ByHand(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE jobs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload bytea NOT NULL)");
        }
    }

    @Override
    public String name() {
        return "by hand";
    }

    @Override
    public void fill(HikariDataSource pool, int messages) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("INSERT INTO jobs (payload) VALUES (?)")) {
            for (int message = 0; message < messages; message++) {
                statement.setBytes(1, ("order " + message).getBytes(StandardCharsets.UTF_8));
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    @Override
    public Running start(HikariDataSource pool, int copies, int group, int messages) {
        CountDownLatch effects = new CountDownLatch(messages);
        ExecutorService threads = Executors.newFixedThreadPool(copies, body -> new Thread(body, "by-hand"));
        for (int copy = 0; copy < copies; copy++) {
            threads.submit(() -> {
                consume(pool, group, effects);
                return null;
            });
        }
        return new Running(effects, () -> {
            threads.shutdownNow();
            if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("The consumers by hand have not ended");
            }
        });
    }

    private static void consume(DataSource source, int group, CountDownLatch effects)
            throws SQLException, InterruptedException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement take = connection.prepareStatement(TAKE);
                    PreparedStatement effect = connection.prepareStatement(EFFECT);
                    PreparedStatement remove = connection.prepareStatement(REMOVE)) {
                take.setInt(1, group);
                while (!Thread.currentThread().isInterrupted()) {
                    List<Long> ids = takeInto(take, effect);
                    if (ids.isEmpty()) {
                        connection.rollback();
                        TimeUnit.MILLISECONDS.sleep(2);
                        continue;
                    }
                    effect.executeBatch();
                    remove.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
                    remove.executeUpdate();
                    connection.commit();
                    ids.forEach(id -> effects.countDown());
                }
            }
        }
    }

    private static List<Long> takeInto(PreparedStatement take, PreparedStatement effect) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = take.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
                effect.setString(1, new String(rows.getBytes(2), StandardCharsets.UTF_8));
                effect.addBatch();
            }
        }
        return ids;
    }
}
