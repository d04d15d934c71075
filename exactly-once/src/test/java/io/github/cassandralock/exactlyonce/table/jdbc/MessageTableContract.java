package io.github.cassandralock.exactlyonce.table.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.jdbc.InterceptedDataSource;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.exactlyonce.table.FailedMessage;
import io.github.cassandralock.exactlyonce.table.Lanes;
import io.github.cassandralock.exactlyonce.table.MessageKind;
import io.github.cassandralock.exactlyonce.table.TableCopy;
import io.github.cassandralock.exactlyonce.table.TableListener;
import io.github.cassandralock.exactlyonce.table.TableMessage;
import io.github.cassandralock.exactlyonce.table.TableTransaction;
import io.github.cassandralock.exactlyonce.time.CalendarTime;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages in a table: each takes effect once, and one that fails holds up no other. */
@Timeout(60)
abstract class MessageTableContract {

    static final String QUEUE = "orders";

    static final Codec<String> TEXT = Codec.utf8();
    private static final int LANE_OF_ACCOUNT_1 = 29;
    private static final int LANE_OF_EURO = 22;
    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(5));
    private static final MessageTableSettings SETTINGS = MessageTableSettings.defaults();

    abstract DataSource source();

    @BeforeEach
    void createTables() throws SQLException {
        JdbcMessageTable.createTable(source(), SETTINGS);
        execute("CREATE TABLE IF NOT EXISTS effects (id bigint GENERATED ALWAYS AS IDENTITY, what varchar(100))");
        execute("DELETE FROM exactly_once_messages");
        execute("DELETE FROM effects");
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void push(String... messages) throws SQLException {
        try (Connection connection = source().getConnection()) {
            push(connection, messages);
        }
    }

    private static void push(Connection connection, String... messages) throws SQLException {
        push(connection, Optional.empty(), messages);
    }

    private static void push(Connection connection, Optional<String> key, String... messages) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(JdbcMessageTable.pushStatement(SETTINGS))) {
            for (String message : messages) {
                statement.setString(1, QUEUE);
                statement.setBytes(2, TEXT.encode(message));
                statement.setObject(3, key.map(Lanes::of).orElse(null), Types.SMALLINT);
                statement.executeUpdate();
            }
        }
    }

    private void pushInOrder(String key, String... messages) throws SQLException {
        try (Connection connection = source().getConnection()) {
            push(connection, Optional.of(key), messages);
        }
    }

    List<String> effects() throws SQLException {
        return texts("SELECT what FROM effects ORDER BY id");
    }

    List<String> waiting() throws SQLException {
        return texts("SELECT payload FROM exactly_once_messages ORDER BY id");
    }

    List<String> texts(String query) throws SQLException {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getObject(1) instanceof byte[] bytes ? TEXT.decode(bytes) : rows.getString(1));
            }
            return texts;
        }
    }

    static void write(Connection connection, String what) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO effects (what) VALUES (?)")) {
            statement.setString(1, what);
            statement.executeUpdate();
        }
    }

    static void write(Connection connection, List<Bytes> payloads) throws SQLException {
        for (Bytes payload : payloads) {
            write(connection, payload.as(TEXT));
        }
    }

    JdbcMessageTable table(TableEffect effect) {
        return JdbcMessageTable.open(source(), QUEUE, SETTINGS, effect);
    }

    /** Polled until it is true. */
    interface Condition {
        boolean isTrue() throws SQLException;
    }

    static void await(Condition condition) throws SQLException, InterruptedException {
        while (!condition.isTrue()) {
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    /** Polls while the copy runs. */
    static void await(TableCopy copy, Condition condition) throws SQLException, InterruptedException {
        await(() -> condition.isTrue() || copy.getFailure().isPresent());
        assertThat(copy.getFailure()).isEmpty();
    }

    /** What a copy has done. */
    record Events(List<Integer> groups, List<String> failures, List<Throwable> ends) implements TableListener {

        Events() {
            this(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
        }

        @Override
        public void onMessagesTaken(String queue, int messages) {
            groups.add(messages);
        }

        @Override
        public void onMessageFailed(String queue, int attempt, Throwable cause) {
            failures.add(attempt + " " + cause.getMessage());
        }

        @Override
        public void onFailed(String name, Throwable cause) {
            ends.add(cause);
        }
    }

    TableCopy start(String name, int group, TableEffect effect, Events events) {
        TableCopy copy = new TableCopy(
                QUEUE, table(effect), group, PAUSES, PAUSES, name, List.of(events), CopyEnvironment.ofThisMachine());
        copy.start();
        return copy;
    }

    @Test
    void messagesOfGroupTakeEffectInOneTransactionInTheirOrder() throws Exception {
        push("1", "2", "3");
        Events events = new Events();
        try (TableCopy copy = start("1", 10, MessageTableContract::write, events)) {
            await(copy, () -> !events.groups().isEmpty());
        }
        assertThat(events.groups()).containsExactly(3);
        assertThat(effects()).containsExactly("1", "2", "3");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void messagesThatWaitAreCountedOnceAndUpToTheLimit() throws Exception {
        push("1", "2", "3");
        pushInOrder("account-1", "4", "5");
        JdbcMessageTable table = table(MessageTableContract::write);
        for (MessageKind kind : List.of(MessageKind.NEW, MessageKind.ORDERED)) {
            TableMessage first;
            try (TableTransaction transaction = table.begin()) {
                first = transaction.lock(1, kind).get(0);
            }
            table.postpone(first, Duration.ofHours(1), "bad");
        }
        assertThat(table.count(100)).isEqualTo(5);
        assertThat(table.count(4)).isEqualTo(4);
        execute("DELETE FROM exactly_once_messages");
        assertThat(table.count(100)).isZero();
    }

    @Test
    void messageIsThereIfTheTransactionThatPushedItIsCommitted() throws Exception {
        try (Connection connection = source().getConnection()) {
            connection.setAutoCommit(false);
            push(connection, "rolled back");
            connection.rollback();
            push(connection, "committed");
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(waiting()).containsExactly("committed");
    }

    @Test
    void messageThatFailsUndoesItsEffectAndHoldsUpNoOther() throws Exception {
        push("1", "bad", "3");
        Events events = new Events();
        try (TableCopy copy = start("1", 10, this::failsIfBad, events)) {
            await(copy, () -> effects().size() == 2 && events.failures().size() >= 3);
        }
        assertThat(effects()).containsExactly("1", "3");
        assertThat(waiting()).containsExactly("bad");
        assertThat(events.failures()).startsWith("1 one is bad", "2 one is bad", "3 one is bad");
        assertThat(texts("SELECT last_failure FROM exactly_once_messages"))
                .containsExactly("java.lang.IllegalStateException: one is bad");
    }

    @Test
    void messageThatFailsIsReadUntilItIsTaken() throws Exception {
        push("good", "bad");
        Events events = new Events();
        try (TableCopy copy = start("1", 1, this::failsIfBad, events)) {
            await(copy, () -> events.failures().size() >= 2);
        }
        assertThat(failed()).singleElement().satisfies(message -> {
            assertThat(message.id()).isPositive();
            assertThat(message.failures()).isPositive();
            assertThat(message.reason()).contains("one is bad");
        });
        try (TableCopy copy = start("1", 1, MessageTableContract::write, events)) {
            await(copy, () -> waiting().isEmpty());
        }
        assertThat(failed()).isEmpty();
    }

    @Test
    void messageWhoseFailureNamesTheZeroCharacterHoldsUpNoOther() throws Exception {
        push("zero", "good");
        Events events = new Events();
        TableEffect effect = (connection, payloads) -> {
            write(connection, payloads);
            if (payloads.contains(Bytes.of(TEXT, "zero"))) {
                throw new IllegalStateException("a\0b");
            }
        };
        try (TableCopy copy = start("1", 1, effect, events)) {
            await(copy, () -> effects().contains("good") && events.failures().size() >= 3);
        }
        assertThat(texts("SELECT last_failure FROM exactly_once_messages ORDER BY id"))
                .containsExactly("java.lang.IllegalStateException: a?b");
    }

    /** Its cause fails when somebody wants to write it into the log. */
    @Test
    void messageWhoseFailureCannotDescribeItselfHoldsUpNoOther() throws Exception {
        push("strange", "good");
        Events events = new Events();
        TableEffect effect = (connection, payloads) -> {
            write(connection, payloads);
            if (payloads.contains(Bytes.of(TEXT, "strange"))) {
                throw new IllegalStateException("strange", new Strange());
            }
        };
        try (TableCopy copy = start("1", 1, effect, events)) {
            await(copy, () -> effects().contains("good") && events.failures().size() >= 3);
        }
        assertThat(texts("SELECT last_failure FROM exactly_once_messages"))
                .singleElement()
                .asString()
                .contains("IllegalStateException, or a cause of it, which cannot describe itself");
    }

    private static final class Strange extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("no message");
        }
    }

    @Test
    void copyPausesLongerAndLongerWhileAllMessagesFail() throws Exception {
        push(IntStream.range(0, 9).mapToObj(number -> "bad").toArray(String[]::new));
        List<Duration> pauses = new CopyOnWriteArrayList<>();
        CountDownLatch enough = new CountDownLatch(4);
        CopyEnvironment environment = new CopyEnvironment(
                CalendarTime.system(),
                length -> {
                    pauses.add(length);
                    enough.countDown();
                    Pauser.ofThread().pause(Duration.ofMillis(1));
                },
                Thread::new);
        Events events = new Events();
        GrowingPauses hour = new GrowingPauses(Duration.ofMillis(400), Duration.ofHours(1));
        try (TableCopy copy =
                new TableCopy(QUEUE, table(this::failsIfBad), 1, hour, hour, "1", List.of(events), environment)) {
            copy.start();
            enough.await();
        }
        assertThat(pauses)
                .startsWith(
                        Duration.ofMillis(400), Duration.ofMillis(800), Duration.ofSeconds(1), Duration.ofSeconds(1));
        assertThat(events.failures()).hasSizeGreaterThanOrEqualTo(9).allMatch(failure -> failure.startsWith("1 "));
    }

    @Test
    void nameOfTheTableHasAtMost50Characters() {
        assertThat(SETTINGS.withTable("t".repeat(50)).table()).hasSize(50);
        assertThatThrownBy(() -> SETTINGS.withTable("t".repeat(51)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 50 letters");
    }

    @Test
    void tableIsFoundIfItExists() throws SQLException {
        try (Connection connection = source().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(JdbcMessageTable.exists(connection, SETTINGS)).isTrue();
            assertThat(JdbcMessageTable.exists(connection, SETTINGS.withTable("no_such_messages")))
                    .isFalse();
            assertThat(JdbcMessageTable.exists(connection, SETTINGS.withTable("public.exactly_once_messages")))
                    .as("in its schema, in the transaction that goes on")
                    .isTrue();
            connection.rollback();
        }
    }

    private List<FailedMessage> failed() throws InterruptedException {
        try (TableTransaction transaction = table(MessageTableContract::write).begin()) {
            return transaction.failed(5);
        }
    }

    private void failsIfBad(Connection connection, List<Bytes> payloads) throws SQLException {
        write(connection, payloads);
        if (payloads.contains(Bytes.of(TEXT, "bad"))) {
            throw new IllegalStateException("one is bad");
        }
    }

    @Test
    void messageThatFailedIsTakenWhenTheCauseIsMended() throws Exception {
        push("late");
        List<String> calls = new CopyOnWriteArrayList<>();
        TableEffect mends = (connection, payloads) -> {
            write(connection, payloads);
            calls.add("called");
            if (calls.size() < 3) {
                throw new IllegalStateException("not yet");
            }
        };
        try (TableCopy copy = start("1", 10, mends, new Events())) {
            await(copy, () -> waiting().isEmpty());
        }
        assertThat(effects()).containsExactly("late");
        assertThat(calls).hasSize(3);
    }

    /** PostgreSQL would answer the commit by a rollback. */
    @Test
    void failedStatementThatTheEffectCatchesIsFailureOfTheMessageInPostgres() throws Exception {
        push("1");
        Events events = new Events();
        TableEffect catches = (connection, payloads) -> {
            write(connection, payloads);
            try (Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO no_such_table VALUES (1)");
            } catch (SQLException e) {
                write(connection, "in spite of it");
            }
        };
        try (TableCopy copy = start("1", 10, catches, events)) {
            await(copy, () -> !events.failures().isEmpty() || waiting().isEmpty());
        }
        assertThat(effects().size()).isEqualTo(waiting().isEmpty() ? 2 : 0);
    }

    @Test
    void copiesTakeDifferentMessagesAndEachTakesEffectOnce() throws Exception {
        List<String> messages =
                IntStream.range(0, 300).mapToObj(Integer::toString).toList();
        push(messages.toArray(String[]::new));
        Events events = new Events();
        try (TableCopy first = start("1", 7, MessageTableContract::write, events);
                TableCopy second = start("2", 7, MessageTableContract::write, events)) {
            await(first, () -> waiting().isEmpty());
            assertThat(second.getFailure()).isEmpty();
        }
        assertThat(effects()).containsExactlyInAnyOrderElementsOf(messages);
    }

    @Test
    void messagesOfKeyTakeEffectInTheirOrderInSeveralCopies() throws Exception {
        for (int message = 0; message < 300; message++) {
            pushInOrder("key " + message % 7, Integer.toString(message));
        }
        Events events = new Events();
        try (TableCopy first = start("1", 3, MessageTableContract::write, events);
                TableCopy second = start("2", 4, MessageTableContract::write, events);
                TableCopy third = start("3", 1, MessageTableContract::write, events)) {
            await(first, () -> waiting().isEmpty());
            assertThat(List.of(second, third))
                    .allMatch(copy -> copy.getFailure().isEmpty());
        }
        List<Integer> effects = effects().stream().map(Integer::valueOf).toList();
        assertThat(effects).hasSize(300).doesNotHaveDuplicates();
        for (int key = 0; key < 7; key++) {
            int of = key;
            assertThat(effects.stream().filter(message -> message % 7 == of))
                    .as("messages of key %d", key)
                    .isSorted();
        }
    }

    private static List<String> locked(JdbcMessageTable table) throws InterruptedException {
        try (TableTransaction transaction = table.begin()) {
            return transaction.lock(10, MessageKind.ORDERED).stream()
                    .map(message -> message.payload().as(TEXT))
                    .toList();
        }
    }

    /** The third message was pushed after the commit of the first, which came late. */
    @Test
    void messageDoesNotOvertakeAnEarlierOneThatIsCommittedMeanwhile() throws Exception {
        try (Connection late = source().getConnection()) {
            late.setAutoCommit(false);
            push(late, Optional.of("a"), "1");
            pushInOrder("a", "2");
            DataSource pausing = InterceptedDataSource.of(source(), (method, sql, call) -> {
                if (method.equals("prepareStatement") && sql.contains("id >= ?")) {
                    late.commit();
                    pushInOrder("a", "3");
                }
                return call.proceed();
            });
            assertThat(locked(JdbcMessageTable.open(pausing, QUEUE, SETTINGS, MessageTableContract::write)))
                    .isEmpty();
            late.setAutoCommit(true);
        }
        assertThat(locked(table(MessageTableContract::write))).containsExactly("1", "2", "3");
    }

    /** A pool may receive a new password later than the database. */
    @Test
    void connectionThatIsRefusedDoesNotEndTheCopy() throws Exception {
        push("1");
        AtomicInteger refusals = new AtomicInteger();
        DataSource refusing = InterceptedDataSource.of(source(), (method, sql, call) -> {
            if (method.equals("getConnection") && refusals.getAndDecrement() > 0) {
                throw new SQLTransientConnectionException("time-out", new SQLException("wrong password", "28P01"));
            }
            return call.proceed();
        });
        JdbcMessageTable table = JdbcMessageTable.open(refusing, QUEUE, SETTINGS, MessageTableContract::write);
        refusals.set(3);
        try (TableCopy copy = new TableCopy(
                QUEUE, table, 1, PAUSES, PAUSES, "1", List.of(new Events()), CopyEnvironment.ofThisMachine())) {
            copy.start();
            await(copy, () -> waiting().isEmpty());
        }
        assertThat(refusals.get()).isNegative();
    }

    /** Lanes of these keys differ. */
    @Test
    void messageThatFailsHoldsUpLaterOnesOfItsKeyAndNoOthers() throws Exception {
        assertThat(Lanes.of("a")).isNotEqualTo(Lanes.of("b"));
        pushInOrder("a", "bad", "a2", "a3");
        pushInOrder("b", "b1", "b2");
        push("free");
        Events events = new Events();
        try (TableCopy copy = start("1", 10, this::failsIfBad, events)) {
            await(copy, () -> effects().size() == 3 && events.failures().size() >= 3);
            assertThat(effects()).containsExactlyInAnyOrder("b1", "b2", "free");
        }
        try (TableCopy copy = start("1", 10, MessageTableContract::write, events)) {
            await(copy, () -> waiting().isEmpty());
        }
        assertThat(effects()).endsWith("bad", "a2", "a3");
    }

    /** Nobody would look for its messages. */
    @Test
    void laneThatIsNoneIsRefused() {
        assertThatThrownBy(
                        () -> execute("INSERT INTO exactly_once_messages (queue, payload, lane) VALUES ('orders', '', "
                                + Lanes.COUNT + ")"))
                .isInstanceOf(SQLException.class);
    }

    @Test
    void laneOfKeyIsTheSameInAllPrograms() {
        assertThat(List.of(Lanes.of(""), Lanes.of("account 1"), Lanes.of("\u20ac")))
                .isEqualTo(List.of(0, LANE_OF_ACCOUNT_1, LANE_OF_EURO));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"DELETE FROM exactly_once_messages", "UPDATE exactly_once_messages SET queue = 'elsewhere'"})
    void effectThatDeletesOrMovesItsOwnMessageEndsTheCopy(String sql) throws Exception {
        push("1");
        Events events = new Events();
        TableEffect changes = (connection, payloads) -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        };
        try (TableCopy copy = start("1", 10, changes, events)) {
            await(() -> !events.ends().isEmpty());
            assertThat(copy.getFailure().orElseThrow())
                    .hasMessageContaining("has deleted or moved messages of queue 'orders'");
        }
        assertThat(waiting()).containsExactly("1");
    }

    @Test
    void missingTableIsRefusedWithTheStatementThatCreatesIt() {
        MessageTableSettings other = SETTINGS.withTable("no_such_messages");
        assertThatThrownBy(() -> JdbcMessageTable.open(source(), QUEUE, other, MessageTableContract::write))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("CREATE TABLE IF NOT EXISTS no_such_messages");
    }

    @Test
    void emptyGroupIsRefused() {
        assertThatThrownBy(() -> start("1", 0, MessageTableContract::write, new Events()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A transaction takes at least one message, not 0");
    }
}
