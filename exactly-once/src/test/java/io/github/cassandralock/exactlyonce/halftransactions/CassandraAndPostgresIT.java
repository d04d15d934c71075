package io.github.cassandralock.exactlyonce.halftransactions;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.sink.OutboxPump;
import io.github.cassandralock.exactlyonce.sink.PumpListener;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcOutbox;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.sink.jdbc.SinkTransaction;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.local.LocalCassandra;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Both ways between a real Cassandra and a real PostgreSQL. Requests are in a queue on Cassandra; copies of a sink withdraw in
 * PostgreSQL, and send what they have withdrawn to the outbox; copies of a pump bring that to another queue on Cassandra. Meanwhile
 * the connections of PostgreSQL are cut again and again, at any moment of a transaction.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CassandraAndPostgresIT {

    private static final int REQUESTS = 300;
    private static final int COPIES = 3;
    private static final long FUNDS = 8_000;
    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(2), Duration.ofMillis(100));
    private static final JdbcSinkSettings SETTINGS = JdbcSinkSettings.defaults();

    private final PostgresServer postgres = PostgresServer.start();
    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private final LocalCassandra cassandra = LocalCassandra.start(1);
    private final CqlSession session = CqlSession.builder()
            .addContactPoints(cassandra.contactPoints())
            .withLocalDatacenter(cassandra.localDatacenter())
            .build();

    CassandraAndPostgresIT() {
        source.setUrl(PostgresServer.url(postgres.address(), ""));
    }

    @AfterAll
    void close() {
        session.close();
        cassandra.close();
        postgres.close();
    }

    private MessageQueue queue(String name) {
        CassandraStoreSettings settings = CassandraStoreSettings.inKeyspace("bank");
        session.execute("CREATE KEYSPACE IF NOT EXISTS bank WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        CassandraRegisterStore.createTable(session, settings);
        return new MessageQueue(
                name,
                new Layout.Ring(2 * REQUESTS),
                Registers.of(CassandraRegisterStore.open(session, settings.withTimeout(Duration.ofSeconds(10)))));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long number(String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static long number(Message message) {
        return ByteBuffer.wrap(message.payloads().get(0)).getLong();
    }

    /** What is not covered by the account is refused, and sends nothing. */
    private static void withdraw(SinkTransaction transaction, Message message) throws SQLException {
        try (PreparedStatement statement = transaction
                .connection()
                .prepareStatement("UPDATE account SET balance = balance - ? WHERE balance >= ?")) {
            statement.setLong(1, number(message));
            statement.setLong(2, number(message));
            if (statement.executeUpdate() == 1) {
                transaction.send(message.payloads());
            }
        }
    }

    @Test
    @Timeout(300)
    void eachRequestIsWithdrawnOnceAndComesBackOnce() throws Exception {
        execute("CREATE TABLE account (balance bigint NOT NULL)");
        execute("INSERT INTO account VALUES (" + FUNDS + ")");
        JdbcSink.createTables(source, SETTINGS);
        MessageQueue requests = queue("requests");
        MessageQueue payments = queue("payments");
        JdbcOutbox outbox = JdbcOutbox.open(source, "withdrawals", SETTINGS);
        List<SinkCopy> sinks =
                IntStream.range(0, COPIES).mapToObj(i -> sink(requests, i)).toList();
        List<OutboxPump> pumps = IntStream.range(0, COPIES)
                .mapToObj(i -> pump(outbox, payments, i))
                .toList();
        sinks.forEach(SinkCopy::start);
        pumps.forEach(OutboxPump::start);
        try {
            int cuts = pushAndCut(requests);
            awaitTaken();
            assertThat(cuts).isPositive();
            assertMoneyIsRight(payments);
            assertThat(sinks).allMatch(SinkCopy::isRunning);
            assertThat(pumps).allMatch(OutboxPump::isRunning);
        } finally {
            sinks.forEach(SinkCopy::close);
            pumps.forEach(OutboxPump::close);
        }
    }

    private SinkCopy sink(MessageQueue requests, int number) {
        return new SinkCopy(
                "withdrawals",
                requests,
                JdbcSink.open(source, "withdrawals", SETTINGS, CassandraAndPostgresIT::withdraw),
                PAUSES,
                "copy-" + number,
                SinkListener.none(),
                CopyEnvironment.ofThisMachine());
    }

    private OutboxPump pump(JdbcOutbox outbox, MessageQueue payments, int number) {
        return new OutboxPump(
                "pump",
                outbox,
                payments,
                PAUSES,
                "copy-" + number,
                PumpListener.none(),
                CopyEnvironment.ofThisMachine());
    }

    /** Amounts of 1 to 99. Returns how many connections were cut. */
    private int pushAndCut(MessageQueue requests) throws Exception {
        Random random = new Random(4711);
        int cuts = 0;
        for (int i = 0; i < REQUESTS; i++) {
            requests.push(Message.of(MessageId.of("clerk", i), bytes(1 + random.nextInt(99))));
            if (random.nextInt(3) == 0) {
                cuts += (int) number("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                        + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
            }
        }
        return cuts;
    }

    private void awaitTaken() throws Exception {
        while (number("SELECT coalesce(max(next_index), 0) FROM exactly_once_sinks") < REQUESTS) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** The sum of account and payments is what was there; payments are those of a run without any failure. */
    private void assertMoneyIsRight(MessageQueue payments) throws Exception {
        long rows = number("SELECT outbox_rows FROM exactly_once_sinks");
        long paid = 0;
        for (long n = 0; n < rows; n++) {
            Message payment = awaitMessage(payments, n);
            assertThat(payment.id()).isEqualTo(MessageId.of("pump", n));
            paid += number(payment);
        }
        assertThat(payments.get(rows)).isInstanceOf(Cell.Absent.class);
        assertThat(number("SELECT balance FROM account") + paid).isEqualTo(FUNDS);

        Random random = new Random(4711);
        long expectedBalance = FUNDS;
        long expectedRows = 0;
        for (int i = 0; i < REQUESTS; i++) {
            long amount = 1L + random.nextInt(99);
            random.nextInt(3);
            if (amount <= expectedBalance) {
                expectedBalance -= amount;
                expectedRows++;
            }
        }
        assertThat(number("SELECT balance FROM account")).isEqualTo(expectedBalance);
        assertThat(rows).isEqualTo(expectedRows).isLessThan(REQUESTS);
    }

    private static Message awaitMessage(MessageQueue payments, long index) throws InterruptedException {
        while (true) {
            if (payments.get(index) instanceof Cell.Full full) {
                return full.message();
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
