package io.github.cassandralock.autoconfigure.startup;

import io.github.cassandralock.internal.cassandra.LockSchemaException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a keyspace or tables that locks cannot use. */
final class LockSchemaFailureAnalyzer extends AbstractFailureAnalyzer<LockSchemaException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockSchemaException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
