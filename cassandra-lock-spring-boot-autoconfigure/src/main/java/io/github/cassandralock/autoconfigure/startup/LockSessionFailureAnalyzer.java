package io.github.cassandralock.autoconfigure.startup;

import io.github.cassandralock.internal.connection.CassandraSessionFailureAnalyzer;
import io.github.cassandralock.internal.properties.OnSwitch;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;

/** Explains why the session to Cassandra could not be opened or reaches no node. Does nothing if locks are disabled. */
public record LockSessionFailureAnalyzer(Environment environment) implements FailureAnalyzer {

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        return OnSwitch.isOn(environment, "cassandra-lock.enabled", true)
                ? new CassandraSessionFailureAnalyzer(environment).analyze(failure)
                : null;
    }
}
