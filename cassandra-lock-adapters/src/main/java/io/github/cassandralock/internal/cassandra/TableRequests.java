package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import io.github.cassandralock.internal.cassandra.RequestObserver.Kind;
import io.github.cassandralock.internal.quorum.AnswerCheck;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Prepares the statements on one table, sends them, and checks the answers. An answer must come from the requested quorum ({@link
 * AnswerCheck}). A failure that a retry cannot change becomes a {@link RefusedRequestException}. Thread-safe.
 *
 * <p>Each statement sets its consistency levels, page size and idempotence, and a write its timestamp. Therefore the
 * application's driver profile changes none of these.
 */
final class TableRequests {

    /**
     * Above the number of rows in a partition, because a read must not be split into pages. Administrators may forbid so large a
     * page.
     */
    static final int ONE_PAGE = 100_000;

    /** For statements with few rows: no guardrail forbids it. */
    private static final int FEW_ROWS = 100;

    private static final int PREPARATIONS = 10;
    private static final Duration BETWEEN_PREPARATIONS = Duration.ofMillis(200);

    private final QualifiedTable table;
    private final CqlRequests settings;
    private final CqlPort port;
    private final AnswerCheck answers;
    private final Refusals refusals;
    private final Ticker ticker = Ticker.system();
    private final AtomicLong lastTimestamp = new AtomicLong();

    TableRequests(QualifiedTable table, CqlRequests settings) {
        this.table = table;
        this.settings = settings;
        this.port = settings.port();
        this.answers = new AnswerCheck(table.cql(), settings.local());
        this.refusals = new Refusals(table, port);
    }

    /**
     * A lightweight transaction. It is not idempotent, so the driver does not repeat it speculatively, and otherwise only after an
     * {@code UnavailableException}. A repetition is refused if the first request was applied: {@link AnswerCheck} rejects a refusal
     * after an earlier try.
     */
    SimpleStatement conditional(String cql) {
        return idempotent(cql).setIdempotent(false);
    }

    /** A read that sees all completed lightweight transactions. */
    SimpleStatement serialRead(String cql) {
        return idempotent(cql).setConsistencyLevel(settings.serialConsistency().getLevel());
    }

    /** A read whose answer may have as many rows as a partition. */
    SimpleStatement readOfManyRows(String cql, Object... values) {
        return idempotent(cql, values).setPageSize(ONE_PAGE);
    }

    /** A statement that the driver may repeat: its timestamp determines its effect. */
    SimpleStatement idempotent(String cql, Object... values) {
        return SimpleStatement.newInstance(cql, values)
                .setIdempotent(true)
                .setConsistencyLevel(settings.consistency().getLevel())
                .setSerialConsistencyLevel(settings.serialConsistency().getLevel())
                .setPageSize(FEW_ROWS);
    }

    /**
     * Returns microseconds, higher at each call, for a write that has no other order. Otherwise the driver would use the
     * application's generator.
     */
    long timestamp() {
        long now = WallClock.system().readMicros();
        return lastTimestamp.updateAndGet(last -> Math.max(last + 1, now));
    }

    /** The value of a column {@code lock_id}. */
    String stored(String lockId) {
        return settings.ids().stored(lockId);
    }

    /** The lock of a value of a column {@code lock_id}; empty if it is no lock of this application. */
    Optional<String> lockId(String stored) {
        return settings.ids().lockId(stored);
    }

    /**
     * Prepares statements, all at the same time. Blocks; for the start of the application.
     *
     * @return as many, in the same order
     * @throws LockSchemaException if Cassandra refuses a statement
     * @throws DriverException if Cassandra does not answer
     */
    List<PreparedStatement> prepare(SimpleStatement... statements) {
        // The driver remembers preparations under way, so the requests that follow share their answers.
        Stream.of(statements).forEach(port::prepare);
        return Stream.of(statements).map(this::prepared).toList();
    }

    private PreparedStatement prepared(SimpleStatement statement) {
        try {
            return prepareAgain(statement);
        } catch (QueryValidationException e) {
            throw new LockSchemaException(
                    "Cassandra refuses a statement on the table " + table.cql() + ": " + e.getMessage() + ".",
                    "Set 'cassandra-lock.schema-action: validate' in application.yml. The application then reports at"
                            + " the start what the table lacks, and the statement that creates it. With"
                            + " 'create-if-not-exists' the application creates a missing table.",
                    e);
        }
    }

