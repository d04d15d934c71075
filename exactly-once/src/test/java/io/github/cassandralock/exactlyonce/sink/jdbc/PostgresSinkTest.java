package io.github.cassandralock.exactlyonce.sink.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.sink.SinkPosition;
import io.github.cassandralock.exactlyonce.store.AnswerLosingProxy;
import io.github.cassandralock.exactlyonce.store.LostAnswers;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.exactlyonce.store.servers.MissingStandby;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;

/** Sinks on a real PostgreSQL whose connections are serializable by default. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresSinkTest extends JdbcSinkContract {

    private final PostgresServer server = PostgresServer.start();
    private final DataSource source = source(server.address());
    private @Nullable AnswerLosingProxy proxy;

    @AfterEach
    void closeProxy() {
        if (proxy != null) {
            proxy.close();
        }
    }

    @AfterAll
    void close() {
        server.close();
    }

    /** Without a pool: a connection that the server has ended is not given again. */
    private static DataSource source(InetSocketAddress address) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(PostgresServer.url(address, ""));
        source.setOptions("-c default_transaction_isolation=serializable");
        return source;
    }

    @Override
    DataSource source() {
        return source;
    }

    @Override
    DataSource losesNextCommit() throws Exception {
        AnswerLosingProxy losing = new AnswerLosingProxy(server.address());
        proxy = losing;
        return losing(source(losing.address()), DataSource.class, losing);
    }

    /** The proxy cuts the connection when the server answers to the commit. */
    private static <T> T losing(T object, Class<T> type, AnswerLosingProxy losing) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        losing.lose(LostAnswers.Way.CUT);
                    }
                    try {
                        Object result = method.invoke(object, arguments);
                        return result instanceof Connection connection
                                ? losing(connection, Connection.class, losing)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** The server commits, and warns that the standby may not have it. */
    @Test
    void commitThatTheStandbyMayNotHaveIsUnknownUntilItHasIt() throws Exception {
        JdbcSink sink = sink(this::note);
        SinkPosition from = position(sink);
        Message message = message(0, "a");
        try (MissingStandby standby = MissingStandby.of(source)) {
            FutureTask<Boolean> taking = new FutureTask<>(() -> sink.take(from, message, after(from, message)));
            Thread copy = new Thread(taking, "copy");
            copy.start();
            standby.cancelNextWait();
            assertThatThrownBy(() -> taking.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(UnknownOutcomeException.class)
                    .hasMessageContaining("failover");
            FutureTask<SinkPosition> asking = new FutureTask<>(() -> position(sink));
            Thread again = new Thread(asking, "copy-again");
            again.start();
            standby.cancelNextWait();
            assertThatThrownBy(() -> asking.get(30, TimeUnit.SECONDS))
                    .as("it does not show what a failover may forget")
                    .hasCauseInstanceOf(RegisterUnavailableException.class);
        }
        assertThat(position(sink)).isEqualTo(after(from, message));
        assertThat(effects()).containsExactly("a");
    }

    @Test
    void effectThatTurnsSafeCommitsOffIsRefused() throws Exception {
        JdbcSink sink = sink((transaction, message) -> {
            note(transaction, message);
            try (Statement statement = transaction.getConnection().createStatement()) {
                statement.execute("SET LOCAL synchronous_commit = off");
            }
        });
        SinkPosition from = position(sink);
        assertThatThrownBy(() -> sink.take(from, message(0, "a"), after(from, message(0, "a"))))
                .isInstanceOf(RegisterRefusedException.class)
                .hasMessageContaining("synchronous_commit");
        assertThat(position(sink)).isEqualTo(FIRST);
        assertThat(effects()).isEmpty();
    }

    @Test
    void transactionIsAtReadCommittedWithTimeouts() throws Exception {
        List<String> seen = new ArrayList<>();
        JdbcSink sink = sink((transaction, message) -> {
            for (String setting : List.of(
                    "transaction_isolation",
                    "lock_timeout",
                    "idle_in_transaction_session_timeout",
                    "statement_timeout")) {
                try (Statement statement = transaction.getConnection().createStatement();
                        ResultSet row = statement.executeQuery("SHOW " + setting)) {
                    row.next();
                    seen.add(row.getString(1));
                }
            }
        });
        SinkPosition from = position(sink);

        sink.take(from, message(0, "a"), after(from, message(0, "a")));

        assertThat(seen).containsExactly("read committed", "20s", "20s", "30s");
    }

    /** A copy whose effect stands still until it is told to go on. */
    private FutureTask<Boolean> stuckCopy(
            JdbcSinkSettings settings,
            SinkPosition from,
            Message message,
            CountDownLatch inEffect,
            CountDownLatch goOn) {
        JdbcSink stuck = JdbcSink.open(source, name, settings, (transaction, taken) -> {
            note(transaction, taken);
            inEffect.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        FutureTask<Boolean> copy = new FutureTask<>(() -> stuck.take(from, message, after(from, message)));
        new Thread(copy, "stuck copy").start();
        return copy;
    }

    @Test
    void copyThatStandsStillInItsTransactionIsEndedByTheServer() throws Exception {
        JdbcSinkSettings shortIdle =
                SETTINGS.withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ofSeconds(30));
        SinkPosition from = position(sink(this::note));
        Message message = message(0, "a");
        CountDownLatch inEffect = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FutureTask<Boolean> stuck = stuckCopy(shortIdle, from, message, inEffect, goOn);
        inEffect.await();

        assertThat(sink(this::note).take(from, message, after(from, message))).isTrue();
        goOn.countDown();

        assertThatThrownBy(() -> stuck.get(30, TimeUnit.SECONDS))
                .satisfies(e -> assertThat(e.getCause())
                        .isInstanceOfAny(RegisterUnavailableException.class, UnknownOutcomeException.class));
        assertThat(effects()).containsExactly("a");
    }

    @Test
    void copyThatWaitsForTheLockForTooLongTriesAgainLater() throws Exception {
        JdbcSinkSettings impatient =
                SETTINGS.withTimeouts(Duration.ofMillis(200), Duration.ofSeconds(20), Duration.ofSeconds(30));
        SinkPosition from = position(sink(this::note));
        Message message = message(0, "a");
        CountDownLatch inEffect = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FutureTask<Boolean> stuck = stuckCopy(SETTINGS, from, message, inEffect, goOn);
        inEffect.await();

        JdbcSink waiting = JdbcSink.open(source, name, impatient, this::note);
        assertThatThrownBy(() -> waiting.take(from, message, after(from, message)))
                .isInstanceOf(RegisterUnavailableException.class)
                .hasMessageContaining("Nothing was committed");
        goOn.countDown();

        assertThat(stuck.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(waiting.take(from, message, after(from, message))).isFalse();
        assertThat(effects()).containsExactly("a");
    }

    @Test
    void effectThatHidesAFailureIsNotCommitted() throws Exception {
        JdbcSink sink = sink((transaction, message) -> {
            note(transaction, message);
            try (Statement statement = transaction.getConnection().createStatement()) {
                statement.execute("INSERT INTO nowhere VALUES (1)");
            } catch (SQLException e) {
                // hidden
            }
        });
        SinkPosition from = position(sink);

        assertThatThrownBy(() -> sink.take(from, message(0, "a"), after(from, message(0, "a"))))
                .isInstanceOf(RegisterUnavailableException.class)
                .hasMessageContaining("Nothing was committed");
        assertThat(position(sink)).isEqualTo(FIRST);
        assertThat(effects()).isEmpty();
    }

    /** No statement of the transaction failed, so nothing else shows it. */
    @Test
    void effectThatEndsTheTransactionBySqlIsNoticed() throws Exception {
        for (String end : List.of("COMMIT", "ROLLBACK")) {
            JdbcSink sink = sink((transaction, message) -> {
                try (Statement statement = transaction.getConnection().createStatement()) {
                    statement.execute(end);
                }
                note(transaction, message);
            });
            SinkPosition from = position(sink);
            Message message = message(0, "a");
            assertThatThrownBy(() -> sink.take(from, message, after(from, message)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("COMMIT or ROLLBACK");
            assertThat(effects()).isEmpty();
            name = name + "-rolled-back";
        }
    }

    @Test
    void settingThatForgetsIsRefusedAtTheStart() {
        PGSimpleDataSource forgetful = new PGSimpleDataSource();
        forgetful.setUrl(PostgresServer.url(server.address(), ""));
        forgetful.setOptions("-c synchronous_commit=off");
        assertThatThrownBy(() -> JdbcSink.open(forgetful, name, SETTINGS, this::note))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("synchronous_commit = off");
    }
}
