package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.internal.quorum.Tries;
import java.util.List;

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
        return isAfterAnother(failure) ? FailureMeaning.UNKNOWN : ofOneTry(failure);
    }

    /** Without any try, the request was not sent. */
    private static FailureMeaning of(AllNodesFailedException all) {
        List<Throwable> tries =
                all.getAllErrors().values().stream().flatMap(List::stream).toList();
        if (tries.stream().anyMatch(Tries::mayBeApplied)) {
            return FailureMeaning.UNKNOWN;
        }
        return !tries.isEmpty() && tries.stream().allMatch(error -> ofOneTry(error) == FailureMeaning.REFUSED)
                ? FailureMeaning.REFUSED
                : FailureMeaning.NOT_APPLIED;
    }

    private static FailureMeaning ofOneTry(Throwable failure) {
        if (failure instanceof QueryValidationException refusal) {
            return isFinal(refusal) ? FailureMeaning.REFUSED : FailureMeaning.NOT_APPLIED;
        }
        return Tries.mayBeApplied(failure) ? FailureMeaning.UNKNOWN : FailureMeaning.NOT_APPLIED;
    }

    private static boolean isFinal(QueryValidationException refusal) {
        String message = String.valueOf(refusal.getMessage());
        return !message.startsWith(RIGHTS_UNKNOWN) && !message.contains(DISK_USAGE);
    }

    private static boolean isAfterAnother(Throwable failure) {
        ExecutionInfo info = failure instanceof DriverException driver ? driver.getExecutionInfo() : null;
        return info != null && Tries.mayBeApplied(info);
    }
}
