package io.github.cassandralock.autoconfigure.session;

import io.github.cassandralock.internal.failure.ExplainedException;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/** The application's template does not determine one session for the locks. */
final class UnusableTemplateException extends ExplainedException {

    private static final long serialVersionUID = 1L;

    private UnusableTemplateException(String why) {
        super(
                "Locks cannot use the application's CassandraTemplate: " + why + ".",
                "Name the session of the locks in application.yml, for example 'cassandra-lock.session-bean: lockSession',"
                        + " or a template with one session by 'cassandra-lock.template-bean'.",
                null);
    }

    static UnusableTemplateException withoutSession(@Nullable CqlOperations cql) {
        return new UnusableTemplateException("its session cannot be determined, because its CqlOperations is "
                + (cql == null ? "null" : "a " + cql.getClass().getName())
                + ", and not a CqlTemplate with a SessionFactory");
    }

    static UnusableTemplateException withSeveralSessions(SessionFactory sessions) {
        return new UnusableTemplateException("its SessionFactory, a "
                + sessions.getClass().getName()
                + ", gives more than one session. Two processes, or two requests of one,"
                + " could then look for a lock in different places, and both hold it");
    }

    static UnusableTemplateException withoutSession(SessionFactory sessions) {
        return new UnusableTemplateException(
                "its SessionFactory, a " + sessions.getClass().getName() + ", gives no session at the start");
    }
}
