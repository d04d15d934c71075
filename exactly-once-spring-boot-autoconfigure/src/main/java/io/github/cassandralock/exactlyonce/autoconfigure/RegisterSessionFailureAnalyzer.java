package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.connection.CassandraSessionFailureAnalyzer;
import io.github.cassandralock.internal.properties.OnSwitch;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Explains why the session to Cassandra could not be opened or reaches no node. Does nothing if exactly-once is disabled or the
 * driver is missing.
 */
record RegisterSessionFailureAnalyzer(Environment environment) implements FailureAnalyzer {

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        return OnSwitch.isOn(environment, "exactly-once.enabled", true)
                        && ClassUtils.isPresent("com.datastax.oss.driver.api.core.CqlSession", null)
                ? new CassandraSessionFailureAnalyzer(environment).analyze(failure)
                : null;
    }
}
