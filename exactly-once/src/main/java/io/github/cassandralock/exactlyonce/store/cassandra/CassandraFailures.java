package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import java.util.List;
import java.util.Map;

/**
 * Determines what a failed request means. The driver may have tried several nodes. A request was certainly not applied only if
 * that is certain of each try. Everything else is unknown: time-outs of the server and of the driver, lost connections,
 * overloaded or failing coordinators.
 */
final class CassandraFailures {

    /** The message of a node that cannot read permissions because their replicas do not answer. */
    private static final String RIGHTS_UNKNOWN = "Unable to perform authorization";

    /** The message of the guardrail on full disks. Disks get free space again. */
    private static final String DISK_USAGE = "disk usage exceeds failure threshold";

    private CassandraFailures() {}

    static FailureMeaning of(Throwable failure) {
        if (failure instanceof AllNodesFailedException all) {
            return of(all);
        }
        FailureMeaning meaning = ofOneTry(failure);
        return meaning != FailureMeaning.UNKNOWN
                        && earlierTries(failure).stream().anyMatch(CassandraFailures::mayCount)
                ? FailureMeaning.UNKNOWN
                : meaning;
    }

    /** Without any try, the request was not sent. */
    private static FailureMeaning of(AllNodesFailedException all) {
        List<Throwable> tries =
                all.getAllErrors().values().stream().flatMap(List::stream).toList();
        if (tries.stream().anyMatch(CassandraFailures::mayCount)) {
            return FailureMeaning.UNKNOWN;
        }
        return !tries.isEmpty() && tries.stream().allMatch(error -> ofOneTry(error) == FailureMeaning.REFUSED)
                ? FailureMeaning.REFUSED
                : FailureMeaning.NOT_APPLIED;
    }

    private static boolean mayCount(Throwable failure) {
        return ofOneTry(failure) == FailureMeaning.UNKNOWN;
    }

    private static FailureMeaning ofOneTry(Throwable failure) {
        if (failure instanceof QueryValidationException refusal) {
            return isFinal(refusal) ? FailureMeaning.REFUSED : FailureMeaning.NOT_APPLIED;
        }
        return wasNotSent(failure) || wasNotBegun(failure) ? FailureMeaning.NOT_APPLIED : FailureMeaning.UNKNOWN;
    }

    /** The driver had no connection, or no place on one. */
    private static boolean wasNotSent(Throwable failure) {
        return failure instanceof NodeUnavailableException
                || failure instanceof BusyConnectionException
                || failure instanceof RequestThrottlingException;
    }

    /**
     * The coordinator answered before it contacted a replica. An {@code UnavailableException} does not show this. Replicas may also
     * go down between the proposal of a conditional write and its commit.
     */
    private static boolean wasNotBegun(Throwable failure) {
        return failure instanceof BootstrappingException;
    }

    private static boolean isFinal(QueryValidationException refusal) {
        String message = String.valueOf(refusal.getMessage());
        return !message.startsWith(RIGHTS_UNKNOWN) && !message.contains(DISK_USAGE);
    }

    private static List<Throwable> earlierTries(Throwable failure) {
        ExecutionInfo info = failure instanceof DriverException driver ? driver.getExecutionInfo() : null;
        return info == null
                ? List.of()
                : info.getErrors().stream().map(Map.Entry::getValue).toList();
    }
}
