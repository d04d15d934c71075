package io.github.cassandralock.internal.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;
import org.springframework.data.cassandra.core.cql.session.DefaultSessionFactory;

/** How statements are prepared at the start while nodes have errors. Costs nothing; the driver's failures are made here. */
class TableRequestsTest {

    private final Node node = mock(Node.class);
    private final CqlSession session = mock(CqlSession.class);
    private final PreparedStatement prepared = mock(PreparedStatement.class);
    private final TableRequests requests = new TableRequests(
            new QualifiedTable(CqlIdentifier.fromInternal("ks"), LockTable.SLOTS),
            new DefaultSessionFactory(session),
            new AsyncCqlTemplate(session),
            LockConsistency.QUORUM,
            LockSerialConsistency.SERIAL,
            LocalQuorum.NOT_USED,
            (table, kind, took, answered) -> {});

    private AllNodesFailedException failed(Throwable cause) {
        return AllNodesFailedException.fromErrors(List.of(Map.entry(node, cause)));
    }

    /** Seen when three instances created the tables at the same time. */
    @Test
    void statementIsPreparedAgainAfterAnErrorOfTheServer() {
        AllNodesFailedException unready =
                failed(new ServerError(node, "java.lang.IllegalArgumentException: Unknown CF"));
        when(session.prepare(any(SimpleStatement.class))).thenThrow(unready).thenReturn(prepared);
        assertThat(requests.prepareIdempotent("SELECT 1")).isSameAs(prepared);
    }

    /** Seen when one node of three had missed the creation of the table. */
    @Test
    void statementIsPreparedAgainIfTheNodeThatWasAskedDoesNotKnowTheTableYet() {
        InvalidQueryException late = new InvalidQueryException(node, "table lock_slots does not exist");
        when(session.prepare(any(SimpleStatement.class))).thenThrow(late).thenReturn(prepared);
        assertThat(requests.prepareIdempotent("SELECT 1")).isSameAs(prepared);
    }

    @Test
    void statementThatCannotBeRightIsToldAtOnceWithWhatToDo() {
        InvalidQueryException wrong = new InvalidQueryException(node, "Undefined column name carry");
        when(session.prepare(any(SimpleStatement.class))).thenThrow(wrong);
        assertThatThrownBy(() -> requests.prepareIdempotent("SELECT 1"))
                .isInstanceOf(LockSchemaException.Unusable.class)
                .hasMessageContaining("Undefined column name carry");
        verify(session, times(1)).prepare(any(SimpleStatement.class));
    }

    @Test
    void otherFailuresAreToldAtOnce() {
        AllNodesFailedException overloaded = failed(new OverloadedException(node));
        when(session.prepare(any(SimpleStatement.class))).thenThrow(overloaded);
        assertThatThrownBy(() -> requests.prepareIdempotent("SELECT 1")).isSameAs(overloaded);
        verify(session, times(1)).prepare(any(SimpleStatement.class));
    }
}
