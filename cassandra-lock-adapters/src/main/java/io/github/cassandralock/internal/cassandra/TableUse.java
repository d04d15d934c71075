package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks at the start whether the application's user may change the tables, all at the same time. */
record TableUse(CqlPort port) {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Logger log = LoggerFactory.getLogger(TableUse.class);

    /**
     * Sends a request to one node for each table. Only a missing permission prevents the start; other failures do not.
     *
     * @throws UnauthorizedException if the user lacks the permission
     */
    void requireModify(Collection<QualifiedTable> tables) {
        List<CompletionStage<AsyncResultSet>> answers =
                tables.stream().map(this::deleteNothing).toList();
        answers.forEach(TableUse::await);
    }

    /** The empty list matches no row: the node checks the permission and deletes nothing. */
    private CompletionStage<AsyncResultSet> deleteNothing(QualifiedTable table) {
        return port.execute(SimpleStatement.newInstance("DELETE FROM " + table.cql() + " WHERE "
                        + table.table().primaryKey().get(0) + " IN ()")
                .setIdempotent(true)
                .setConsistencyLevel(ConsistencyLevel.ONE)
                .setTimeout(TIMEOUT));
    }

    private static void await(CompletionStage<AsyncResultSet> answer) {
        try {
            answer.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (RequestFailure.driverException(e) instanceof UnauthorizedException refusal
                    && Refusals.isFinal(refusal)) {
                throw refusal;
            }
            log.debug("Could not check whether the user may change the lock tables", e.getCause());
        }
    }
}
