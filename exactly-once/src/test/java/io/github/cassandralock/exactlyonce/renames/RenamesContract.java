package io.github.cassandralock.exactlyonce.renames;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerPosition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.sink.OutboxPump;
import io.github.cassandralock.exactlyonce.sink.PumpListener;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcOutbox;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.sink.jdbc.SinkTransaction;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A chain of all parts, whose copies are closed and started again at random while messages come. In the middle, copies are started
 * that are configured with other names or other stores:
 *
 * <pre>
 * numbers → bank (transaction, outbox) → pump → receipts → clerk → archived → archive (transaction)
 * </pre>
 */
@Timeout(400)
abstract class RenamesContract {

    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(20));
    private static final JdbcSinkSettings SINKS = JdbcSinkSettings.defaults();
    private static final JdbcSinkSettings OTHER_SINKS = SINKS.withTables("other_sinks", "other_outbox");
    private static final Codec<String> TEXT = Codec.utf8();
    private static final int MESSAGES = Integer.getInteger("renames.messages", 150);
    private static final int MESSAGES_BETWEEN_RESTARTS = 10;
    private static final int CELLS = 32;
    private static final String OTHER = "other";

    private final Random random = new Random(Long.getLong("renames.seed", 7));
    private final List<Copy<?>> running = new ArrayList<>();

    /** Registers in a keyspace, table or prefix; the same ones each time. */
    abstract RegisterStore registers(String keyspace) throws Exception;

    abstract DataSource database();

    private MessageQueue queue(String keyspace, String name) throws Exception {
        return new MessageQueue(name, new Layout.Ring(CELLS), Registers.of(registers(keyspace)));
    }

    private static String text(Message message) {
        return TEXT.decode(message.payloads().get(0));
    }

    private static void note(SinkTransaction transaction, String sink, Message message) throws SQLException {
        try (PreparedStatement insert = transaction
                .getConnection()
                .prepareStatement(
                        "INSERT INTO noted (sink, n, message) SELECT ?, count(*), ? FROM noted WHERE sink = ?")) {
            insert.setString(1, sink);
            insert.setString(2, text(message));
            insert.setString(3, sink);
            insert.executeUpdate();
        }
    }

    private List<String> noted(String sink) throws SQLException {
        try (Connection connection = database().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT message FROM noted WHERE sink = '" + sink + "' ORDER BY n")) {
            List<String> messages = new ArrayList<>();
            while (rows.next()) {
                messages.add(rows.getString(1));
            }
            return messages;
        }
    }

    // Parts

    private Copy<?> bank(MessageQueue numbers) {
        JdbcSink sink = JdbcSink.open(database(), "bank", SINKS, (transaction, message) -> {
            note(transaction, "bank", message);
            transaction.send(message.payloads());
        });
        return new SinkCopy("bank", numbers, sink, PAUSES, "1", SinkListener.none(), CopyEnvironment.ofThisMachine());
    }

    private Copy<?> pump(String name, MessageQueue receipts) {
        return new OutboxPump(
                name,
                JdbcOutbox.open(database(), "bank", SINKS),
                receipts,
                PAUSES,
                "1",
                PumpListener.none(),
                CopyEnvironment.ofThisMachine());
    }

    private Copy<?> clerk(String statesKeyspace, String keyspace) throws Exception {
        return clerk(HandlerDefinition.builder(
                        "clerk",
                        (state, inputs, time) -> {
                            HandlerResult<String> result = HandlerResult.of(state);
                            inputs.from("receipts", TEXT).forEach(text -> result.output("archived", TEXT, text));
                            return result;
                        },
                        Registers.of(registers(statesKeyspace)),
                        StateCodec.of(TEXT),
                        () -> "")
                .input(queue(keyspace, "receipts"))
                .exclusiveOutput(queue(keyspace, "archived")));
    }

    private Copy<?> clerkWithoutOutput(List<String> taken) throws Exception {
        return clerk(HandlerDefinition.builder(
                        "clerk",
                        (state, inputs, time) -> {
                            taken.addAll(inputs.from("receipts", TEXT));
                            return HandlerResult.of(state);
                        },
                        Registers.of(registers("")),
                        StateCodec.of(TEXT),
                        () -> "")
                .input(queue("", "receipts")));
    }

    private static Copy<?> clerk(HandlerDefinition.Builder<String> definition) {
        return new HandlerCopy(
                definition.idlePauses(PAUSES).build(), "1", HandlerListener.none(), CopyEnvironment.ofThisMachine());
    }

    private Copy<?> archive(JdbcSinkSettings settings) throws Exception {
        JdbcSink sink = JdbcSink.open(
                database(), "archive", settings, (transaction, message) -> note(transaction, "archive", message));
        return new SinkCopy(
                "archive",
                queue("", "archived"),
                sink,
                PAUSES,
                "1",
                SinkListener.none(),
                CopyEnvironment.ofThisMachine());
    }

    private Copy<?> part(int part) throws Exception {
        return switch (part % 4) {
            case 0 -> bank(queue("", "numbers"));
            case 1 -> pump("pump", queue("", "receipts"));
            case 2 -> clerk("", "");
            default -> archive(SINKS);
        };
    }

    // What happens

    private void createTables() throws SQLException {
        JdbcSink.createTables(database(), SINKS);
        JdbcSink.createTables(database(), OTHER_SINKS);
        try (Connection connection = database().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE noted (sink varchar(100), n bigint, message varchar(100))");
        }
    }

    private void startAll() throws Exception {
        for (int part = 0; part < 8; part++) {
            running.add(part(part));
            running.get(part).start();
        }
    }

    private void restart(int part) throws Exception {
        running.get(part).close();
        running.set(part, part(part));
        running.get(part).start();
    }

    private void endsAndSays(Copy<?> copy, String... told) throws InterruptedException {
        copy.start();
        await(() -> !copy.isRunning());
        assertThat(copy.getFailure())
                .hasValueSatisfying(cause -> assertThat(cause)
                        .isInstanceOf(MismatchedStoresException.class)
                        .hasMessageContainingAll(told));
    }

    private static void await(Supplier<Boolean> condition) throws InterruptedException {
        while (!condition.get()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Each of them would lose or repeat messages if it went on. */
    private void startStrangers() throws Exception {
        endsAndSays(bank(queue("", "numbers-2")), "Sink bank counts the messages of queue numbers", "numbers-2");
        endsAndSays(bank(queue(OTHER, "numbers")), "of an earlier queue numbers");
        endsAndSays(pump("pump", queue("", "receipts-2")), "pushed by pump pump to queue receipts");
        endsAndSays(pump("pump-2", queue("", "receipts")), "gives them to pump pump-2");
        endsAndSays(pump("pump", queue(OTHER, "receipts")), "to an earlier queue receipts");
        endsAndSays(clerk(OTHER, ""), "was used before by another clerk");
        endsAndSays(clerk("", OTHER), "The state of handler clerk counts another");
        endsAndSays(archive(OTHER_SINKS), "Queue archived was used before by another archive");
    }

    private static String number(int i) {
        return "n" + i;
    }

    @Test
    void copiesWithOtherNamesOrStoresEndAndTheOthersTakeEachMessageOnce() throws Exception {
        createTables();
        MessageQueue numbers = queue("", "numbers");
        try {
            startAll();
            for (int i = 0; i < MESSAGES; i++) {
                NumberedPush.push(numbers, Message.of(MessageId.of("people", i), TEXT.encode(number(i))));
                if (random.nextInt(MESSAGES_BETWEEN_RESTARTS) == 0) {
                    restart(random.nextInt(running.size()));
                }
                if (i == MESSAGES / 2) {
                    awaitNoted("archive", 1);
                    startStrangers();
                }
            }
            awaitNoted("archive", MESSAGES);
            List<String> all = IntStream.range(0, MESSAGES)
                    .mapToObj(RenamesContract::number)
                    .toList();
            assertThat(noted("bank")).isEqualTo(all);
            assertThat(noted("archive")).isEqualTo(all);
            assertThat(running).allMatch(Copy::isRunning);
            removeTheOutput(numbers);
        } finally {
            running.forEach(Copy::close);
        }
    }

    /** As the guide says: when the handler has nothing to do. Copies that are closed before may leave outputs in the state. */
    private void removeTheOutput(MessageQueue numbers) throws Exception {
        HandlerCopy clerk = (HandlerCopy) running.get(2);
        await(() -> clerk.getPosition().filter(RenamesContract::isAtRest).isPresent());
        running.get(2).close();
        running.get(6).close();
        List<String> taken = Collections.synchronizedList(new ArrayList<>());
        running.set(2, clerkWithoutOutput(taken));
        running.get(2).start();
        NumberedPush.push(numbers, Message.of(MessageId.of("people", MESSAGES), TEXT.encode("last")));
        await(() -> !taken.isEmpty());
        assertThat(taken).containsExactly("last");
    }

    private static boolean isAtRest(HandlerPosition position) {
        return position.phase().equals("Handling") && position.indexes().getOrDefault("receipts", 0L) == MESSAGES;
    }

    private void awaitNoted(String sink, int count) throws Exception {
        while (noted(sink).size() < count) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
