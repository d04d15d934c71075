package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.github.cassandralock.internal.store.WriteOutcome;

/** Determines from a failed request whether its write can have been applied. */
final class WriteOutcomes {

    private WriteOutcomes() {}

    static WriteOutcome of(RequestFailure failure, Refusals refusals) {
        return isNotApplied(failure.cause(), refusals)
                ? new WriteOutcome.NotApplied(refusals.explained(failure))
                : new WriteOutcome.Unknown(failure.shown());
    }

    /** Returns the refusal, with what to do, if certainly nothing was written; otherwise the failure itself. */
    static Throwable explained(RequestFailure failure, Refusals refusals) {
        return isNotApplied(failure.cause(), refusals) ? refusals.explained(failure) : failure.shown();
    }

    /**
     * A write is certainly not applied in two cases only. It was never sent, or its only coordinator rejected it before it
     * contacted a replica. If the driver sent it several times, another try may have been applied.
     */
    private static boolean isNotApplied(Throwable cause, Refusals refusals) {
        return cause instanceof DriverException driver ? refused(driver) && onlyTry(driver) : refusals.isClosed(cause);
    }

    private static boolean refused(DriverException failure) {
        return failure instanceof UnavailableException || failure instanceof QueryValidationException;
    }

    private static boolean onlyTry(DriverException refusal) {
        ExecutionInfo info = refusal.getExecutionInfo();
        return info != null && info.getErrors().isEmpty() && info.getSpeculativeExecutionCount() == 0;
    }
}