    /**
     * Retries, because a node may fail to prepare a statement while another instance creates a table in the keyspace. A node may
     * also receive a new table late, or answer late. The retry may go to another node.
     */
    private PreparedStatement prepareAgain(SimpleStatement statement) {
        String meanwhile = "statements of the locks were being prepared";
        return StartPause.between(
                PREPARATIONS,
                BETWEEN_PREPARATIONS,
                meanwhile,
                TableRequests::isSchemaLate,
                () -> StartStatements.untilAnswered(meanwhile, () -> StartStatements.await(port.prepare(statement))));
    }

    private static boolean isSchemaLate(DriverException e) {
        if (e instanceof AllNodesFailedException failed) {
            return failed.getAllErrors().values().stream()
                    .flatMap(List::stream)
                    .anyMatch(ServerError.class::isInstance);
        }
        return e instanceof InvalidQueryException
                && e.getMessage() != null
                && e.getMessage().contains("does not exist");
    }

    CompletionStage<WriteOutcome> write(Statement<?> statement) {
        return send(statement, Kind.WRITE)
                .<WriteOutcome>thenApply(answer -> WriteOutcome.APPLIED)
                .exceptionally(failure -> refusals.outcome(failure(failure, statement)));
    }

    /** @param unknown makes the outcome of a failed transaction; receives a refusal only if nothing was written */
    <T> CompletionStage<T> compareAndSet(
            Statement<?> statement, Function<AsyncResultSet, T> outcome, Function<Throwable, T> unknown) {
        return send(statement, Kind.TRANSACTION)
                .thenApply(outcome)
                .exceptionally(failure -> unknown.apply(refusals.explainedWrite(failure(failure, statement))));
    }

    /** Completes exceptionally if no quorum answered, or if the answer has more than one page. */
    <T> CompletionStage<T> read(Statement<?> statement, Function<AsyncResultSet, T> result) {
        return read(statement, result, failure -> Optional.empty());
    }

    /**
     * Reads as {@link #read(Statement, Function)} does.
     *
     * @param instead the result after this failure; empty for a failed read
     */
    <T> CompletionStage<T> read(
            Statement<?> statement, Function<AsyncResultSet, T> result, Function<Throwable, Optional<T>> instead) {
        return send(statement, readKind(statement))
                .thenApply(answer -> result.apply(answers.requireWhole(answer)))
                .exceptionallyCompose(thrown -> {
                    RequestFailure failure = failure(thrown, statement);
                    return instead.apply(failure.cause())
                            .map(CompletableFuture::completedFuture)
                            .orElseGet(() -> CompletableFuture.failedFuture(refusals.explained(failure)));
                });
    }

    /** Reads a value of each row, under the conditions of {@link #read}. */
    <T> CompletionStage<List<T>> readRows(Statement<?> statement, Function<Row, T> value) {
        return read(statement, result -> values(result, value));
    }

    /** A value of each row. */
    static <T> List<T> values(AsyncResultSet result, Function<Row, T> value) {
        List<T> values = new ArrayList<>();
        result.currentPage().forEach(row -> values.add(value.apply(row)));
        return values;
    }

    private static Kind readKind(Statement<?> statement) {
        ConsistencyLevel level = statement.getConsistencyLevel();
        return level != null && level.isSerial() ? Kind.SERIAL_READ : Kind.READ;
    }

    /** The result does not depend on the observer, so an observer that throws changes nothing. */
    private CompletionStage<AsyncResultSet> send(Statement<?> statement, Kind kind) {
        long sentAt = ticker.nanos();
        CompletionStage<AsyncResultSet> answer = send(statement);
        answer.whenComplete((result, failure) -> settings.observer()
                .ended(table.table(), kind, Duration.ofNanos(ticker.nanos() - sentAt), failure == null));
        return answer;
    }

    /** Returns a failed stage even if the session is closed, for which the driver throws at once. */
    private CompletionStage<AsyncResultSet> send(Statement<?> statement) {
        try {
            return port.execute(statement).thenApply(answer -> answers.requireQuorum(statement, answer));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private RequestFailure failure(Throwable failure, Statement<?> statement) {
        return RequestFailure.of(failure, statement, port);
    }
}
