package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A request that failed. An application's translation may lose the driver's exception, so it decides nothing.
 *
 * @param cause decides what became of the request: the driver's exception, if there is one
 * @param shown what application code receives in place of the cause
 */
public record RequestFailure(Throwable cause, Throwable shown) {

    static RequestFailure of(Throwable failure, Statement<?> statement, CqlPort port) {
        DriverException driver = driverException(failure);
        if (driver != null) {
            return new RequestFailure(driver, port.translated(cql(statement), driver));
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return new RequestFailure(cause, cause);
    }

    /** The driver's exception among the causes. */
    public static @Nullable DriverException driverException(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DriverException driver) {
                return driver;
            }
        }
        return null;
    }

    private static @Nullable String cql(Statement<?> statement) {
        if (statement instanceof BoundStatement bound) {
            return bound.getPreparedStatement().getQuery();
        }
        return statement instanceof SimpleStatement simple ? simple.getQuery() : null;
    }
}
