package io.github.cassandralock.exactlyonce.store.jdbc;

import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.LostAnswers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** For a database in this process: statements take effect, and then it looks as if the connection were lost. */
final class LosingDataSource implements LostAnswers {

    private final RegisterStore store;
    private final AtomicReference<@Nullable CountDownLatch> loss = new AtomicReference<>();

    LosingDataSource(DataSource source, JdbcStoreSettings settings) {
        this.store = JdbcRegisterStore.open(wrapped(source, DataSource.class), settings);
    }

    @Override
    public RegisterStore store() {
        return store;
    }

    /** Without a network both ways are the same. */
    @Override
    public void begin(Way way) {
        loss.set(new CountDownLatch(1));
    }

    @Override
    public void awaitLoss() throws InterruptedException {
        CountDownLatch present = loss.get();
        if (present == null || !present.await(30, TimeUnit.SECONDS)) {
            throw new AssertionError("No answer was lost within half a minute");
        }
    }

    @Override
    public void end() {
        loss.set(null);
    }

    @Override
    public void close() {
        end();
    }

    /** What it gives is wrapped, too, down to statements. */
    private <T> T wrapped(T object, Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object result = call(object, method, arguments);
                    if (method.getName().startsWith("execute")) {
                        loseAnswer();
                    }
                    return result instanceof Connection connection
                            ? wrapped(connection, Connection.class)
                            : result instanceof PreparedStatement statement
                                    ? wrapped(statement, PreparedStatement.class)
                                    : result;
                }));
    }

    private void loseAnswer() throws SQLException {
        CountDownLatch present = loss.get();
        if (present != null) {
            present.countDown();
            throw new SQLException("The connection was lost", "08006");
        }
    }

    private static @Nullable Object call(Object object, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
