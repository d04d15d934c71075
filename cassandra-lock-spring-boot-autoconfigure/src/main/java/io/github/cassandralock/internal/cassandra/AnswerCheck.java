package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether an answer is what locks need: given by the quorum that was asked for, and whole.
 *
 * <p>The driver asks the retry policy of the application's profile what becomes of a request that fails. The policy may send
 * another one in its place, at a lower consistency level, or take the failure for success: either would look like a quorum
 * that there was not, and two processes could hold one lock.
 *
 * @param table that the requests go to, for messages
 */
record AnswerCheck(QualifiedTable table) {

    /** What the driver says of an answer that no node gave: see {@link ExecutionInfo#getResponseSizeInBytes()}. */
    private static final int NO_RESPONSE = -1;

    private static final String CONTINUATION =
            " The retry policy of the application's driver profile did that (advanced.retry-policy); locks do not count such"
                    + " an answer, and try again.";

    /** @throws UnusableAnswerException unless the servers were asked for exactly the consistency that the statement says */
    AsyncResultSet requireQuorum(Statement<?> sent, AsyncResultSet answer) {
        ExecutionInfo info = answer.getExecutionInfo();
        if (info.getResponseSizeInBytes() == NO_RESPONSE) {
            throw new UnusableAnswerException("A request to the table " + table.cql()
                    + " failed, and the failure was ignored as if it had succeeded." + CONTINUATION);
        }
        if (!(info.getRequest() instanceof Statement<?> answered)) {
            throw new UnusableAnswerException("A request to the table " + table.cql()
                    + " was replaced by another kind of request." + CONTINUATION);
        }
        requireSame(sent.getConsistencyLevel(), answered.getConsistencyLevel());
        requireSame(sent.getSerialConsistencyLevel(), answered.getSerialConsistencyLevel());
        return answer;
    }

    private void requireSame(@Nullable ConsistencyLevel asked, @Nullable ConsistencyLevel answered) {
        if (!Objects.equals(asked, answered)) {
            throw new UnusableAnswerException("A request to the table " + table.cql() + " was to be answered at "
                    + asked + " and was answered at " + answered + "." + CONTINUATION);
        }
    }

    /** @throws UnusableAnswerException if there are more pages: what they show is of another time than the first */
    AsyncResultSet requireWhole(AsyncResultSet answer) {
        if (answer.hasMorePages()) {
            throw new UnusableAnswerException(
                    "A read of the table " + table.cql() + " came in several pages, the first of "
                            + answer.remaining()
                            + " rows: pages are not read at one time, so together they are not a state of the"
                            + " lock.");
        }
        return answer;
    }
}
