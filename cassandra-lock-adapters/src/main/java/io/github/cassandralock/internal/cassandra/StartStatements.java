package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.StreamSupport;

/** Statements about tables, at the start of an application. Each waits for its answer, as long as the driver does. */
record StartStatements(CqlPort port) {

    /** Above the number of tables in a keyspace, and of columns in a table. */
    private static final int ROWS_IN_A_PAGE = 5_000;

    /** @throws DriverException if there is no answer, or a refusal */
    AsyncResultSet execute(SimpleStatement statement) {
        try {
            return port.execute(statement.setConsistencyLevel(ConsistencyLevel.ONE))
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            DriverException driver = RequestFailure.driverException(e);
            throw driver == null ? e : driver.copy();
        }
    }

    /** @throws DriverException if there is no answer, or a refusal */
    List<Row> rows(String cql, Object... values) {
        AsyncResultSet answer = execute(
                SimpleStatement.newInstance(cql, values).setIdempotent(true).setPageSize(ROWS_IN_A_PAGE));
        return StreamSupport.stream(answer.currentPage().spliterator(), false).toList();
    }
}
