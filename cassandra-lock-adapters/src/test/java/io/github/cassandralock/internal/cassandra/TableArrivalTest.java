package io.github.cassandralock.internal.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which nodes have the tables. */
class TableArrivalTest {

    private static final List<QualifiedTable> TABLES = List.of(
            new QualifiedTable(CqlIdentifier.fromCql("bank"), LockTable.SLOTS),
            new QualifiedTable(CqlIdentifier.fromCql("bank"), LockTable.SESSIONS));

    private final Node one = node();
    private final Node other = node();
    private final CqlPort port = mock();
    private final CqlSession session = mock();
    private final List<CompletableFuture<AsyncResultSet>> answers = new ArrayList<>();

    private static Node node() {
        Node node = mock();
        when(node.getState()).thenReturn(NodeState.UP);
        when(node.getDistance()).thenReturn(NodeDistance.LOCAL);
        return node;
    }

    /** All statements are answered when the last one of four is sent. */
    private TableArrival arrival(Map<Node, RuntimeException> failures) {
        Metadata metadata = mock();
        when(metadata.getNodes()).thenReturn(Map.of(new UUID(0, 1), one, new UUID(0, 2), other));
        when(session.getMetadata()).thenReturn(metadata);
        List<Node> asked = new ArrayList<>();
        when(port.execute(any())).thenAnswer(call -> {
            asked.add(
                    Objects.requireNonNull(call.<SimpleStatement>getArgument(0).getNode()));
            answers.add(new CompletableFuture<>());
            if (answers.size() == 4) {
                for (int number = 0; number < 4; number++) {
                    answer(answers.get(number), failures.get(asked.get(number)));
                }
            }
            return answers.get(answers.size() - 1);
        });
        return new TableArrival(new StartStatements(port), session);
    }

    private static void answer(CompletableFuture<AsyncResultSet> answer, @Nullable RuntimeException failure) {
        if (failure == null) {
            answer.complete(mock(AsyncResultSet.class));
        } else {
            answer.completeExceptionally(failure);
        }
    }

    @Test
    void allNodesReceiveStatementsOnAllTablesAtTheSameTime() {
        assertThat(arrival(Map.of()).rejected(TABLES)).isEmpty();
    }

    @Test
    void nodeThatDoesNotAnswerCountsAsOneThatHasTheTables() {
        assertThat(arrival(Map.of(other, new DriverTimeoutException("no answer")))
                        .rejected(TABLES))
                .isEmpty();
    }

    @Test
    void nodeThatRejectsAStatementIsNamedWithTheTable() {
        assertThat(arrival(Map.of(other, new InvalidQueryException(other, "no such table")))
                        .rejected(TABLES))
                .extracting(TableArrival.Probe::toString)
                .containsExactlyInAnyOrder("bank.lock_slots on " + other, "bank.lock_sessions on " + other);
    }

    @Test
    void userWithoutTheRightToReadATableLearnsWhichOneItIs() {
        TableArrival arrival = arrival(Map.of(one, new UnauthorizedException(one, "no permission")));
        assertThatThrownBy(() -> arrival.rejected(TABLES))
                .isInstanceOf(LockSchemaException.class)
                .hasMessageContaining("may not read the table bank.lock_slots");
    }
}
