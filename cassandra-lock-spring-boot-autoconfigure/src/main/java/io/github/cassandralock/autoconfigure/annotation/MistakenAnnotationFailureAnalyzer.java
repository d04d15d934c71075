package io.github.cassandralock.autoconfigure.annotation;

import io.github.cassandralock.internal.aop.MistakenAnnotationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Explains an annotation that is invalid or would have no effect. Runs before Spring Boot's analyzers of the consequences. */
@Order(0)
final class MistakenAnnotationFailureAnalyzer extends AbstractFailureAnalyzer<MistakenAnnotationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MistakenAnnotationException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Correct the annotation. docs/guide/annotation.md describes what each attribute accepts, and where the annotation"
                        + " has an effect.",
                cause);
    }
}
