package io.github.cassandralock.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains what is wrong with the beans of handlers, sinks and pumps. */
final class MistakenHandlerFailureAnalyzer extends AbstractFailureAnalyzer<MistakenHandlerException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MistakenHandlerException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
