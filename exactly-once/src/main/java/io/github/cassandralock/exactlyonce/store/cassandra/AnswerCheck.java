package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks that an answer is Cassandra's, at the requested consistency levels.
 *
 * <p>The driver consults the retry policy of the application's profile even about some failures of statements that are not
 * idempotent. The policy may ignore a failure, which looks like an applied lightweight transaction, or lower the consistency level.
 */
final class AnswerCheck {

    /** The size that the driver reports if no node answered: see {@link ExecutionInfo#getResponseSizeInBytes()}. */
    private static final int NO_RESPONSE = -1;

    /** The answer is not valid. It is unknown whether the request was applied. */
    static final class UnusableAnswerException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnusableAnswerException(String message) {
            super(message
                    + " by the retry policy of the driver profile (advanced.retry-policy); the answer does not count");
        }
    }

    private AnswerCheck() {}

    /** @throws UnusableAnswerException unless a node answered the statement as it was sent */
    static AsyncResultSet requireAnswer(Statement<?> sent, AsyncResultSet answer) {
        ExecutionInfo info = answer.getExecutionInfo();
        if (info.getResponseSizeInBytes() == NO_RESPONSE) {
            throw new UnusableAnswerException("The failure of the request was ignored");
        }
        if (!(info.getRequest() instanceof Statement<?> answered)) {
            throw new UnusableAnswerException("The request was replaced");
        }
        requireSame(sent.getConsistencyLevel(), answered.getConsistencyLevel());
        requireSame(sent.getSerialConsistencyLevel(), answered.getSerialConsistencyLevel());
        return answer;
    }

    private static void requireSame(@Nullable ConsistencyLevel asked, @Nullable ConsistencyLevel answered) {
        if (!Objects.equals(asked, answered)) {
            throw new UnusableAnswerException("The consistency level " + asked + " was changed to " + answered);
        }
    }
}
