package io.github.cassandralock.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.github.cassandralock.spi.WriteOutcome;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What a failed request says about its write. */
final class WriteOutcomes {

    private WriteOutcomes() {}

    /**
     * Certain not to have been applied are only writes that their one coordinator refused before it asked any replica.
     * If the driver had tried before, or elsewhere at the same time, an earlier try may have been applied.
     */
    static WriteOutcome of(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        DriverException driver = driverException(cause);
        return driver != null && refused(driver) && onlyTry(driver)
                ? new WriteOutcome.NotApplied(cause)
                : new WriteOutcome.Unknown(cause);
    }

    private static @Nullable DriverException driverException(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DriverException driver) {
                return driver;
            }
        }
        return null;
    }

    private static boolean refused(DriverException failure) {
        return failure instanceof UnavailableException || failure instanceof QueryValidationException;
    }

    private static boolean onlyTry(DriverException refusal) {
        ExecutionInfo info = refusal.getExecutionInfo();
        return info != null && info.getErrors().isEmpty() && info.getSpeculativeExecutionCount() == 0;
    }
}
