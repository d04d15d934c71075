package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/**
 * The application's way to Cassandra, taken from its template, so that a template of its own brings its own session.
 *
 * @param cql for what happens once, at start-up
 * @param sessions for what happens asynchronously
 */
record CassandraAccess(CqlOperations cql, SessionFactory sessions) {

    static CassandraAccess of(CassandraOperations template) {
        CqlOperations cql = template.getCqlOperations();
        SessionFactory sessions = cql instanceof CassandraAccessor accessor ? accessor.getSessionFactory() : null;
        if (sessions == null) {
            throw new IllegalStateException("The CassandraOperations bean gives no access to its session: its"
                    + " CqlOperations is a " + cql.getClass().getName()
                    + ". Build it on a CqlTemplate, or declare a RemoteLocker bean of your own");
        }
        return new CassandraAccess(cql, sessions);
    }

    CqlSession session() {
        return sessions.getSession();
    }
}
