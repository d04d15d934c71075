package io.github.cassandralock.exactlyonce.killedcopies;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.store.cassandra.Sessions;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import io.github.cassandralock.local.LocalCassandra;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/** A Cassandra and a PostgreSQL with the tables of {@link RunningTotals}, the producer of its inputs, and a look at its outputs. */
final class Servers implements AutoCloseable {

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

    private final String name;
    private final PostgresServer postgres;
    private final LocalCassandra cassandra;
    private final CqlSession session;
    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private final RunningTotals totals;
    private final MessageQueue inputs;

    private Servers(String name, PostgresServer postgres, LocalCassandra cassandra, CqlSession session)
            throws SQLException {
        this.name = name;
        this.postgres = postgres;
        this.cassandra = cassandra;
        this.session = session;
        source.setUrl(PostgresServer.url(postgres.address(), ""));
        RunningTotals.createTables(session, source);
        execute("CREATE TABLE " + name + "_outputs (id bigserial PRIMARY KEY, position bigint NOT NULL,"
                + " total bigint NOT NULL, copy text NOT NULL)");
        execute("CREATE TABLE " + name + "_counter (value bigint NOT NULL)");
        execute("INSERT INTO " + name + "_counter VALUES (0)");
        totals = new RunningTotals(name, session);
        inputs = totals.inputs();
    }

    /** Skips the test if PostgreSQL is not installed. */
    static Servers start(String name) throws SQLException {
        PostgresServer postgres = PostgresServer.start();
        try {
            LocalCassandra cassandra = LocalCassandra.start(1);
            CqlSession session = Sessions.open(cassandra.contactPoints().get(0), cassandra.localDatacenter());
            return new Servers(name, postgres, cassandra, session);
        } catch (SQLException | RuntimeException e) {
            postgres.close(); // a Cassandra ends with this JVM
            throw e;
        }
    }

    CopyProcess startCopy(String copy, Path log) throws IOException {
        return CopyProcess.start(
                CopyMain.class,
                CopyMain.arguments(
                        name,
                        copy,
                        cassandra.contactPoints().get(0),
                        cassandra.localDatacenter(),
                        PostgresServer.url(postgres.address(), "")),
                log);
    }

    static long number(long sequence) {
        return sequence * 7919 % 1000;
    }

    /** Pushes a number under a name and a sequence that stay the same, so it is there once however often it is pushed. */
    void push(long sequence) throws InterruptedException {
        Message message = Message.of(
                MessageId.of("producer", sequence),
                Long.toString(number(sequence)).getBytes(StandardCharsets.UTF_8));
        long began = System.nanoTime();
        while (!(inputs.pushAsSoleProducer(message) instanceof PushAnswer.Pushed)) {
            requireTime(began, "the ring has no free cell for input " + sequence);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    void awaitOutputs(long count) throws SQLException, InterruptedException {
        await(() -> counter() >= count, "not all of " + count + " outputs are in the database");
    }

    /** What the database says. */
    interface Condition {
        boolean holds() throws SQLException;
    }

    /** @param otherwise what is wrong if it does not come to hold */
    void await(Condition condition, String otherwise) throws SQLException, InterruptedException {
        long began = System.nanoTime();
        while (!condition.holds()) {
            requireTime(began, otherwise);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static void requireTime(long began, String what) {
        if (System.nanoTime() - began > LONGEST_WAIT.toNanos()) {
            throw new AssertionError("After " + LONGEST_WAIT.toSeconds() + " s without an end, " + what);
        }
    }

    MessageQueue outputQueue() {
        return totals.outputs();
    }

    long counter() throws SQLException {
        return longs("SELECT value FROM " + name + "_counter").get(0);
    }

    /** In the order in which they were committed: the sink's row lets one transaction in at a time. */
    List<Long> positions() throws SQLException {
        return longs("SELECT position FROM " + name + "_outputs ORDER BY id");
    }

    List<Long> totals() throws SQLException {
        return longs("SELECT total FROM " + name + "_outputs ORDER BY id");
    }

    /** How many outputs each copy has computed, in the order of their names. */
    List<Long> outputsOfEachCopy() throws SQLException {
        return longs("SELECT count(*) FROM " + name + "_outputs GROUP BY copy ORDER BY copy");
    }

    private List<Long> longs(String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<Long> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getLong(1));
            }
            return values;
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        session.close();
        cassandra.close();
        postgres.close();
    }
}
