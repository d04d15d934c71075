package io.github.cassandralock.exactlyonce.store.jdbc;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.LostAnswers;
import io.github.cassandralock.exactlyonce.store.RegisterStoreContract;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of stores in H2, in memory. */
class H2RegisterStoreTest extends RegisterStoreContract {

    private final JdbcStoreSettings settings = JdbcStoreSettings.defaults();
    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

    private final RegisterStore store;

    H2RegisterStoreTest() {
        JdbcRegisterStore.createTable(pool, settings);
        store = JdbcRegisterStore.open(pool, settings);
    }

    @AfterEach
    void close() {
        pool.dispose();
    }

    @Override
    protected RegisterStore store() {
        return store;
    }

    @Override
    protected LostAnswers lostAnswers() {
        return new LosingDataSource(pool, settings);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void assertUnfit(String table, String... parts) {
        assertThatThrownBy(() -> JdbcRegisterStore.open(pool, settings.withTable(table)))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void tableThatIsMissingIsRefusedWithTheStatementThatCreatesIt() {
        assertUnfit("nowhere", "create it with: CREATE TABLE IF NOT EXISTS nowhere (name varchar(512) PRIMARY KEY");
    }

    @Test
    void tableOfAnotherShapeIsRefused() throws SQLException {
        execute("CREATE TABLE other (name varchar(512) PRIMARY KEY, version int, process uuid, counter bigint,"
                + " register_value varbinary)");
        assertUnfit("other", "VERSION integer");
    }

    @Test
    void tableWithoutPrimaryKeyOnTheNameAloneIsRefused() throws SQLException {
        execute("CREATE TABLE keyless (name varchar(512), version bigint, process uuid, counter bigint,"
                + " register_value varbinary, PRIMARY KEY (name, version))");
        assertUnfit("keyless", "no primary key on the column name alone");
    }

    @Test
    void tableInASchemaIsUsed() throws Exception {
        execute("CREATE SCHEMA elsewhere");
        JdbcRegisterStore.createTable(pool, settings.withTable("elsewhere.registers"));
        JdbcRegisterStore.open(pool, settings.withTable("elsewhere.registers"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a;drop", "a.b.c", "1a", "\"a\""})
    void tableNamesThatNeedQuotesAreRefused(String table) {
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withTable(table));
    }
}
