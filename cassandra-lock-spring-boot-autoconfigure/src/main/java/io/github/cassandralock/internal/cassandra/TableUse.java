package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
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

/** Whether the application's user may change the tables: asked at start-up, all tables at the same time. */
record TableUse(CqlSession session) {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Logger log = LoggerFactory.getLogger(TableUse.class);

    /**
     * Asks a node. What does not say that the right is missing is no reason not to start.
     *
     * @throws UnauthorizedException if the user may not
     */
    void requireModify(Collection<QualifiedTable> tables) {
        List<CompletionStage<AsyncResultSet>> answers =
                tables.stream().map(this::deleteNothing).toList();
        answers.forEach(TableUse::await);
    }

    /** No row has a key out of an empty list: the right is checked, and nothing is deleted. */
    private CompletionStage<AsyncResultSet> deleteNothing(QualifiedTable table) {
        return session.executeAsync(SimpleStatement.newInstance("DELETE FROM " + table.cql() + " WHERE "
                        + table.table().primaryKey().get(0) + " IN ()")
                .setIdempotent(true)
                .setTimeout(PATIENCE));
    }

    private static void await(CompletionStage<AsyncResultSet> answer) {
        try {
            answer.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UnauthorizedException refusal && Refusals.isFinal(refusal)) {
                throw refusal;
            }
            log.debug("It is not known whether the lock tables may be changed", e.getCause());
        }
    }
}
