package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.session.DefaultSessionFactory;

/**
 * The locks' access to Cassandra. Unless a session bean is chosen, it is taken from the {@link CassandraOperations} bean, so
 * that an application which defines that bean itself determines the session.
 *
 * @param cql for the blocking statements at the start
 * @param sessions for asynchronous requests
 */
record CassandraAccess(CqlOperations cql, SessionFactory sessions) {

    /**
     * Access through the session bean of this name, else through the application's template, else through its session.
     *
     * @throws InvalidLockPropertyException if there is no session bean of this name
     * @throws org.springframework.beans.factory.NoUniqueBeanDefinitionException if there are several templates or sessions,
     *     and none of them is chosen
     */
    static CassandraAccess find(@Nullable String sessionBean, ListableBeanFactory beans) {
        if (sessionBean != null) {
            return of(session("session-bean", sessionBean, beans));
        }
        CassandraOperations template =
                beans.getBeanProvider(CassandraOperations.class).getIfAvailable();
        return template == null ? of(beans.getBean(CqlSession.class)) : of(template);
    }

    /**
     * The session bean of this name.
     *
     * @param property which names it, without the prefix of the locks
     * @throws InvalidLockPropertyException if there is no session bean of this name
     */
    static CqlSession session(String property, String name, ListableBeanFactory beans) {
        List<String> sessions = List.of(beans.getBeanNamesForType(CqlSession.class, true, false));
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, CqlSession.class)) {
            throw new InvalidLockPropertyException(
                    property,
                    name,
                    "the application has no CqlSession bean of this name; "
                            + (sessions.isEmpty()
                                    ? "it has none at all"
                                    : "it has '" + String.join("', '", sessions) + "'"),
                    sessions.isEmpty() ? name : sessions.get(0),
                    null);
        }
        return beans.getBean(name, CqlSession.class);
    }

    static CassandraAccess of(CqlSession session) {
        SessionFactory sessions = new DefaultSessionFactory(session);
        return new CassandraAccess(new CqlTemplate(sessions), sessions);
    }

    private static CassandraAccess of(CassandraOperations template) {
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
