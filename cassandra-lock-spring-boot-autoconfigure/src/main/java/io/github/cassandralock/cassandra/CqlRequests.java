package io.github.cassandralock.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
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

    public CqlRequests(SessionFactory sessions, LockConsistency consistency) {
        this.sessions = sessions;
        this.template = new AsyncCqlTemplate(sessions);
        this.consistency = consistency;
    }

    /**
     * Prepares a statement that may be sent twice without harm: its effect is fixed by the timestamp it carries, so the
     * driver may repeat it. Blocks; for start-up.
     */
    PreparedStatement prepareIdempotent(String cql) {
        return sessions.getSession()
                .prepare(SimpleStatement.builder(cql)
                        .setIdempotence(true)
                        .setConsistencyLevel(consistency.level())
                        .build());
    }

    CompletionStage<WriteOutcome> write(BoundStatement statement) {
        return send(statement)
                .<WriteOutcome>thenApply(result -> WriteOutcome.APPLIED)
                .exceptionally(WriteOutcomes::of);
    }

    CompletionStage<AsyncResultSet> read(BoundStatement statement) {
        return send(statement);
    }

    /** A closed session throws instead of answering: to callers both are a failed stage. */
    private CompletionStage<AsyncResultSet> send(BoundStatement statement) {
        try {
            return template.queryForResultSet(statement);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
