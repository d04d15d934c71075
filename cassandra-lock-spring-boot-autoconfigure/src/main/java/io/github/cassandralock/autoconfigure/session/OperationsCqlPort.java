package io.github.cassandralock.autoconfigure.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.internal.cassandra.CqlPort;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.SessionCallback;

/**
 * The CQL operations of the application's template. Their session callback changes no statement, and keeps the driver's exception
 * in the stage, which no translator sees.
 *
 * @param requests translates exceptions
 */
record OperationsCqlPort(CqlSession session, CqlOperations operations, CqlPort requests) implements CqlPort {

    /** Uses the session that was determined at the start, even if the operations have another one now. */
    @Override
    public CompletionStage<AsyncResultSet> execute(Statement<?> statement) {
        SessionCallback<CompletionStage<AsyncResultSet>> sending = present -> session.executeAsync(statement);
        return Objects.requireNonNull(operations.execute(sending), "the stage of a statement");
    }

    @Override
    public RuntimeException translated(@Nullable String cql, DriverException failure) {
        return requests.translated(cql, failure);
    }
}
