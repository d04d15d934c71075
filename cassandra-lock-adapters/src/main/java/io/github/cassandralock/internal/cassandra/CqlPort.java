package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The port by which statements of the locks reach Cassandra. An implementation changes none of their settings. Thread-safe. */
public interface CqlPort {

    /** The session that the statements reach Cassandra through. */
    CqlSession session();

    /** Prepares a statement. Does not block. A failed stage has the driver's exception among its causes. */
    default CompletionStage<PreparedStatement> prepare(SimpleStatement statement) {
        return session().prepareAsync(statement);
    }

    /**
     * Sends a statement. Does not block. A failed stage has the driver's exception among its causes, because that decides what
     * became of a write.
     */
    default CompletionStage<AsyncResultSet> execute(Statement<?> statement) {
        return session().executeAsync(statement);
    }

    /** The driver's profile of statements that name none. */
    default DriverExecutionProfile profile() {
        return session().getContext().getConfig().getDefaultProfile();
    }

    /** Whether no statement can be sent any more. */
    default boolean isClosed() {
        return session().isClosed();
    }

    /**
     * Returns what application code receives in place of the driver's exception. Nothing is decided by it. Does not throw.
     *
     * @param cql of the statement that failed; null if no statement did
     */
    default RuntimeException translated(@Nullable String cql, DriverException failure) {
        return failure;
    }
}
