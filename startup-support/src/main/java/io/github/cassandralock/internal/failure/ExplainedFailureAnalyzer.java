package io.github.cassandralock.internal.failure;

import io.github.cassandralock.internal.startup.ExplainedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Prints what an {@link ExplainedException} explains. Runs before Spring Boot's general analyzer of binding failures. */
@Order(0)
public final class ExplainedFailureAnalyzer extends AbstractFailureAnalyzer<ExplainedException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ExplainedException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
