package io.github.cassandralock.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.spi.WriteOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;

/**
 * Prepares statements once and sends them at the configured quorum through Spring Data's asynchronous template.
 * Thread-safe.
 */
public final class CqlRequests {

    private final SessionFactory sessions;
    private final AsyncCqlTemplate template;
    private final LockConsistency consistency;
    private final LockSerialConsistency serialConsistency;

    public CqlRequests(SessionFactory sessions, LockConsistency consistency, LockSerialConsistency serialConsistency) {
        this.sessions = sessions;
        this.template = new AsyncCqlTemplate(sessions);
        this.consistency = consistency;
        this.serialConsistency = serialConsistency;
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
        return sessions.getSession().prepare(statement);
    }

    /** Both statements in one mutation; they must be of one partition. */
    CompletionStage<WriteOutcome> writeTogether(BoundStatement one, BoundStatement other) {
        return write(BatchStatement.newInstance(BatchType.UNLOGGED, one, other)
                .setIdempotent(true)
                .setConsistencyLevel(consistency.level()));
    }

    CompletionStage<WriteOutcome> write(Statement<?> statement) {
        return query(statement)
                .<WriteOutcome>thenApply(result -> WriteOutcome.APPLIED)
                .exceptionally(WriteOutcomes::of);
    }

    /** A closed session throws instead of answering: to callers both are a failed stage. */
    CompletionStage<AsyncResultSet> query(Statement<?> statement) {
        try {
            return template.queryForResultSet(statement);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
