package io.github.cassandralock.exactlyonce.sink.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.InterceptedDataSource;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

/** Sinks in H2, in memory. */
class H2SinkTest extends JdbcSinkContract {

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private final AtomicBoolean loses = new AtomicBoolean();

    @AfterEach
    void close() {
        pool.dispose();
    }

    @Override
    DataSource source() {
        return pool;
    }

    @Override
    DataSource losesNextCommit() {
        loses.set(true);
        return InterceptedDataSource.of(pool, (method, sql, call) -> {
            Object result = call.proceed();
            if (method.equals("commit") && loses.getAndSet(false)) {
                throw new SQLException("The connection was lost", "08006");
            }
            return result;
        });
    }
}
