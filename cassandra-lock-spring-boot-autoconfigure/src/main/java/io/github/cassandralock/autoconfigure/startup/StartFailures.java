package io.github.cassandralock.autoconfigure.startup;

import io.github.cassandralock.internal.connection.CassandraSessionFailureAnalyzer;
import io.github.cassandralock.internal.failure.ExplainedFailureAnalyzer;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;

/** Explains a failed start in the background like a failed start of the application: what happened, and what to do. */
public record StartFailures(List<FailureAnalyzer> analyzers) implements Function<Throwable, String> {

    /** @param properties prefix of the properties with the nodes and the user of the session */
    public StartFailures(Environment environment, String properties) {
        this(List.of(
                new ExplainedFailureAnalyzer(),
                new SeveralSessionsFailureAnalyzer(environment),
                new CassandraSessionFailureAnalyzer(environment, properties)));
    }

    /** For the session that Spring Boot configures. */
    public StartFailures(Environment environment) {
        this(environment, "spring.cassandra");
    }

    @Override
    public String apply(Throwable failure) {
        return analyzers.stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .map(analysis -> analysis.getDescription() + " " + analysis.getAction())
                .findFirst()
                .orElseGet(() -> failure + ".");
    }
}
