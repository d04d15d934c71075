package io.github.cassandralock.internal.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The start looks tables up although some answers are late. */
class StartStatementsTest {

    private final CqlPort port = mock(CqlPort.class);
    private final StartStatements statements = new StartStatements(port);

    private static CompletionStage<AsyncResultSet> late() {
        return CompletableFuture.failedFuture(new DriverTimeoutException("no answer"));
    }

    @Test
    void readIsRepeatedIfThereIsNoAnswer() {
        AsyncResultSet empty = mock(AsyncResultSet.class);
        when(empty.currentPage()).thenReturn(List.of());
        when(port.execute(any()))
                .thenReturn(late())
                .thenReturn(late())
                .thenReturn(CompletableFuture.completedFuture(empty));
        assertThat(statements.rows("SELECT keyspace_name FROM system_schema.keyspaces"))
                .isEmpty();
    }

    @Test
    void readsAreUnderWayAtTheSameTime() {
        when(port.execute(any())).thenReturn(new CompletableFuture<>());
        statements.request("SELECT keyspace_name FROM system_schema.keyspaces");
        statements.request("SELECT table_name FROM system_schema.tables");
        verify(port, times(2)).execute(any());
    }

    @Test
    void readFailsIfNoAttemptIsAnswered() {
        when(port.execute(any())).thenReturn(late());
        assertThatThrownBy(() -> statements.rows("SELECT keyspace_name FROM system_schema.keyspaces"))
                .isInstanceOf(DriverTimeoutException.class)
                .hasMessage("no answer");
        verify(port, times(3)).execute(any());
    }

    @Test
    void readIsNotRepeatedIfItIsRefused() {
        when(port.execute(any()))
                .thenReturn(
                        CompletableFuture.failedFuture(new UnauthorizedException(mock(Node.class), "no permission")));
        assertThatThrownBy(() -> statements.rows("SELECT keyspace_name FROM system_schema.keyspaces"))
                .isInstanceOf(UnauthorizedException.class);
        verify(port, times(1)).execute(any());
    }
}
