package io.github.cassandralock.exactlyonce.jdbc;

import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Determines from the SQLState what a failed statement or commit means.
 *
 * <p>Only errors by which the server ends a transaction before the commit are certain. All others are unknown, because the server
 * may have committed before it failed to answer. Among them are lost connections (08), a shutdown of the server (57P01, 57P02) and
 * internal errors (58, XX).
 */
public final class SqlFailures {

    /** Beginnings: bad data, constraints, no such user, database or schema, errors in the statement, missing permissions. */
    private static final Set<String> REFUSED = Set.of("22", "23", "28", "3D", "3F", "42");

    /**
     * Serialization failure; deadlock; lock not available or waited for too long (H2: HYT00, 90131); statement cancelled by its
     * time-out; out of resources; too many connections; server not ready yet; read-only server; transaction that was idle or open
     * for too long; transaction that was rolled back because a statement had failed.
     */
    private static final Set<String> NOT_APPLIED = Set.of(
            "40001", "40P01", "55P03", "HYT00", "90131", "57014", "53000", "53100", "53200", "53300", "57P03", "25006",
            "25P02", "25P03", "25P04");

    /** Serialization failure; a row with this name exists; H2: another transaction has changed the row. */
    private static final Set<String> CONFLICT = Set.of("40001", "23505", "90131");

    /** Causes may form a circle. */
    private static final int MOST_CAUSES = 50;

    private SqlFailures() {}

    /** The meaning of a failed statement that is a transaction of its own, or of a failed commit. */
    public static FailureMeaning ofStatement(SQLException failure) {
        String state = state(failure);
        if (NOT_APPLIED.contains(state)) {
            return FailureMeaning.NOT_APPLIED;
        }
        return isRefusal(state) ? FailureMeaning.REFUSED : FailureMeaning.UNKNOWN;
    }

    /** The meaning of a failed statement in a transaction whose commit was not sent. The server rolls the transaction back. */
    public static FailureMeaning beforeCommit(SQLException failure) {
        return ofStatement(failure) == FailureMeaning.REFUSED ? FailureMeaning.REFUSED : FailureMeaning.NOT_APPLIED;
    }

    /** Whether another transaction conflicted, so that the statement was not applied. */
    public static boolean isConflict(SQLException failure) {
        return CONFLICT.contains(state(failure));
    }

    /**
     * The driver's exception, which libraries such as Spring wrap in exceptions of their own.
     *
     * @param failure what was caught
     * @return the first SQLException of the chain of causes; empty if there is none
     */
    public static Optional<SQLException> among(Throwable failure) {
        return causes(failure)
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .findFirst();
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES);
    }

    private static boolean isRefusal(String state) {
        return state.length() == 5 && REFUSED.contains(state.substring(0, 2));
    }

    /** The first state of the chain of causes, because pools wrap exceptions of drivers. Empty if there is none. */
    private static String state(SQLException failure) {
        return causes(failure)
                .filter(SQLException.class::isInstance)
                .flatMap(cause -> Optional.ofNullable(((SQLException) cause).getSQLState()).stream())
                .filter(state -> !state.isEmpty())
                .findFirst()
                .orElse("");
    }
}
