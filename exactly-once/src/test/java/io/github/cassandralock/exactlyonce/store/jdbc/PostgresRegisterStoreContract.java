package io.github.cassandralock.exactlyonce.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.jdbc.StatementConnection;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer.Applied;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.store.AnswerLosingProxy;
import io.github.cassandralock.exactlyonce.store.LostAnswers;
import io.github.cassandralock.exactlyonce.store.ProxiedAnswers;
import io.github.cassandralock.exactlyonce.store.RegisterStoreContract;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.exactlyonce.store.servers.MissingStandby;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The contract of stores on a real PostgreSQL, and what is refused when a store is opened. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PostgresRegisterStoreContract extends RegisterStoreContract {

    private static final JdbcStoreSettings SETTINGS = JdbcStoreSettings.defaults();

    private final String options;
    private final PostgresServer server = PostgresServer.start();
    private final JdbcConnectionPool pool;
    private final RegisterStore store;

    /** @param options of the connections, such as {@code -c name=value} */
    PostgresRegisterStoreContract(String options) {
        this.options = options;
        this.pool = pool(server.address());
        JdbcRegisterStore.createTable(pool, SETTINGS);
        this.store = JdbcRegisterStore.open(pool, SETTINGS);
    }

    @AfterAll
    void close() {
        pool.dispose();
        server.close();
    }

    private JdbcConnectionPool pool(InetSocketAddress address) {
        PGConnectionPoolDataSource source = new PGConnectionPoolDataSource();
        source.setUrl(PostgresServer.url(address, ""));
        source.setOptions(options);
        return JdbcConnectionPool.create(source);
    }

    private DataSource plain(String user, String withOptions) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(PostgresServer.url(server.address(), ""));
        source.setUser(user);
        source.setOptions(withOptions);
        return source;
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = plain("postgres", "").getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    protected RegisterStore store() {
        return store;
    }

    @Override
    protected LostAnswers lostAnswers() throws Exception {
        AnswerLosingProxy proxy = new AnswerLosingProxy(server.address());
        JdbcConnectionPool behind = pool(proxy.address());
        return new ProxiedAnswers(
                proxy, JdbcRegisterStore.open(behind, SETTINGS.withTimeout(Duration.ofSeconds(1))), behind::dispose);
    }

    private static WriteId write() {
        return new WriteId(UUID.randomUUID(), 1);
    }

    /** The server commits, and warns that the standby may not have it. */
    @Test
    void writeThatTheStandbyMayNotHaveIsUnknownUntilItHasIt() throws Exception {
        RegisterStore impatient = JdbcRegisterStore.open(pool, SETTINGS.withTimeout(Duration.ofSeconds(1)));
        WriteId write = write();
        for (long version = 0; version < 2; version++) {
            long expected = version;
            WriteId first = write;
            try (MissingStandby standby = MissingStandby.of(plain("postgres", ""))) {
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> impatient.compareAndSet("standby", expected, new byte[] {1}, first))
                            .as("sending %s of version %s, %s", i, expected, standby)
                            .isInstanceOf(UnknownOutcomeException.class);
                }
            }
            assertThat(impatient.compareAndSet("standby", expected, new byte[] {1}, first))
                    .isEqualTo(new CompareAndSetAnswer.Refused(StoredValue.of(expected + 1, first, new byte[] {1})));
            write = write();
        }
    }

    @Test
    void sessionThatDoesNotWaitForTheStandbyIsRefusedAtTheStart() throws Exception {
        DataSource local = plain("postgres", "-c synchronous_commit=local");
        JdbcRegisterStore.open(local, SETTINGS);
        try (MissingStandby standby = MissingStandby.of(plain("postgres", ""))) {
            assertThatThrownBy(() -> JdbcRegisterStore.open(local, SETTINGS))
                    .as("with %s", standby)
                    .isInstanceOf(StoreUnfitException.class)
                    .hasMessageContaining("synchronous_commit = local")
                    .hasMessageContaining("Set synchronous_commit = on");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"synchronous_commit"})
    void settingThatForgetsIsRefusedAtTheStart(String setting) {
        assertThatThrownBy(() -> JdbcRegisterStore.open(plain("postgres", "-c " + setting + "=off"), SETTINGS))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining(setting + " = off")
                .hasMessageContaining("Set " + setting + " = on");
    }

    @Test
    void tableThatIsMissingIsRefusedWithTheStatementThatCreatesIt() {
        assertThatThrownBy(() -> JdbcRegisterStore.open(pool, SETTINGS.withTable("nowhere")))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("create it with: CREATE TABLE IF NOT EXISTS nowhere (name varchar(512)");
    }

    @Test
    void tableOfAnotherShapeIsRefused() throws SQLException {
        execute("CREATE TABLE other (name varchar(512) PRIMARY KEY, version int NOT NULL, process uuid, counter bigint,"
                + " register_value bytea)");
        assertThatThrownBy(() -> JdbcRegisterStore.open(pool, SETTINGS.withTable("other")))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("version int4");
    }

    @Test
    void tableWithoutPrimaryKeyIsRefused() throws SQLException {
        execute(
                "CREATE TABLE keyless (name varchar(512), version bigint, process uuid, counter bigint, register_value bytea)");
        assertThatThrownBy(() -> JdbcRegisterStore.open(pool, SETTINGS.withTable("keyless")))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("no primary key on the column name");
    }

    @Test
    void unloggedTableIsRefused() throws SQLException {
        execute(
                "CREATE UNLOGGED TABLE unlogged (name varchar(512) PRIMARY KEY, version bigint, process uuid, counter bigint,"
                        + " register_value bytea)");
        assertThatThrownBy(() -> JdbcRegisterStore.open(pool, SETTINGS.withTable("unlogged")))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("SET LOGGED");
    }

    @Test
    void tableInASchemaIsUsed() throws Exception {
        execute("CREATE SCHEMA elsewhere");
        JdbcStoreSettings settings = SETTINGS.withTable("elsewhere.registers");
        JdbcRegisterStore.createTable(pool, settings);

        assertThat(JdbcRegisterStore.open(pool, settings).compareAndSet("a", 0, new byte[1], write()))
                .isInstanceOf(Applied.class);
    }

    @Test
    void userWithoutPermissionIsRefused() throws Exception {
        execute("CREATE USER guest", "GRANT SELECT ON " + SETTINGS.table() + " TO guest");
        assertThatThrownBy(() -> JdbcRegisterStore.open(plain("guest", ""), SETTINGS))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("permission denied");

        execute("GRANT INSERT, UPDATE ON " + SETTINGS.table() + " TO guest");
        JdbcRegisterStore opened = JdbcRegisterStore.open(plain("guest", ""), SETTINGS);
        execute("REVOKE UPDATE ON " + SETTINGS.table() + " FROM guest");
        assertThatThrownBy(() -> opened.compareAndSet("b", 1, new byte[1], write()))
                .isInstanceOf(RegisterRefusedException.class)
                .hasMessageContaining("'b'")
                .hasMessageContaining("needs SELECT, INSERT and UPDATE");
    }

    @Test
    void writeThatAnotherTransactionBlocksForTooLongIsNotApplied() throws Exception {
        store.compareAndSet("blocked", 0, new byte[1], write());
        JdbcRegisterStore impatient = JdbcRegisterStore.open(pool, SETTINGS.withTimeout(Duration.ofSeconds(1)));
        try (Connection blocker = plain("postgres", "").getConnection();
                Statement statement = blocker.createStatement()) {
            blocker.setAutoCommit(false);
            statement.execute("SELECT * FROM " + SETTINGS.table() + " WHERE name = 'blocked' FOR UPDATE");

            assertThatThrownBy(() -> impatient.compareAndSet("blocked", 1, new byte[2], write()))
                    .isInstanceOf(RegisterUnavailableException.class)
                    .hasMessageContaining("was not applied");
            blocker.rollback();
        }
        assertThat(store.read("blocked").getVersion()).isEqualTo(1);
    }

    @Test
    void connectionsWithoutAutocommitAreUsedAndGivenBackAsTheyWere() throws Exception {
        try (Connection connection = plain("postgres", "").getConnection()) {
            connection.setAutoCommit(false);
            StatementConnection used = StatementConnection.open(always(connection), Duration.ofSeconds(1));
            assertThat(used.getConnection().getAutoCommit()).isTrue();
            assertThat(connection.getNetworkTimeout()).isEqualTo(3_000);
            used.close();
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.getNetworkTimeout()).isZero();
        }
    }

    /** Gives this connection, and does not close it. */
    private static DataSource always(Connection connection) {
        Connection unclosed = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : method.invoke(connection, arguments));
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> unclosed);
    }

    @Test
    void serverThatIsNotThereIsUnavailable() {
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setUrl("jdbc:postgresql://127.0.0.1:1/postgres?user=postgres");
        assertThatThrownBy(() -> JdbcRegisterStore.open(nobody, SETTINGS))
                .isInstanceOf(RegisterUnavailableException.class);
    }
}
