package io.github.cassandralock.autoconfigure.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.internal.cassandra.CqlPort;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;
import org.springframework.data.cassandra.core.cql.AsyncSessionCallback;
import org.springframework.data.cassandra.core.cql.CqlExceptionTranslator;

/**
 * Spring Data's asynchronous template. Its session callback changes no statement and keeps the driver's exceptions. They are
 * translated for application code only.
 *
 * @param template without settings, and with Spring's own translator, which keeps the cause
 * @param translator of the application's template
 */
record TemplateCqlPort(CqlSession session, AsyncCqlTemplate template, CqlExceptionTranslator translator)
        implements CqlPort {

    @Override
    public CompletionStage<AsyncResultSet> execute(Statement<?> statement) {
        AsyncSessionCallback<AsyncResultSet> sending =
                present -> present.executeAsync(statement).toCompletableFuture();
        return template.execute(sending);
    }

    /** If the translator throws or returns null, returns the driver's exception, with the translator's exception suppressed. */
    @Override
    public RuntimeException translated(@Nullable String cql, DriverException failure) {
        try {
            RuntimeException translation = translator.translate("Query", cql, failure);
            return translation == null ? failure : translation;
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return failure;
        }
    }
}
