package io.github.cassandralock.exactlyonce.store.jdbc;

import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.LostAnswers;
import io.github.cassandralock.exactlyonce.store.RegisterStoreContract;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

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
}
