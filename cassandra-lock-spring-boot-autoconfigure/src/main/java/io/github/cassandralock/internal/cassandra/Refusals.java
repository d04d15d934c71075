package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.github.cassandralock.internal.store.RefusedRequestException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.SessionFactory;

/**
 * Which failures of requests to a table would occur again however often the request is repeated, and what mends them: the
 * user has no right, the table or its keyspace is missing or of another shape, or the application's session is closed.
 */
record Refusals(QualifiedTable table, SessionFactory sessions) {

    /** A node that cannot read the tables of rights, since their replicas do not answer, says this, and may not the next time. */
    private static final String RIGHTS_UNKNOWN = "Unable to perform authorization";

    /** The guardrail on full disks says this, until somebody has cleaned up. */
    private static final String DISK_USAGE = "disk usage exceeds failure threshold";

    /** The refusal with what mends it, if the failure is one; else the failure. */
    Throwable explained(Throwable failure) {
        return of(failure).<Throwable>map(refusal -> refusal).orElse(failure);
    }

    /** The refusal with what mends it, if the failure is one. */
    Optional<RefusedRequestException> of(Throwable failure) {
        DriverException answer = driverException(failure);
        if (answer != null) {
            return refusal(answer).map(refusal -> new RefusedRequestException(message(refusal), failure));
        }
        return isClosed(failure)
                ? Optional.of(new RefusedRequestException(
                        "The application's session to Cassandra is closed, so nothing can be asked of the table "
                                + table.cql() + ". Take and release locks before the session is closed.",
                        failure))
                : Optional.empty();
    }

    /** Whether the request was never sent, because the session is closed: the driver says it like this. */
    boolean isClosed(Throwable failure) {
        return failure instanceof IllegalStateException && sessions.getSession().isClosed();
    }

    /** The driver's word on a request, which Spring may have wrapped. */
    static @Nullable DriverException driverException(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DriverException driver) {
                return driver;
            }
        }
        return null;
    }

    /** The refusal, if every node that was asked has refused. */
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

    /** Whether a node that refuses like this would refuse again. */
    static boolean isFinal(QueryValidationException refusal) {
        String message = String.valueOf(refusal.getMessage());
        return !message.startsWith(RIGHTS_UNKNOWN) && !message.contains(DISK_USAGE);
    }

    private String message(QueryValidationException refusal) {
        return refusal instanceof UnauthorizedException
                ? "The Cassandra user of this application may not use the table " + table.cql() + ": "
                        + refusal.getMessage() + ". " + grants(table)
                : "Cassandra refuses a request to the table " + table.cql() + ": " + refusal.getMessage()
                        + ". If the table or its keyspace was dropped or changed: start an instance of the application"
                        + " with 'cassandra-lock.schema-action: create-if-not-exists', which creates what is missing and"
                        + " says what does not fit.";
    }

    /** What an administrator does about missing rights. Before version 5.0, Cassandra takes one right at a time. */
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
