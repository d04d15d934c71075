package io.github.cassandralock.exactlyonce.table.jdbc;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

/** Messages in H2, in memory. */
class H2MessageTableTest extends MessageTableContract {

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

    @AfterEach
    void close() {
        pool.dispose();
    }

    @Override
    DataSource source() {
        return pool;
    }
}
