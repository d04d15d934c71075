package io.github.cassandralock.internal.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which failures are told at once, and which are worth another try. The driver's are made here; nodes are mocks. */
class RefusalsTest {

    private final Node node = mock(Node.class);
    private final Node other = mock(Node.class);
    private final CqlSession session = mock(CqlSession.class);
    private final Refusals refusals =
            new Refusals(new QualifiedTable(CqlIdentifier.fromInternal("ks"), LockTable.SLOTS), () -> session);

    private final UnauthorizedException unauthorized =
            new UnauthorizedException(node, "User teller has no MODIFY permission on <table ks.lock_slots>");

    @Test
    void wantOfRightsIsARefusalThatSaysWhatToGrant() {
        assertThat(refusals.of(failure(unauthorized)))
                .hasValueSatisfying(refusal -> assertThat(refusal)
                        .hasMessageContainingAll("teller", "GRANT SELECT ON TABLE ks.lock_slots", "GRANT MODIFY"));
    }

    @Test
    void rightsThatTheNodeCannotLookUpNowAreNoRefusal() {
        assertThat(refusals.of(failure(new UnauthorizedException(
                        node,
                        "Unable to perform authorization of permissions: Cannot achieve consistency level LOCAL_ONE"))))
                .isEmpty();
    }

    @Test
    void invalidRequestIsARefusalThatNamesTheTable() {
        assertThat(refusals.of(failure(new InvalidQueryException(node, "unconfigured table"))))
                .hasValueSatisfying(
                        refusal -> assertThat(refusal).hasMessageContainingAll("ks.lock_slots", "unconfigured"));
        assertThat(refusals.of(failure(new SyntaxError(node, "line 1")))).isPresent();
    }

    @Test
    void whatMayGoWellTheNextTimeIsNoRefusal() {
        assertThat(List.of(
                        new UnavailableException(node, DefaultConsistencyLevel.QUORUM, 2, 1),
                        new DriverTimeoutException("late"),
                        new IllegalStateException("something else")))
                .allSatisfy(failure -> assertThat(refusals.of(failure(failure))).isEmpty());
    }

    @Test
    void nodesRefuseTogetherOnlyIfEachRefuses() {
        assertThat(refusals.of(failure(AllNodesFailedException.fromErrors(
                        List.of(Map.entry(node, unauthorized), Map.entry(other, unauthorized))))))
                .isPresent();
        assertThat(refusals.of(failure(AllNodesFailedException.fromErrors(
                        List.of(Map.entry(node, unauthorized), Map.entry(other, new DriverTimeoutException("late")))))))
                .isEmpty();
        assertThat(refusals.of(failure(AllNodesFailedException.fromErrors(List.of()))))
                .isEmpty();
    }

    @Test
    void closedSessionIsARefusal() {
        when(session.isClosed()).thenReturn(true);
        assertThat(refusals.of(failure(new IllegalStateException("Session is closed"))))
                .hasValueSatisfying(
                        refusal -> assertThat(refusal).hasMessageContaining("session to Cassandra is closed"));
    }

    @Test
    void writeIsRefusedIfTheRefusalWasTheAnswerToItsOnlyTry() {
        tried(unauthorized, List.of());
        assertThat(refusals.outcome(failure(unauthorized)))
                .isInstanceOfSatisfying(
                        WriteOutcome.NotApplied.class,
                        refused -> assertThat(refused.cause()).isInstanceOf(RefusedRequestException.class));
    }

    @Test
    void writeThatAnEarlierTryMayHaveMadeIsUnknownAndNoRefusal() {
        tried(unauthorized, List.of(Map.entry(other, new DriverTimeoutException("late"))));
        assertThat(refusals.outcome(failure(unauthorized)))
                .isInstanceOfSatisfying(
                        WriteOutcome.Unknown.class,
                        unknown -> assertThat(RefusedRequestException.in(unknown.cause()))
                                .isEmpty());
        assertThat(RefusedRequestException.in(refusals.explainedWrite(failure(unauthorized))))
                .isEmpty();
    }

    private static RequestFailure failure(Throwable cause) {
        return new RequestFailure(cause, cause);
    }

    private static void tried(DriverException answer, List<Map.Entry<Node, Throwable>> before) {
        ExecutionInfo info = mock(ExecutionInfo.class);
        when(info.getErrors()).thenReturn(before);
        answer.setExecutionInfo(info);
    }
}
