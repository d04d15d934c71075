package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/**
 * The application's access to Cassandra. It is taken from the {@link CassandraOperations} bean, so that an application which
 * defines that bean itself determines the session.
 *
 * @param cql for the blocking statements at the start
 * @param sessions for asynchronous requests
 */
record CassandraAccess(CqlOperations cql, SessionFactory sessions) {

    static CassandraAccess of(CassandraOperations template) {
        CqlOperations cql = template.getCqlOperations();
        SessionFactory sessions = cql instanceof CassandraAccessor accessor ? accessor.getSessionFactory() : null;
        if (sessions == null) {
            throw new IllegalStateException("The session of the CassandraOperations bean cannot be determined: its"
                    + " CqlOperations is a " + cql.getClass().getName()
                    + ". Create the bean with a CqlTemplate, or define a RemoteLocker bean yourself");
        }
        return new CassandraAccess(cql, sessions);
    }

    CqlSession session() {
        return sessions.getSession();
    }
}
