package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;

/** Statements about tables, at the start of an application. Their answers are awaited as long as the driver waits. */
record StartStatements(CqlPort port) {

    /** Above the number of tables in a keyspace, and of columns in a table. */
    private static final int ROWS_IN_A_PAGE = 5_000;

    private static final String MEANWHILE = "the tables of the locks were being created or validated";

    private static final int ATTEMPTS = 3;
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(200);

    /** Sends the statement without waiting for its answer. */
    CompletionStage<AsyncResultSet> send(SimpleStatement statement) {
        return port.execute(statement.setConsistencyLevel(ConsistencyLevel.ONE));
    }

    /** @throws DriverException if there is no answer, or a refusal */
    static <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().join();
        } catch (CompletionException e) {
            DriverException driver = RequestFailure.driverException(e);
            throw driver == null ? e : driver.copy();
        }
    }

    /**
     * Repeats the statement if there is no answer. One late answer of a node under load does not prevent the start.
     *
     * @param statement has the same result if it is executed twice
     * @throws DriverException if no attempt is answered, or on a refusal
     * @throws IllegalStateException if the thread is interrupted between two attempts
     */
    AsyncResultSet executeAgain(SimpleStatement statement) {
        return untilAnswered(MEANWHILE, () -> await(send(statement)));
    }

    /**
     * Repeats a request if there is no answer, or if the nodes are overloaded or not connected. Blocks.
     *
     * @param meanwhile what was going on, for the message
     * @throws DriverException if no attempt is answered, or on a refusal
     * @throws IllegalStateException if the thread is interrupted between two attempts
     */
    static <T> T untilAnswered(String meanwhile, Supplier<T> request) {
        return StartPause.between(
                ATTEMPTS,
                BETWEEN_ATTEMPTS,
                meanwhile,
                failure -> !(failure instanceof QueryValidationException),
                request);
    }

    /**
     * Reads rows. Blocks.
     *
     * @throws DriverException if no attempt is answered, or on a refusal
     */
    List<Row> rows(String cql, Object... values) {
        return request(cql, values).get();
    }

    /**
     * Sends a read at once, so that several reads are under way at the same time.
     *
     * @return blocks until the rows are there, and repeats the read if there is no answer; to be called once. It throws a {@link
     *     DriverException} if no attempt is answered, or on a refusal
     */
    Supplier<List<Row>> request(String cql, Object... values) {
        SimpleStatement statement =
                SimpleStatement.newInstance(cql, values).setIdempotent(true).setPageSize(ROWS_IN_A_PAGE);
        Deque<CompletionStage<AsyncResultSet>> sent = new ArrayDeque<>(List.of(send(statement)));
        return () -> {
            AsyncResultSet answer =
                    untilAnswered(MEANWHILE, () -> await(sent.isEmpty() ? send(statement) : sent.remove()));
            return StreamSupport.stream(answer.currentPage().spliterator(), false)
                    .toList();
        };
    }
}
