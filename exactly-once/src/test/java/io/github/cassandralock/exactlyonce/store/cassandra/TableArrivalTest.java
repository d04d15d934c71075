package io.github.cassandralock.exactlyonce.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Two nodes that receive a new table at different times. Each pause is one second of the test's own time. */
class TableArrivalTest {

    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong nanos = new AtomicLong();
    private final Map<Node, Long> arrivals = new LinkedHashMap<>();
    private final CqlSession session = mock();

    private TableArrival arrival() {
        Map<UUID, Node> nodes = new LinkedHashMap<>();
        arrivals.keySet().forEach(node -> nodes.put(UUID.randomUUID(), node));
        Metadata metadata = mock();
        when(metadata.getNodes()).thenReturn(nodes);
        when(session.getMetadata()).thenReturn(metadata);
        when(session.execute(any(SimpleStatement.class))).thenAnswer(call -> answer(call.getArgument(0)));
        return new TableArrival(session, "bank.registers", nanos::get, pause -> nanos.addAndGet(SECOND));
    }

    private ResultSet answer(SimpleStatement statement) {
        Node node = statement.getNode();
        if (nanos.get() < arrivals.getOrDefault(node, 0L)) {
            throw new InvalidQueryException(node, "table registers does not exist");
        }
        return mock(ResultSet.class);
    }

    private void nodeWithTableAfter(long seconds) {
        Node node = mock();
        when(node.getState()).thenReturn(NodeState.UP);
        when(node.getDistance()).thenReturn(NodeDistance.LOCAL);
        arrivals.put(node, seconds * SECOND);
    }

    @Test
    void waitsForTheNodeThatReceivesTheTableLater() {
        nodeWithTableAfter(0);
        nodeWithTableAfter(7);

        arrival().await();

        assertThat(nanos.get()).isEqualTo(7 * SECOND);
    }

    @Test
    void doesNotWaitForATableThatNoNodeHas() {
        nodeWithTableAfter(100);
        nodeWithTableAfter(100);

        arrival().await();

        assertThat(nanos.get()).isZero();
    }

    @Test
    void namesTheNodesThatHaveNoTableAtTheEnd() {
        nodeWithTableAfter(0);
        nodeWithTableAfter(100);

        assertThatThrownBy(arrival()::await)
                .isInstanceOf(RegisterUnavailableException.class)
                .hasMessageContaining("still do not have the table bank.registers")
                .hasRootCauseInstanceOf(InvalidQueryException.class);
    }
}
