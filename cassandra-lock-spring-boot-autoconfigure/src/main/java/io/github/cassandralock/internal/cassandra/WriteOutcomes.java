package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.github.cassandralock.internal.store.WriteOutcome;

/** What a failed request says about its write. */
final class WriteOutcomes {

    private WriteOutcomes() {}

    static WriteOutcome of(Throwable failure, Refusals refusals) {
        return isNotApplied(failure, refusals)
                ? new WriteOutcome.NotApplied(refusals.explained(failure))
                : new WriteOutcome.Unknown(failure);
    }

    /** The refusal with what mends it, if nothing was written because of it; else the failure. */
    static Throwable explained(Throwable failure, Refusals refusals) {
        return isNotApplied(failure, refusals) ? refusals.explained(failure) : failure;
    }

    /**
     * Certain not to have been applied are only writes that were never sent, and writes that their one coordinator refused
     * before it asked any replica. If the driver had tried before, or elsewhere at the same time, an earlier try may have
     * been applied.
     */
    private static boolean isNotApplied(Throwable failure, Refusals refusals) {
        DriverException driver = Refusals.driverException(failure);
        return driver == null ? refusals.isClosed(failure) : refused(driver) && onlyTry(driver);
    }

    private static boolean refused(DriverException failure) {
        return failure instanceof UnavailableException || failure instanceof QueryValidationException;
    }

    private static boolean onlyTry(DriverException refusal) {
        ExecutionInfo info = refusal.getExecutionInfo();
        return info != null && info.getErrors().isEmpty() && info.getSpeculativeExecutionCount() == 0;
    }
}
