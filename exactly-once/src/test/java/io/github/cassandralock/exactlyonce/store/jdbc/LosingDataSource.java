package io.github.cassandralock.exactlyonce.store.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.InterceptedDataSource;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.LostAnswers;
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
        this.store = JdbcRegisterStore.open(
                InterceptedDataSource.of(source, (method, sql, call) -> around(method, call)), settings);
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

    private @Nullable Object around(String method, InterceptedDataSource.Call call) throws Throwable {
        Object result = call.proceed();
        if (method.startsWith("execute")) {
            loseAnswer();
        }
        return result;
    }

    private void loseAnswer() throws SQLException {
        CountDownLatch present = loss.get();
        if (present != null) {
            present.countDown();
            throw new SQLException("The connection was lost", "08006");
        }
    }
}
