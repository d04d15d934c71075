package io.github.cassandralock.exactlyonce.halftransactions;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.sink.EffectFunction;
import io.github.cassandralock.exactlyonce.sink.OutboxPump;
import io.github.cassandralock.exactlyonce.sink.PumpListener;
import io.github.cassandralock.exactlyonce.sink.RegisterSink;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcOutbox;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.sink.jdbc.SinkTransaction;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
 * Both ways between a real Cassandra and a real PostgreSQL, while the connections of PostgreSQL are cut again and again, at any
 * moment of a transaction. Requests are in a queue on Cassandra; copies of a sink withdraw in PostgreSQL, and send what they have
 * withdrawn to the outbox; copies of a pump bring that to another queue on Cassandra. The other way, requests are in a queue on
 * PostgreSQL, where the handler's state is, too; its copies make their effects on an account in Cassandra.
 */
@Tag("slow")
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CassandraAndPostgresIT {

    private static final int REQUESTS = 300;
    private static final int COPIES = 3;
    private static final long FUNDS = 8_000;
    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(2), Duration.ofMillis(100));
    private static final JdbcStoreSettings REGISTERS = JdbcStoreSettings.defaults();
    private static final Codec<String> TEXT = Codec.utf8();
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

    private Registers cassandraRegisters() {
        CassandraStoreSettings settings = CassandraStoreSettings.inKeyspace("bank");
        session.execute("CREATE KEYSPACE IF NOT EXISTS bank WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        CassandraRegisterStore.createTable(session, settings);
        return Registers.of(CassandraRegisterStore.open(session, settings.withTimeout(Duration.ofSeconds(10))));
    }

    private static MessageQueue queue(String name, Registers registers) {
        return new MessageQueue(name, new Layout.Ring(2 * REQUESTS), registers);
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
                .getConnection()
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
        MessageQueue requests = queue("requests", cassandraRegisters());
        MessageQueue payments = queue("payments", cassandraRegisters());
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
            NumberedPush.push(requests, Message.of(MessageId.of("clerk", i), bytes(1 + random.nextInt(99))));
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
        assertThat(payments.read(rows)).isInstanceOf(Cell.Absent.class);
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
            if (payments.read(index) instanceof Cell.Full full) {
                return full.message();
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    // The other way.

    /** What an account in Cassandra holds: "count sum order", of which the last depends on the order of the amounts. */
    private static String after(String content, long amount) {
        String[] words = content.split(" ", -1);
        return (Long.parseLong(words[0]) + 1) + " " + (Long.parseLong(words[1]) + amount) + " "
                + (Long.parseLong(words[2]) * 31 + amount);
    }

    private static EffectFunction.Change deposit(Optional<Bytes> content, Bytes request) {
        String before = content.map(bytes -> bytes.as(TEXT)).orElse("0 0 0");
        long amount = ByteBuffer.wrap(request.toArray()).getLong();
        return new EffectFunction.Change(Bytes.of(TEXT, after(before, amount)), Bytes.of(TEXT, "ok"));
    }

    /** The user's state counts the effects. */
    private static final class Depositor implements ExactlyOnceHandler<String> {

        @Override
        public HandlerResult<String> handle(String count, Inputs inputs, Instant time) {
            byte[] request = inputs.from("orders", Codec.bytes()).get(0);
            return HandlerResult.of(count).effect("accounts", "savings", Bytes.of(request));
        }

        @Override
        public HandlerResult<String> afterEffect(String count, Bytes asked, Bytes result, Instant time) {
            return HandlerResult.of(Long.toString(Long.parseLong(count) + 1));
        }
    }

    private HandlerCopy depositor(int number) {
        Registers registers = Registers.of(JdbcRegisterStore.open(source, REGISTERS));
        HandlerDefinition<String> definition = HandlerDefinition.builder(
                        "depositor", new Depositor(), registers, StateCodec.of(TEXT), () -> "0")
                .input(queue("orders", registers))
                .effects(new RegisterSink("accounts", cassandraRegisters(), CassandraAndPostgresIT::deposit))
                .idlePauses(PAUSES)
                .build();
        return new HandlerCopy(definition, "copy-" + number, HandlerListener.none(), CopyEnvironment.ofThisMachine());
    }

    @Test
    @Timeout(300)
    void eachRequestInPostgresTakesEffectOnceInCassandra() throws Exception {
        JdbcRegisterStore.createTable(source, REGISTERS);
        MessageQueue orders = queue("orders", Registers.of(JdbcRegisterStore.open(source, REGISTERS)));
        List<HandlerCopy> copies =
                IntStream.range(0, COPIES).mapToObj(this::depositor).toList();
        copies.forEach(HandlerCopy::start);
        try {
            assertThat(pushAndCut(orders)).isPositive();
            String expected = "0 0 0";
            Random random = new Random(4711);
            for (int i = 0; i < REQUESTS; i++) {
                expected = after(expected, 1L + random.nextInt(99));
                random.nextInt(3);
            }
            RegisterSink accounts = new RegisterSink("accounts", cassandraRegisters(), CassandraAndPostgresIT::deposit);
            awaitDeposited(accounts);
            assertThat(accounts.readContent("savings").orElseThrow().as(TEXT)).isEqualTo(expected);
            assertThat(copies).allMatch(HandlerCopy::isRunning);
        } finally {
            copies.forEach(HandlerCopy::close);
        }
    }

    private static void awaitDeposited(RegisterSink accounts) throws InterruptedException {
        while (accounts.readContent("savings")
                        .map(content -> Long.parseLong(content.as(TEXT).split(" ", -1)[0]))
                        .orElse(0L)
                < REQUESTS) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
