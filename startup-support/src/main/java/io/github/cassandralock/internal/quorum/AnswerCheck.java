package io.github.cassandralock.internal.quorum;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks that an answer comes from the requested quorum and is complete.
 *
 * <p>If a request fails, the driver consults the retry policy of the application's profile. The policy may repeat the request at a
 * lower consistency level, or ignore the failure. The answer would then look like a quorum's answer, and two processes could act
 * at once.
 *
 * <p>A policy of the application may send a request at a local level to another data centre, with another quorum.
 *
 * <p>If a node has too few live replicas, the driver tries another one, with every statement. See {@link Tries}.
 *
 * @param table the table of the requests, for messages
 * @param local whose quorum a local level means
 */
public record AnswerCheck(String table, LocalQuorum local) {

    /** The size that the driver reports if no node answered ({@link ExecutionInfo#getResponseSizeInBytes()}). */
    private static final int NO_RESPONSE = -1;

    private static final String CONTINUATION =
            " The cause is the retry policy of the application's driver profile (advanced.retry-policy). Such an"
                    + " answer is rejected, and the request is repeated.";

    /**
     * @throws UnusableAnswerException unless the request was sent with exactly the consistency levels of the statement; or if the
     *     answer refuses a conditional write, and an earlier try of the driver may have been applied
     */
    public AsyncResultSet requireQuorum(Statement<?> sent, AsyncResultSet answer) {
        ExecutionInfo info = answer.getExecutionInfo();
        if (info.getResponseSizeInBytes() == NO_RESPONSE) {
            throw new UnusableAnswerException("A request to the table " + table
                    + " failed, and the failure was ignored as if it had succeeded." + CONTINUATION);
        }
        if (!(info.getRequest() instanceof Statement<?> answered)) {
            throw new UnusableAnswerException(
                    "A request to the table " + table + " was replaced by another kind of request." + CONTINUATION);
        }
        requireSame(sent.getConsistencyLevel(), answered.getConsistencyLevel());
        requireSame(sent.getSerialConsistencyLevel(), answered.getSerialConsistencyLevel());
        requireLocal(info.getCoordinator());
        requireOutcome(answer);
        return answer;
    }

    private void requireOutcome(AsyncResultSet answer) {
        if (!answer.wasApplied() && Tries.mayBeApplied(answer.getExecutionInfo())) {
            throw new UnusableAnswerException("A conditional write to the table " + table
                    + " was refused after an earlier try at another node. It is unknown whether the earlier try was"
                    + " applied, so the answer is rejected, and the request is repeated.");
        }
    }

    private void requireSame(@Nullable ConsistencyLevel asked, @Nullable ConsistencyLevel answered) {
        if (!Objects.equals(asked, answered)) {
            throw new UnusableAnswerException("A request to the table " + table + " was sent at consistency " + asked
                    + " and was answered at " + answered + "." + CONTINUATION);
        }
    }

    private void requireLocal(@Nullable Node coordinator) {
        if (coordinator != null && local.isForeign(coordinator)) {
            throw new UnusableAnswerException("A request to the table " + table + " was answered by the data centre "
                    + coordinator.getDatacenter() + ", but a quorum of "
                    + local.datacenter().orElse("")
                    + " was requested. The cause is the load-balancing policy of the application's driver profile"
                    + " (basic.load-balancing-policy). Such an answer is rejected, and the request is repeated.");
        }
    }

    /** @throws UnusableAnswerException if the answer has more than one page: later pages show a later state */
    public AsyncResultSet requireWhole(AsyncResultSet answer) {
        if (answer.hasMorePages()) {
            throw new UnusableAnswerException("A read of the table " + table + " came in several pages, the first of "
                    + answer.remaining()
                    + " rows. Pages are read at different times, so together they do not show one state.");
        }
        return answer;
    }
}
