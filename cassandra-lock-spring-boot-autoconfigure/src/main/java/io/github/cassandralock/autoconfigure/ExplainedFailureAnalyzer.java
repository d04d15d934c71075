package io.github.cassandralock.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Prints what an exception of this package explains. Runs before Spring Boot's general analyzer of binding failures. */
@Order(0)
final class ExplainedFailureAnalyzer extends AbstractFailureAnalyzer<ExplainedException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ExplainedException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
