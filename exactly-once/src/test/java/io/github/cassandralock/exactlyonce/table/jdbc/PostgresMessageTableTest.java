package io.github.cassandralock.exactlyonce.table.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.jdbc.Database;
import io.github.cassandralock.exactlyonce.jdbc.InterceptedDataSource;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import io.github.cassandralock.exactlyonce.table.MessageKind;
import io.github.cassandralock.exactlyonce.table.TableCopy;
import io.github.cassandralock.exactlyonce.table.TableMessage;
import io.github.cassandralock.exactlyonce.table.TableTransaction;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;

/** Messages in a real PostgreSQL whose connections are serializable by default. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresMessageTableTest extends MessageTableContract {

    private final PostgresServer server = PostgresServer.start();
    private final PGSimpleDataSource source = new PGSimpleDataSource();

    PostgresMessageTableTest() {
        source.setUrl(PostgresServer.url(server.address(), "&options=-c%20default_transaction_isolation=serializable"));
    }

    @AfterAll
    void close() {
        server.close();
    }

    @Override
    DataSource source() {
        return source;
    }

    /** Of the names of the indexes none is cut, for then the second one would not be created. */
    @Test
    void tableWithTheLongestNameHasAllItsIndexes() throws SQLException {
        String table = "t".repeat(50);
        JdbcMessageTable.createTable(source, MessageTableSettings.defaults().withTable(table));
        assertThat(texts("SELECT indexname FROM pg_indexes WHERE tablename = '" + table + "' ORDER BY indexname"))
                .containsExactly(table + "_failed", table + "_lane", table + "_new", table + "_pkey");
    }

    @Test
    void messagesThatWaitAfterFailuresSlowNoLookForNewOnes() throws SQLException {
        execute("INSERT INTO exactly_once_messages (queue, payload, failures, not_before)"
                + " SELECT 'orders', '', 1, now() + interval '1 hour' FROM generate_series(1, 20000)");
        execute("INSERT INTO exactly_once_messages (queue, payload) VALUES ('orders', 'new')");
        execute("ANALYZE exactly_once_messages");
        String query = new MessageStatements(Database.POSTGRESQL, "exactly_once_messages")
                .lockNew(10)
                .replace("queue = ?", "queue = 'orders'");
        assertThat(texts("EXPLAIN " + query)).anyMatch(line -> line.contains("using exactly_once_messages_new"));
    }

    @Test
    void lanesAreFoundByTheirIndexHoweverManyMessagesTheyHave() throws SQLException {
        execute("INSERT INTO exactly_once_messages (queue, payload, lane)"
                + " SELECT 'orders', '', n % 3 FROM generate_series(1, 20000) AS n");
        execute("ANALYZE exactly_once_messages");
        String query = new MessageStatements(Database.POSTGRESQL, "exactly_once_messages")
                .lockHead()
                .replace("queue = ?", "queue = 'orders'");
        assertThat(texts("EXPLAIN " + query))
                .anyMatch(line -> line.contains("using exactly_once_messages_lane"))
                .noneMatch(line -> line.contains("Seq Scan"));
    }

    private static TableEffect executing(String sql) {
        return (connection, payloads) -> {
            write(connection, payloads);
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        };
    }

    /** It may be promoted soon. */
    @Test
    void standbyIsNoReasonToEndTheCopy() throws Exception {
        DataSource standby = InterceptedDataSource.of(
                source,
                (method, sql, call) -> sql.contains("pg_is_in_recovery")
                        ? source.getConnection().createStatement().executeQuery("SELECT true")
                        : call.proceed());
        assertThatThrownBy(() -> JdbcMessageTable.open(
                        standby, QUEUE, MessageTableSettings.defaults(), MessageTableContract::write))
                .isInstanceOf(RegisterUnavailableException.class)
                .hasMessageContaining("standby server");
    }

    /** PostgreSQL requires the permission to create tables even if they exist. */
    @Test
    void userWhoMayNotCreateTablesUsesThoseThatExist() throws Exception {
        JdbcSink.createTables(source, JdbcSinkSettings.defaults());
        JdbcRegisterStore.createTable(source, JdbcStoreSettings.defaults());
        execute("DROP ROLE IF EXISTS reader");
        execute("CREATE ROLE reader");
        execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO reader");
        PGSimpleDataSource restricted = new PGSimpleDataSource();
        restricted.setUrl(PostgresServer.url(server.address(), "&options=-c%20role=reader"));
        JdbcMessageTable.createTable(restricted, MessageTableSettings.defaults());
        JdbcSink.createTables(restricted, JdbcSinkSettings.defaults());
        JdbcRegisterStore.createTable(restricted, JdbcStoreSettings.defaults());
        assertThatThrownBy(() -> JdbcRegisterStore.createTable(
                        restricted, JdbcStoreSettings.defaults().withTable("missing")))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("permission denied");
    }

    @Test
    void transactionLeavesOutWhatAnotherHasLocked() throws Exception {
        push("1", "2", "3");
        JdbcMessageTable table = table(MessageTableContract::write);
        try (TableTransaction first = table.begin();
                TableTransaction second = table.begin()) {
            assertThat(payloads(first.lock(2, MessageKind.NEW))).containsExactly("1", "2");
            assertThat(payloads(second.lock(2, MessageKind.NEW))).containsExactly("3");
        }
        assertThat(waiting()).hasSize(3);
    }

    private static List<String> payloads(List<TableMessage> messages) {
        return messages.stream().map(message -> message.payload().as(TEXT)).toList();
    }

    /** If it ran again, what it has committed would be there several times. */
    @Test
    void effectThatEndsItsTransactionEndsTheCopy() throws Exception {
        push("1");
        Events events = new Events();
        try (TableCopy copy = start("1", 10, executing("COMMIT"), events)) {
            await(() -> !events.ends().isEmpty());
            assertThat(copy.getFailure().orElseThrow()).hasMessageContaining("has ended its transaction");
        }
        assertThat(effects()).containsExactly("1");
    }

    @Test
    void effectThatSwitchesOffSynchronousCommitEndsTheCopy() throws Exception {
        push("1");
        Events events = new Events();
        try (TableCopy copy = start("1", 10, executing("SET LOCAL synchronous_commit = off"), events)) {
            await(() -> !events.ends().isEmpty());
            assertThat(copy.getFailure().orElseThrow()).hasMessageContaining("synchronous_commit");
        }
        assertThat(effects()).isEmpty();
        assertThat(waiting()).containsExactly("1");
    }
}
