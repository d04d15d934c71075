package io.github.cassandralock.exactlyonce.halftransactions;

import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.jdbc.InterceptedDataSource;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.time.CalendarTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A process as stores see it: what it asks them to change is written down, and at one of these operations it ends. Its copies run
 * one at a time, so that runs over equal stores ask for the same operations in the same order. Reads are not counted: a process
 * that ends at one leaves what one leaves that ends after the operation before.
 */
final class KillableProcess {

    private static final int LONGEST_RUN_SECONDS = 120;

    /** How a process ends. */
    interface End {
        void end();
    }

    /** Thrown in place of every answer once the process has ended. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    private final Optional<CrashPoint> crash;
    private final End end;
    private final List<Operation> operations = new CopyOnWriteArrayList<>();
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private volatile boolean dead;

    private KillableProcess(Optional<CrashPoint> crash, End end) {
        this.crash = crash;
        this.end = end;
    }

    /** The threads of this one: they get no answer any more, and the stores lose its connections. */
    static KillableProcess ofThreads(Optional<CrashPoint> crash) {
        return new KillableProcess(crash, () -> {});
    }

    /** This JVM. */
    static KillableProcess ofThisJvm(Optional<CrashPoint> crash, int exitStatus) {
        return new KillableProcess(crash, () -> Runtime.getRuntime().halt(exitStatus));
    }

    /** What it has asked for so far, with that at which it ended. */
    List<Operation> operations() {
        return List.copyOf(operations);
    }

    boolean isDead() {
        return dead;
    }

    /** Before an operation is sent. Returns its number. */
    private int begin(Operation operation) {
        requireAlive();
        int number = operations.size();
        operations.add(operation);
        endAt(CrashPoint.before(number));
        return number;
    }

    /** Before the answer to an operation arrives. */
    private void answered(int number) {
        endAt(CrashPoint.after(number));
    }

    private void requireAlive() {
        if (dead) {
            throw new Killed();
        }
    }

    private void endAt(CrashPoint here) {
        if (crash.equals(Optional.of(here))) {
            end.end();
            dead = true;
            connections.forEach(KillableProcess::lose);
            throw new Killed();
        }
    }

    /** As a server does when a client is gone: what was not committed is rolled back. */
    private static void lose(Connection connection) {
        try (connection) {
            if (!connection.isClosed() && !connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same registers, for this process. */
    RegisterStore watched(RegisterStore store) {
        return new RegisterStore() {
            @Override
            public StoredValue read(String name) throws InterruptedException {
                requireAlive();
                return store.read(name);
            }

            @Override
            public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
                    throws InterruptedException {
                if (isRead(value)) {
                    requireAlive();
                    return store.compareAndSet(name, expected, value, writeId);
                }
                int number = begin(operationOn(name, value));
                CompareAndSetAnswer answer = store.compareAndSet(name, expected, value, writeId);
                answered(number);
                return answer;
            }
        };
    }

    /** A register shows its present version by a write that no version matches. Such a write has no content. */
    private static boolean isRead(byte[] value) {
        return value.length == 0;
    }

    private static Operation operationOn(String register, byte[] value) {
        if (register.startsWith("handler/")) {
            return new Operation(
                    Operation.Kind.STATE,
                    register,
                    DecodedState.of(register, 1, value).phase());
        }
        if (register.startsWith("sink/")) {
            return new Operation(Operation.Kind.EFFECT, register, "");
        }
        return register.contains("/cells/")
                ? new Operation(Operation.Kind.CELL, register.replaceFirst("/\\d+$", ""), "")
                : new Operation(Operation.Kind.RECORD, register, "");
    }

    /** The same database, for this process. */
    DataSource watched(DataSource source) {
        return InterceptedDataSource.of(source, this::around);
    }

    private @Nullable Object around(String method, String sql, InterceptedDataSource.Call call) throws Throwable {
        requireAlive();
        Optional<Operation> operation = operationOf(method, sql);
        int number = operation.map(this::begin).orElse(-1);
        Object result = call.proceed();
        if (operation.isPresent()) {
            answered(number);
        }
        if (result instanceof Connection connection) {
            connections.add(connection);
        }
        return result;
    }

    private static Optional<Operation> operationOf(String method, String sql) {
        if (method.equals("commit")) {
            return Optional.of(new Operation(Operation.Kind.COMMIT, "", ""));
        }
        return method.startsWith("execute") && isChange(sql)
                ? Optional.of(new Operation(Operation.Kind.STATEMENT, firstWords(sql), ""))
                : Optional.empty();
    }

    private static boolean isChange(String sql) {
        String verb = sql.toUpperCase(Locale.ROOT);
        return verb.startsWith("INSERT") || verb.startsWith("UPDATE") || verb.startsWith("DELETE");
    }

    private static String firstWords(String sql) {
        String[] words = sql.split(" ", 4);
        return words[0] + " " + words[1] + (words[0].equals("UPDATE") ? "" : " " + words[2]);
    }

    /** Runs a copy until it has nothing to do, or the process has ended; then closes it. */
    void runUntilIdle(Function<CopyEnvironment, Copy<?>> maker) throws InterruptedException {
        if (dead) {
            return;
        }
        CountDownLatch atRest = new CountDownLatch(1);
        CopyEnvironment environment = new CopyEnvironment(
                CalendarTime.system(),
                length -> {
                    atRest.countDown();
                    new CountDownLatch(1).await(); // until it is closed
                },
                body -> new Thread(() -> {
                    try {
                        body.run();
                    } finally {
                        atRest.countDown();
                    }
                }));
        try (Copy<?> copy = maker.apply(environment)) {
            copy.start();
            if (!atRest.await(LONGEST_RUN_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("After " + LONGEST_RUN_SECONDS + " s a copy still has something to do");
            }
            copy.getFailure().filter(cause -> !(cause instanceof Killed)).ifPresent(cause -> {
                throw new AssertionError("A copy has failed", cause);
            });
        }
    }
}
