package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;

/**
 * Prepares statements on one table once, sends them, and judges what comes back: an answer counts only if it was given at
 * the quorum that was asked for ({@link AnswerCheck}), and a failure that repetition cannot mend is a
 * {@link RefusedRequestException}. Thread-safe.
 */
final class TableRequests {

    private final QualifiedTable table;
    private final SessionFactory sessions;
    private final AsyncCqlTemplate template;
    private final LockConsistency consistency;
    private final LockSerialConsistency serialConsistency;
    private final AnswerCheck answers;
    private final Refusals refusals;

    TableRequests(
            QualifiedTable table,
            SessionFactory sessions,
            AsyncCqlTemplate template,
            LockConsistency consistency,
            LockSerialConsistency serialConsistency) {
        this.table = table;
        this.sessions = sessions;
        this.template = template;
        this.consistency = consistency;
        this.serialConsistency = serialConsistency;
        this.answers = new AnswerCheck(table);
        this.refusals = new Refusals(table, sessions);
    }

    /**
     * Prepares a statement that may be sent twice without harm: its effect is fixed by the timestamp it carries, so the
     * driver may repeat it. Blocks; for start-up.
     */
    PreparedStatement prepareIdempotent(String cql) {
        return prepare(SimpleStatement.newInstance(cql).setIdempotent(true).setConsistencyLevel(consistency.level()));
    }

    /**
     * Prepares a lightweight transaction. It is not idempotent: the driver must not repeat it, neither after a failure nor
     * speculatively, for the second try would be refused by what the first one did. Blocks; for start-up.
     */
    PreparedStatement prepareConditional(String cql) {
        return prepare(SimpleStatement.newInstance(cql)
                .setIdempotent(false)
                .setConsistencyLevel(consistency.level())
                .setSerialConsistencyLevel(serialConsistency.level()));
    }

    /** Prepares a read that sees every lightweight transaction that has ended. Blocks; for start-up. */
    PreparedStatement prepareSerialRead(String cql) {
        return prepare(
                SimpleStatement.newInstance(cql).setIdempotent(true).setConsistencyLevel(serialConsistency.level()));
    }

    private PreparedStatement prepare(SimpleStatement statement) {
        try {
            return sessions.getSession().prepare(statement);
        } catch (QueryValidationException e) {
            throw new LockSchemaException.Unusable(
                    "Cassandra refuses a statement on the table " + table.cql() + ": " + e.getMessage() + ".",
                    "Set 'cassandra-lock.schema-action: validate' in application.yml: the start then says what the table"
                            + " lacks, and how it is created. With 'create-if-not-exists' a missing table is created.",
                    e);
        }
    }

    CompletionStage<WriteOutcome> write(Statement<?> statement) {
        return send(statement)
                .<WriteOutcome>thenApply(answer -> WriteOutcome.APPLIED)
                .exceptionally(failure -> WriteOutcomes.of(cause(failure), refusals));
    }

    /** @param unknown the outcome of one that failed: with a refusal only if nothing was written */
    <T> CompletionStage<T> compareAndSet(
            Statement<?> statement, Function<AsyncResultSet, T> outcome, Function<Throwable, T> unknown) {
        return send(statement)
                .thenApply(outcome)
                .exceptionally(failure -> unknown.apply(WriteOutcomes.explained(cause(failure), refusals)));
    }

    /** Completes exceptionally if no quorum answered, or if the answer is more than one page. */
    <T> CompletionStage<T> read(Statement<?> statement, Function<AsyncResultSet, T> result) {
        return send(statement)
                .thenApply(answer -> result.apply(answers.requireWhole(answer)))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(refusals.explained(cause(failure))));
    }

    /** A closed session throws instead of answering: to callers both are a failed stage. */
    private CompletionStage<AsyncResultSet> send(Statement<?> statement) {
        try {
            return template.queryForResultSet(statement).thenApply(answer -> answers.requireQuorum(statement, answer));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
