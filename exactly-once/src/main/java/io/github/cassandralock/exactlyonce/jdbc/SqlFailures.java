package io.github.cassandralock.exactlyonce.jdbc;

import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/**
 * Determines from the SQLState what a failed statement or commit means.
 *
 * <p>Certain are only those errors by which the server ends a transaction before it commits. All others are unknown,
 * connections that are lost (08), servers that shut down (57P01, 57P02) and internal errors (58, XX) among them: the server
 * may have committed before it failed to answer.
 */
public final class SqlFailures {

    /** Beginnings: bad data, constraints, no such user, database or schema, and what is wrong with statement or permissions. */
    private static final Set<String> REFUSED = Set.of("22", "23", "28", "3D", "3F", "42");

    /**
     * Serialization failure, deadlock, lock not available or waited for too long (H2: HYT00, 90131), statement cancelled by its
     * time-out, out of resources, too many connections, no server to connect to yet, read-only server, a transaction that was
     * idle or open for too long, or was rolled back because a statement had failed.
     */
    private static final Set<String> NOT_APPLIED = Set.of(
            "40001", "40P01", "55P03", "HYT00", "90131", "57014", "53000", "53100", "53200", "53300", "57P03", "25006",
            "25P02", "25P03", "25P04");

    /** Serialization failure; a row of that name is there already; H2: another transaction has changed the row. */
    private static final Set<String> CONFLICT = Set.of("40001", "23505", "90131");

    private SqlFailures() {}

    /** What a statement means that is a transaction of its own, or a commit. */
    public static FailureMeaning ofStatement(SQLException failure) {
        String state = state(failure);
        if (NOT_APPLIED.contains(state)) {
            return FailureMeaning.NOT_APPLIED;
        }
        return isRefusal(state) ? FailureMeaning.REFUSED : FailureMeaning.UNKNOWN;
    }

    /** What a statement means in a transaction whose commit was not sent: the server rolls it back. */
    public static FailureMeaning beforeCommit(SQLException failure) {
        return ofStatement(failure) == FailureMeaning.REFUSED ? FailureMeaning.REFUSED : FailureMeaning.NOT_APPLIED;
    }

    /** Without a connection nothing was sent. */
    public static FailureMeaning ofConnecting(SQLException failure) {
        return isRefusal(state(failure)) ? FailureMeaning.REFUSED : FailureMeaning.NOT_APPLIED;
    }

    /** Whether another transaction was in the way, so that the statement was not applied. */
    public static boolean isConflict(SQLException failure) {
        return CONFLICT.contains(state(failure));
    }

    /**
     * What a driver threw, which libraries such as Spring wrap in exceptions of their own.
     *
     * @param failure what was caught
     * @return the first SQLException of the chain of causes; empty if there is none
     */
    public static Optional<SQLException> among(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return Optional.of(sql);
            }
        }
        return Optional.empty();
    }

    private static boolean isRefusal(String state) {
        return state.length() == 5 && REFUSED.contains(state.substring(0, 2));
    }

    /** Pools wrap what the driver throws. Empty if there is none. */
    private static String state(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String state = cause instanceof SQLException sql ? sql.getSQLState() : null;
            if (state != null && !state.isEmpty()) {
                return state;
            }
        }
        return "";
    }
}
