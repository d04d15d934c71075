package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.internal.failure.ExplainedFailureAnalyzer;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;

/** Explains why a store of registers could not be opened, and what to do. */
final class RegisterStoreFailures implements Function<Throwable, String> {

    private final FailureAnalyzer sessions;
    private final FailureAnalyzer explained = new ExplainedFailureAnalyzer();

    RegisterStoreFailures(Environment environment) {
        this.sessions = new RegisterSessionFailureAnalyzer(environment);
    }

    @Override
    public String apply(Throwable failure) {
        Optional<FailureAnalysis> analysis = failure instanceof StoreUnfitException
                ? Optional.empty()
                : Optional.ofNullable(explained.analyze(failure))
                        .or(() -> Optional.ofNullable(sessions.analyze(failure)));
        return analysis.map(found -> found.getDescription() + " " + found.getAction())
                .orElseGet(() -> failure.getMessage() == null ? failure + "." : failure.getMessage());
    }
}
