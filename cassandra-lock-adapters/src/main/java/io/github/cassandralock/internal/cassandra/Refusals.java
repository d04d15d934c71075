package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.github.cassandralock.internal.quorum.Tries;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Recognises failures that a retry cannot change, and explains what to do. The user lacks a permission, the table is missing or
 * has other columns, or the application's session is closed. Determines whether a failed write can have been applied.
 */
record Refusals(QualifiedTable table, CqlPort port) {

    /** The message of a node that cannot read the permissions because their replicas do not answer. A retry may succeed. */
    private static final String RIGHTS_UNKNOWN = "Unable to perform authorization";

    /** The message of the guardrail on full disks. A retry may succeed after the disk has been cleaned up. */
    private static final String DISK_USAGE = "disk usage exceeds failure threshold";

    /** Returns the refusal, with what to do, if the failure is final; otherwise what application code receives. */
    Throwable explained(RequestFailure failure) {
        return of(failure).<Throwable>map(refusal -> refusal).orElseGet(failure::shown);
    }

    /** The refusal, with what to do, if the failure is final. */
    Optional<RefusedRequestException> of(RequestFailure failure) {
        if (failure.cause() instanceof DriverException answer) {
            return refusal(answer).map(refusal -> new RefusedRequestException(message(refusal), failure.shown()));
        }
        return isClosed(failure.cause())
                ? Optional.of(new RefusedRequestException(
                        "The application's session to Cassandra is closed, so no request can be sent to the table "
                                + table.cql() + ". Take and release locks before the session is closed.",
                        failure.shown()))
                : Optional.empty();
    }

    /** The outcome of a write whose request has failed. */
    WriteOutcome outcome(RequestFailure failure) {
        return isNotApplied(failure.cause())
                ? new WriteOutcome.NotApplied(explained(failure))
                : new WriteOutcome.Unknown(failure.shown());
    }

    /** Returns the refusal, with what to do, if certainly nothing was written; otherwise the failure itself. */
    Throwable explainedWrite(RequestFailure failure) {
        return isNotApplied(failure.cause()) ? explained(failure) : failure.shown();
    }

    /**
     * A write is certainly not applied in two cases only. It was never sent, or its only coordinator rejected it before it
     * contacted a replica. If the driver sent it several times, another try may have been applied.
     */
    private boolean isNotApplied(Throwable cause) {
        return cause instanceof DriverException driver ? isRefused(driver) && isOnlyTry(driver) : isClosed(cause);
    }

    private static boolean isRefused(DriverException failure) {
        return failure instanceof UnavailableException || failure instanceof QueryValidationException;
    }

    private static boolean isOnlyTry(DriverException refusal) {
        ExecutionInfo info = refusal.getExecutionInfo();
        return info != null && !Tries.mayBeApplied(info);
    }

    /** Whether the request was never sent because the session is closed, for which the driver throws this exception. */
    private boolean isClosed(Throwable cause) {
        return cause instanceof IllegalStateException && port.isClosed();
    }

    /** The refusal, if every node that received the request has refused it. */
    private static Optional<QueryValidationException> refusal(DriverException answer) {
        if (answer instanceof AllNodesFailedException all) {
            List<Throwable> errors =
                    all.getAllErrors().values().stream().flatMap(List::stream).toList();
            return errors.stream()
                            .allMatch(error -> error instanceof QueryValidationException refusal && isFinal(refusal))
                    ? errors.stream().findFirst().map(QueryValidationException.class::cast)
                    : Optional.empty();
        }
        return answer instanceof QueryValidationException refusal && isFinal(refusal)
                ? Optional.of(refusal)
                : Optional.empty();
    }

    /** Whether the node would refuse a repeated request. */
    static boolean isFinal(QueryValidationException refusal) {
        String message = String.valueOf(refusal.getMessage());
        return !message.startsWith(RIGHTS_UNKNOWN) && !message.contains(DISK_USAGE);
    }

    private String message(QueryValidationException refusal) {
        return refusal instanceof UnauthorizedException
                ? "The Cassandra user of this application may not use the table " + table.cql() + ": "
                        + refusal.getMessage() + ". " + grants(table)
                : "Cassandra refuses a request to the table " + table.cql() + ": " + refusal.getMessage()
                        + ". If the table or its keyspace was dropped or changed, start an instance of the application"
                        + " with 'cassandra-lock.schema-action: create-if-not-exists'. The instance creates what is"
                        + " missing, and reports which columns or settings of the other tables do not match.";
    }

    /** The statements that grant the permissions. Before version 5.0, a GRANT names only one permission. */
    static String grants(QualifiedTable table) {
        return grants(List.of(table));
    }

    static String grants(Collection<QualifiedTable> tables) {
        return "Have an administrator run: "
                + tables.stream()
                        .map(QualifiedTable::cql)
                        .map(table -> "GRANT SELECT ON TABLE " + table + " TO the_user; GRANT MODIFY ON TABLE " + table
                                + " TO the_user;")
                        .collect(Collectors.joining(" "));
    }
}
