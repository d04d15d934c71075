package io.github.cassandralock.internal.quorum;

import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import java.util.Map;

/**
 * What the tries of one request may have written. After an {@code UnavailableException}, the driver tries another node, even with a
 * statement that is not idempotent. The last answer then shows nothing about the first try.
 */
public final class Tries {

    private Tries() {}

    /**
     * Whether a try may have been applied, or may be applied later, before the driver got its last answer.
     *
     * @param last of the last answer
     */
    public static boolean mayBeApplied(ExecutionInfo last) {
        return last.getSpeculativeExecutionCount() > 0
                || last.getErrors().stream().map(Map.Entry::getValue).anyMatch(Tries::mayBeApplied);
    }

    /**
     * Whether a try that failed may have been applied, or may be applied later. An {@code UnavailableException} does not exclude it.
     * Replicas may also go down between the proposal of a conditional write and its commit.
     *
     * @param failure of the try
     */
    public static boolean mayBeApplied(Throwable failure) {
        return !wasNotSent(failure) && !wasNotBegun(failure);
    }

    /** The driver had no connection, or no place on one. */
    private static boolean wasNotSent(Throwable failure) {
        return failure instanceof NodeUnavailableException
                || failure instanceof BusyConnectionException
                || failure instanceof RequestThrottlingException;
    }

    /** The coordinator answered before it contacted a replica. */
    private static boolean wasNotBegun(Throwable failure) {
        return failure instanceof BootstrappingException || failure instanceof QueryValidationException;
    }
}
