package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.concurrent.CompletionStage;

/** The bare driver, for programs without Spring: application code receives the driver's exceptions. */
public record DriverCqlPort(CqlSession session) implements CqlPort {

    @Override
    public PreparedStatement prepare(SimpleStatement statement) {
        return session.prepare(statement);
    }

    @Override
    public CompletionStage<AsyncResultSet> execute(Statement<?> statement) {
        return session.executeAsync(statement);
    }

    @Override
    public DriverExecutionProfile profile() {
        return session.getContext().getConfig().getDefaultProfile();
    }

    @Override
    public boolean isClosed() {
        return session.isClosed();
    }
}
