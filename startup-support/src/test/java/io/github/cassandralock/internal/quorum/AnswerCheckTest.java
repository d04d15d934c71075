package io.github.cassandralock.internal.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers that come after other tries of the driver. */
class AnswerCheckTest {

    private final Node node = mock(Node.class);
    private final SimpleStatement statement = SimpleStatement.newInstance("UPDATE registers IF version = 1");
    private final ExecutionInfo info = mock(ExecutionInfo.class);
    private final AsyncResultSet answer = mock(AsyncResultSet.class);
    private final AnswerCheck check = new AnswerCheck("ks.registers", LocalQuorum.NOT_USED);

    @BeforeEach
    void answer() {
        when(info.getRequest()).thenReturn(statement);
        when(answer.getExecutionInfo()).thenReturn(info);
    }

    private void tried(Throwable failure) {
        when(info.getErrors()).thenReturn(List.of(Map.entry(node, failure)));
    }

    private void requireAccepted() {
        assertThat(check.requireQuorum(statement, answer)).isSameAs(answer);
    }

    private void requireRejected() {
        assertThatThrownBy(() -> check.requireQuorum(statement, answer))
                .isInstanceOf(UnusableAnswerException.class)
                .hasMessageContainingAll("ks.registers", "an earlier try");
    }

    @Test
    void refusalOfTheOnlyTryIsCertain() {
        requireAccepted();
    }

    @Test
    void refusalIsCertainIfOtherTriesWereNotSent() {
        tried(new NodeUnavailableException(node));
        requireAccepted();
    }

    /** Replicas of the first node may have accepted the change. */
    @Test
    void refusalAfterATryThatMayBeAppliedIsRejected() {
        tried(new UnavailableException(node, DefaultConsistencyLevel.SERIAL, 2, 1));
        requireRejected();
        when(answer.wasApplied()).thenReturn(true);
        requireAccepted();
    }

    @Test
    void refusalBesideASpeculativeTryIsRejected() {
        when(info.getSpeculativeExecutionCount()).thenReturn(1);
        requireRejected();
    }
}
