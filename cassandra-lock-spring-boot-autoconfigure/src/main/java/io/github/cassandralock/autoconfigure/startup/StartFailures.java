package io.github.cassandralock.autoconfigure.startup;

import io.github.cassandralock.internal.connection.CassandraSessionFailureAnalyzer;
import io.github.cassandralock.internal.failure.ExplainedFailureAnalyzer;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;

/** Explains a failed start in the background like a failed start of the application: what happened, and what to do. */
public final class StartFailures implements Function<Throwable, String> {

    private final List<FailureAnalyzer> analyzers;

    public StartFailures(Environment environment) {
        this(environment, new CassandraSessionFailureAnalyzer(environment));
    }

    private StartFailures(Environment environment, CassandraSessionFailureAnalyzer sessions) {
        this.analyzers =
                List.of(new ExplainedFailureAnalyzer(), new SeveralSessionsFailureAnalyzer(environment), sessions);
    }

    /** @param properties prefix of the properties with the nodes and the user of the session */
    public static StartFailures of(Environment environment, String properties) {
        return new StartFailures(environment, new CassandraSessionFailureAnalyzer(environment, properties));
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
