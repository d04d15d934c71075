package io.github.cassandralock.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Explains an invalid property. Runs before Spring Boot's general analyzer of binding failures. */
@Order(0)
final class InvalidExactlyOncePropertyFailureAnalyzer
        extends AbstractFailureAnalyzer<InvalidExactlyOncePropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidExactlyOncePropertyException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
