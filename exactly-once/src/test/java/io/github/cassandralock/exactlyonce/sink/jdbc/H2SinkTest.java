package io.github.cassandralock.exactlyonce.sink.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
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
        return wrapped(pool, DataSource.class);
    }

    private <T> T wrapped(T object, Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(object, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (method.getName().equals("commit") && loses.getAndSet(false)) {
                        throw new SQLException("The connection was lost", "08006");
                    }
                    return result instanceof Connection connection ? wrapped(connection, Connection.class) : result;
                }));
    }
}
