package io.github.cassandralock.exactlyonce.sink.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.Undeclared;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.SequenceCheck;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.sink.OutboxOrigin;
import io.github.cassandralock.exactlyonce.sink.OutboxTarget;
import io.github.cassandralock.exactlyonce.sink.SinkOrigin;
import io.github.cassandralock.exactlyonce.sink.SinkPosition;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What sinks in every relational database keep to. */
@Timeout(120)
abstract class JdbcSinkContract {

    static final JdbcSinkSettings SETTINGS = JdbcSinkSettings.defaults()
            .withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(30));

    static final SinkPosition FIRST = new SinkPosition(0, SequenceCheck.none());

    static final SinkOrigin ORIGIN = new SinkOrigin("orders", "birth-of-the-queue", "birth");

    private static final int COPIES = 5;
    private static final int MESSAGES = 40;
    private static final AtomicInteger NAMES = new AtomicInteger();

    String name = "";

    /** One database for all tests. */
    abstract DataSource source();

    /** The answer to the next commit on its connections is lost. */
    abstract DataSource losesNextCommit() throws Exception;

    @BeforeEach
    void createTables() throws SQLException {
        name = "sink-" + NAMES.incrementAndGet();
        JdbcSink.createTables(source(), SETTINGS);
        execute("CREATE TABLE IF NOT EXISTS effects (sink varchar(100), text varchar(100))");
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    List<String> effects() throws SQLException {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT text FROM effects WHERE sink = '" + name + "' ORDER BY text")) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }

    static Message message(long sequence, String text) {
        return Message.of(MessageId.of("producer", sequence), text.getBytes(StandardCharsets.UTF_8));
    }

    static String text(Message message) {
        return new String(message.payloads().get(0), StandardCharsets.UTF_8);
    }

    static SinkPosition after(SinkPosition from, Message message) {
        return new SinkPosition(from.index() + 1, from.check().after(from.index(), message.id(), 256));
    }

    void note(SinkTransaction transaction, Message message) throws SQLException {
        try (Statement statement = transaction.getConnection().createStatement()) {
            statement.executeUpdate("INSERT INTO effects VALUES ('" + name + "', '" + text(message) + "')");
        }
    }

    /** Where the sink stands; it begins at {@link #FIRST}. */
    static SinkPosition position(JdbcSink sink) throws InterruptedException {
        sink.begin(ORIGIN, FIRST);
        return sink.readPosition();
    }

    JdbcSink sink(JdbcEffect effect) {
        return JdbcSink.open(source(), name, SETTINGS, effect);
    }

    @Test
    void firstPositionIsKept() throws InterruptedException {
        JdbcSink sink = sink(this::note);
        SinkPosition first = new SinkPosition(7, SequenceCheck.none().after(6, MessageId.of("producer", 4), 256));

        assertThat(sink.readOrigin()).isEmpty();
        sink.begin(ORIGIN, first);
        assertThat(sink.readPosition()).isEqualTo(first);
        assertThat(position(sink(this::note))).isEqualTo(first);
    }

    @Test
    void originIsKeptAndNeverChanges() throws InterruptedException {
        sink(this::note).begin(ORIGIN, FIRST);
        sink(this::note).begin(new SinkOrigin("others", "another-birth", "another"), FIRST);
        assertThat(sink(this::note).readOrigin()).contains(ORIGIN);
    }

    @Test
    void positionOfAnOlderVersionHasNoOriginUntilItIsGiven() throws Exception {
        SinkPosition first = new SinkPosition(7, SequenceCheck.none());
        JdbcSink sink = sink(this::note);
        sink.begin(ORIGIN, first);
        execute("UPDATE exactly_once_sinks SET origin = NULL, outbox_target = NULL WHERE name = '" + name + "'");

        assertThat(sink.readOrigin()).contains(SinkOrigin.ofOlderVersion());
        assertThat(JdbcOutbox.open(source(), name, SETTINGS).readOrigin())
                .contains(new OutboxOrigin(0, Optional.empty(), true));
        sink.begin(ORIGIN, FIRST);
        assertThat(sink.readOrigin()).contains(ORIGIN);
        assertThat(sink.readPosition()).isEqualTo(first);
    }

    @Test
    void outboxKeepsWhereItsRowsGo() throws Exception {
        JdbcOutbox outbox = JdbcOutbox.open(source(), name, SETTINGS);
        assertThat(outbox.readOrigin()).as("no sink has begun").isEmpty();
        sink(this::note).begin(ORIGIN, FIRST);
        assertThat(outbox.readOrigin()).contains(new OutboxOrigin(0, Optional.empty(), false));

        OutboxTarget target = new OutboxTarget("pump", "receipts", "birth-of-the-queue", "birth");
        outbox.sendTo(target);
        outbox.sendTo(new OutboxTarget("pump", "others", "another-birth", "another"));
        assertThat(outbox.readOrigin()).contains(new OutboxOrigin(0, Optional.of(target), false));
    }

    @Test
    void tablesOfAnOlderVersionGetTheColumnsThatTheyLack() throws Exception {
        JdbcSinkSettings older = SETTINGS.withTables("older_sinks", "older_outbox");
        JdbcSink.createTables(source(), older);
        execute("ALTER TABLE older_sinks DROP COLUMN origin");
        execute("ALTER TABLE older_sinks DROP COLUMN outbox_target");
        assertThatThrownBy(() -> JdbcSink.open(source(), name, older, this::note))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("ADD COLUMN IF NOT EXISTS origin");

        JdbcSink.createTables(source(), older);
        JdbcSink sink = JdbcSink.open(source(), name, older, this::note);
        sink.begin(ORIGIN, FIRST);
        assertThat(sink.readOrigin()).contains(ORIGIN);
    }

    @Test
    void rowThatWasDeletedIsRefusedForGood() throws Exception {
        JdbcSink sink = sink(this::note);
        sink.begin(ORIGIN, FIRST);
        execute("DELETE FROM exactly_once_sinks WHERE name = '" + name + "'");
        assertThatThrownBy(sink::readPosition)
                .isInstanceOf(RegisterRefusedException.class)
                .hasMessageContaining("was deleted while it ran");
    }

    @Test
    void indexAndEffectAreCommittedTogether() throws Exception {
        JdbcSink sink = sink(this::note);
        SinkPosition from = position(sink);
        Message message = message(0, "a");

        assertThat(sink.take(from, message, after(from, message))).isTrue();

        assertThat(position(sink)).isEqualTo(after(FIRST, message));
        assertThat(effects()).containsExactly("a");
    }

    @Test
    void messageThatWasTakenHasNoEffectAgain() throws Exception {
        JdbcSink sink = sink(this::note);
        SinkPosition from = position(sink);
        Message message = message(0, "a");
        sink.take(from, message, after(from, message));

        assertThat(sink.take(from, message, after(from, message))).isFalse();

        assertThat(effects()).containsExactly("a");
    }

    @Test
    void effectThatTheDatabaseRefusesChangesNothing() throws Exception {
        JdbcSink sink = sink((transaction, message) -> {
            note(transaction, message);
            transaction.getConnection().createStatement().execute("INSERT INTO nowhere VALUES (1)");
        });
        SinkPosition from = position(sink);

        assertThatThrownBy(() -> sink.take(from, message(0, "a"), after(from, message(0, "a"))))
                .isInstanceOf(RegisterRefusedException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining("producer#0");

        assertThat(position(sink)).isEqualTo(FIRST);
        assertThat(effects()).isEmpty();
    }

    @Test
    void effectThatViolatesAConstraintIsRefusedForGood() throws Exception {
        execute("CREATE TABLE IF NOT EXISTS keys_only (id int PRIMARY KEY)");
        execute("DELETE FROM keys_only");
        execute("INSERT INTO keys_only VALUES (1)");
        JdbcSink sink = sink((transaction, message) ->
                transaction.getConnection().createStatement().execute("INSERT INTO keys_only VALUES (1)"));
        SinkPosition from = position(sink);

        assertThatThrownBy(() -> sink.take(from, message(0, "a"), after(from, message(0, "a"))))
                .isInstanceOf(RegisterRefusedException.class);
        assertThat(position(sink)).isEqualTo(FIRST);
    }

    @Test
    void effectThatFailsForAnyReasonChangesNothing() throws Exception {
        JdbcSink failing = sink((transaction, message) -> {
            note(transaction, message);
            throw new IllegalArgumentException("a bug");
        });
        SinkPosition from = position(failing);
        Message message = message(0, "a");

        assertThatThrownBy(() -> failing.take(from, message, after(from, message)))
                .isInstanceOf(RegisterUnavailableException.class)
                .hasMessageContaining("a bug")
                .hasMessageContaining("'" + name + "'");

        assertThat(effects()).isEmpty();
        assertThat(sink(this::note).take(from, message, after(from, message))).isTrue();
    }

    /** A library restores the flag, or Kotlin throws the exception. */
    @Test
    void effectThatInterruptsItsThreadLeavesItUninterrupted() throws Exception {
        JdbcSink throwing = sink((transaction, message) -> {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new InterruptedIOException("no answer"));
        });
        SinkPosition from = position(throwing);
        Message message = message(0, "a");
        assertThatThrownBy(() -> throwing.take(from, message, after(from, message)))
                .isInstanceOf(RegisterUnavailableException.class);
        assertThat(Thread.interrupted()).isFalse();

        JdbcSink returning = sink((transaction, of) -> {
            note(transaction, of);
            Thread.currentThread().interrupt();
        });
        assertThat(returning.take(from, message, after(from, message))).isTrue();
        assertThat(Thread.interrupted()).isFalse();
    }

    /** As the templates of frameworks do it. */
    private JdbcEffect wrapping(String sql) {
        return (transaction, message) -> {
            try (Statement statement = transaction.getConnection().createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new IllegalStateException("data access failed", new IllegalStateException(e));
            }
        };
    }

    @Test
    void refusalOfTheDatabaseIsFoundAmongTheCausesOfWhatAnEffectThrows() throws Exception {
        JdbcSink sink = sink(wrapping("INSERT INTO nowhere VALUES (1)"));
        SinkPosition from = position(sink);
        assertThatThrownBy(() -> sink.take(from, message(0, "a"), after(from, message(0, "a"))))
                .isInstanceOf(RegisterRefusedException.class);
        assertThat(position(sink)).isEqualTo(FIRST);
    }

    @Test
    void errorOfAnEffectIsAFailureThatIsTriedAgain() throws Exception {
        JdbcSink sink = sink((transaction, message) -> {
            note(transaction, message);
            throw new AssertionError("a bug");
        });
        SinkPosition from = position(sink);
        assertThatThrownBy(() -> sink.take(from, message(0, "a"), after(from, message(0, "a"))))
                .isInstanceOf(RegisterUnavailableException.class)
                .hasMessageContaining("messages that follow wait");
        assertThat(effects()).isEmpty();
    }

    @Test
    void checkedExceptionThatNoSignatureDeclaresIsAFailureThatIsTriedAgain() throws Exception {
        JdbcSink sink = sink((transaction, message) -> {
            note(transaction, message);
            throw Undeclared.thrown(new IOException("no such file"));
        });
        SinkPosition from = position(sink);
        assertThatThrownBy(() -> sink.take(from, message(0, "a"), after(from, message(0, "a"))))
                .isInstanceOf(RegisterUnavailableException.class)
                .hasMessageContaining("no such file");
        assertThat(effects()).isEmpty();
    }

    private static List<Connection> connectionsThatLeadBackTo(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT 1");
                ResultSet row = statement.executeQuery()) {
            return List.of(
                    statement.getConnection(),
                    row.getStatement().getConnection(),
                    connection.getMetaData().getConnection());
        }
    }

    @Test
    void effectCannotEndTheTransaction() throws Exception {
        JdbcSink sink = sink((transaction, message) -> {
            Connection connection = transaction.getConnection();
            assertThatIllegalStateException().isThrownBy(connection::commit).withMessageContaining(name);
            for (Connection back : connectionsThatLeadBackTo(connection)) {
                assertThatIllegalStateException().isThrownBy(back::commit).withMessageContaining(name);
            }
            assertThatIllegalStateException().isThrownBy(connection::rollback);
            assertThatIllegalStateException().isThrownBy(connection::close);
            assertThatIllegalStateException().isThrownBy(() -> connection.setAutoCommit(true));
            note(transaction, message);
        });
        SinkPosition from = position(sink);

        assertThat(sink.take(from, message(0, "a"), after(from, message(0, "a"))))
                .isTrue();
        assertThat(effects()).containsExactly("a");
    }

    @Test
    void copiesTakeEachMessageOnceAndInOrder() throws Exception {
        List<Message> messages = IntStream.range(0, MESSAGES)
                .mapToObj(i -> message(i, "m" + (100 + i)))
                .toList();
        List<Callable<Integer>> copies = IntStream.range(0, COPIES)
                .mapToObj(copy -> (Callable<Integer>) () -> takeAll(messages))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(COPIES);
        int taken = 0;
        try {
            for (Future<Integer> copy : threads.invokeAll(copies)) {
                taken += copy.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(taken).isEqualTo(MESSAGES);
        assertThat(effects())
                .containsExactlyElementsOf(
                        messages.stream().map(JdbcSinkContract::text).toList());
        assertThat(position(sink(this::note)).check().lastOf("producer")).isEqualTo(MESSAGES - 1L);
    }

    /** PostgreSQL refuses one of two that create a table at the same time, also IF NOT EXISTS. */
    @Test
    void tablesAreCreatedByManyInstancesAtOnce() throws Exception {
        ExecutorService instances = Executors.newFixedThreadPool(COPIES);
        try {
            for (int round = 0; round < 10; round++) {
                String suffix = "_" + NAMES.incrementAndGet();
                JdbcSinkSettings fresh = SETTINGS.withTables("sinks" + suffix, "outbox" + suffix);
                JdbcStoreSettings registers = JdbcStoreSettings.defaults().withTable("registers" + suffix);
                CyclicBarrier together = new CyclicBarrier(COPIES);
                List<Callable<Integer>> creations = Collections.nCopies(COPIES, () -> {
                    int arrived = together.await();
                    JdbcSink.createTables(source(), fresh);
                    JdbcRegisterStore.createTable(source(), registers);
                    return arrived;
                });
                for (Future<Integer> creation : instances.invokeAll(creations)) {
                    assertThat(creation.get()).isNotNegative();
                }
            }
        } finally {
            instances.shutdownNow();
        }
    }

    /** Returns how many messages this copy has taken. Each of them sends two rows to the outbox. */
    private int takeAll(List<Message> messages) throws InterruptedException {
        JdbcSink sink = sink((transaction, message) -> {
            note(transaction, message);
            transaction.send(message.payloads());
            transaction.send(List.of());
        });
        int taken = 0;
        while (true) {
            SinkPosition position = position(sink);
            if (position.index() == messages.size()) {
                return taken;
            }
            Message message = messages.get((int) position.index());
            try {
                taken += sink.take(position, message, after(position, message)) ? 1 : 0;
            } catch (RegisterUnavailableException e) {
                // a lock was not available in time
            }
        }
    }

    @Test
    void rowsOfTheOutboxAreNumberedWithoutGapAlsoAfterFailures() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        JdbcSink sink = sink((transaction, message) -> {
            transaction.send(List.of(message.payloads().get(0), new byte[] {1}));
            transaction.send(message.payloads());
            if (calls.incrementAndGet() % 2 == 1) {
                throw new IllegalArgumentException("every other call fails");
            }
        });
        JdbcOutbox outbox = JdbcOutbox.open(source(), name, SETTINGS);
        assertThat(outbox.readRow(0)).isEmpty();
        SinkPosition position = position(sink);
        for (int i = 0; i < 3; i++) {
            SinkPosition from = position;
            Message message = message(i, "m" + i);
            assertThatThrownBy(() -> sink.take(from, message, after(from, message)))
                    .hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(sink.take(from, message, after(from, message))).isTrue();
            position = position(sink);
        }

        for (int i = 0; i < 3; i++) {
            assertThat(outbox.readRow(2L * i).orElseThrow())
                    .containsExactly(("m" + i).getBytes(StandardCharsets.UTF_8), new byte[] {1});
            assertThat(outbox.readRow(2L * i + 1).orElseThrow())
                    .containsExactly(("m" + i).getBytes(StandardCharsets.UTF_8));
        }
        assertThat(outbox.readRow(6)).isEqualTo(Optional.empty());
        assertThat(JdbcOutbox.open(source(), "other", SETTINGS).readRow(0)).isEmpty();
        assertThat(outbox.deleteBelow(4)).isEqualTo(4);
        assertThat(outbox.readRow(3)).isEmpty();
        assertThat(outbox.readRow(4)).isPresent();
    }

    /** Else each pump would end at it, for ever. */
    @Test
    void rowThatIsTooLargeForAMessageIsAFailureOfTheEffect() throws Exception {
        JdbcSink sink = sink((transaction, message) -> transaction.send(List.of(new byte[1024 * 1024])));
        SinkPosition from = position(sink);
        assertThatThrownBy(() -> sink.take(from, message(0, "a"), after(from, message(0, "a"))))
                .isInstanceOf(RegisterUnavailableException.class)
                .hasMessageContaining("No pump could push the row");
    }

    @Test
    void commitWhoseAnswerIsLostIsUnknownAndTakesEffectOnce() throws Exception {
        SinkPosition from = position(sink(this::note));
        Message message = message(0, "a");
        JdbcSink losing = JdbcSink.open(losesNextCommit(), name, SETTINGS, this::note);

        assertThatThrownBy(() -> losing.take(from, message, after(from, message)))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining("Read its position again");

        JdbcSink next = sink(this::note);
        assertThat(position(next)).isEqualTo(after(from, message));
        assertThat(next.take(from, message, after(from, message))).isFalse();
        assertThat(effects()).containsExactly("a");
    }

    @Test
    void interruptedThreadTakesNothing() throws Exception {
        JdbcSink sink = sink(this::note);
        SinkPosition from = position(sink);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> sink.take(from, message(0, "a"), after(from, message(0, "a"))))
                .isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> position(sink)).isInstanceOf(InterruptedException.class);
        assertThat(effects()).isEmpty();
    }

    @Test
    void tableThatIsMissingIsRefusedWithTheStatementsThatCreateThem() {
        assertThatThrownBy(() ->
                        JdbcSink.open(source(), name, SETTINGS.withTables("no_positions", "no_outbox"), this::note))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("CREATE TABLE IF NOT EXISTS no_positions")
                .hasMessageContaining("CREATE TABLE IF NOT EXISTS no_outbox");
    }
}
