package io.github.cassandralock.autoconfigure;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.RETURNS_SELF;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A session with which the locker's beans can be created, and whose requests fail. */
final class MockedCassandra {

    private MockedCassandra() {}

    /** Without a keyspace of its own. */
    static CqlSession session() {
        CqlSession session = mock(CqlSession.class, RETURNS_DEEP_STUBS);
        PreparedStatement prepared = mock(PreparedStatement.class);
        when(session.prepareAsync(any(SimpleStatement.class))).thenReturn(CompletableFuture.completedFuture(prepared));
        when(prepared.bind(any())).thenReturn(mock(BoundStatement.class, RETURNS_SELF));
        when(session.executeAsync(any(Statement.class)))
                .thenReturn(CompletableFuture.failedFuture(new DriverTimeoutException("nobody answers")));
        when(session.getKeyspace()).thenReturn(Optional.empty());
        return session;
    }
}
