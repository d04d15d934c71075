package io.github.cassandralock.autoconfigure;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.Optional;

/** A session with which the locker's beans can be created, and which answers nothing. */
final class MockedCassandra {

    private MockedCassandra() {}

    /** Without a keyspace of its own. */
    static CqlSession session() {
        CqlSession session = mock(CqlSession.class, RETURNS_DEEP_STUBS);
        PreparedStatement prepared = mock(PreparedStatement.class);
        when(session.prepare(any(SimpleStatement.class))).thenReturn(prepared);
        when(prepared.bind(any())).thenReturn(mock(BoundStatement.class));
        when(session.getKeyspace()).thenReturn(Optional.empty());
        return session;
    }
}
