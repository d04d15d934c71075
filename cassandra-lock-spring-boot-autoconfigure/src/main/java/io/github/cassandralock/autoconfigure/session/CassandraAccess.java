package io.github.cassandralock.autoconfigure.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.autoconfigure.InvalidLockPropertyException;
import io.github.cassandralock.internal.assembly.CassandraPorts;
import io.github.cassandralock.internal.cassandra.CqlPort;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;
import org.springframework.data.cassandra.core.cql.AsyncSessionCallback;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.CassandraExceptionTranslator;
import org.springframework.data.cassandra.core.cql.CqlExceptionTranslator;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.SessionCallback;
import org.springframework.data.cassandra.core.cql.session.DefaultSessionFactory;
import org.springframework.data.cassandra.core.cql.session.lookup.AbstractRoutingSessionFactory;

/**
 * Finds the locks' access to Cassandra. Unless a session bean is named, the session and the translation of exceptions come from the
 * application's {@link CassandraOperations} bean. Consistency levels, page size, keyspace and execution profile do not. The session
 * is read once from the template's {@link SessionFactory}.
 */
public final class CassandraAccess {

    private CassandraAccess() {}

    /**
     * Access through the first that exists: the session bean of this name; the template bean of this name; the application's only
     * or primary template; its session.
     *
     * @throws InvalidLockPropertyException if there is no bean of this name
     * @throws ExplainedException if the template does not determine one session
     * @throws org.springframework.beans.factory.NoUniqueBeanDefinitionException if there are several templates or sessions,
     *     and none of them is chosen
     */
    public static CassandraPorts find(
            @Nullable String sessionBean, @Nullable String templateBean, ListableBeanFactory beans) {
        if (sessionBean != null) {
            return of(bean("session-bean", sessionBean, CqlSession.class, beans));
        }
        CassandraOperations template = templateBean == null
                ? beans.getBeanProvider(CassandraOperations.class).getIfAvailable()
                : bean("template-bean", templateBean, CassandraOperations.class, beans);
        return template == null ? of(beans.getBean(CqlSession.class)) : of(template);
    }

    /**
     * Returns the bean of this name.
     *
     * @param property which names it, without the prefix of the locks
     * @throws InvalidLockPropertyException if there is no bean of this name and type
     */
    public static <T> T bean(String property, String name, Class<T> type, ListableBeanFactory beans) {
        List<String> others = List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, type)) {
            throw new InvalidLockPropertyException(
                    property,
                    name,
                    "the application has no " + type.getSimpleName() + " bean of this name; "
                            + (others.isEmpty()
                                    ? "it has none at all"
                                    : "it has '" + String.join("', '", others) + "'"),
                    others.isEmpty() ? name : others.get(0),
                    null);
        }
        return beans.getBean(name, type);
    }

    /** With Spring's own translation of exceptions. */
    public static CassandraPorts of(CqlSession session) {
        return of(session, new CqlTemplate(session), new CassandraExceptionTranslator());
    }

    private static CassandraPorts of(CassandraOperations template) {
        CqlOperations cql = template.getCqlOperations();
        if (!(target(cql) instanceof CassandraAccessor accessor)) {
            throw withoutSession(cql);
        }
        SessionFactory sessions = accessor.getSessionFactory();
        if (sessions == null) {
            throw withoutSession(cql);
        }
        return of(onlySession(sessions), cql, accessor.getExceptionTranslator());
    }

    private static CqlSession onlySession(SessionFactory sessions) {
        if (target(sessions) instanceof AbstractRoutingSessionFactory) {
            throw withSeveralSessions(sessions);
        }
        CqlSession session = sessions.getSession();
        if (session == null) {
            throw unusable(
                    "its SessionFactory, a " + sessions.getClass().getName() + ", gives no session at the start");
        }
        if (target(session) != target(sessions.getSession())) {
            throw withSeveralSessions(sessions);
        }
        return session;
    }

    private static ExplainedException withoutSession(@Nullable CqlOperations cql) {
        return unusable("its session cannot be determined, because its CqlOperations is "
                + (cql == null ? "null" : "a " + cql.getClass().getName())
                + ", and not a CqlTemplate with a SessionFactory");
    }

    private static ExplainedException withSeveralSessions(SessionFactory sessions) {
        return unusable("its SessionFactory, a " + sessions.getClass().getName()
                + ", gives more than one session. Two processes, or two requests of one,"
                + " could then look for a lock in different places, and both hold it");
    }

    private static ExplainedException unusable(String why) {
        return new ExplainedException(
                "Locks cannot use the application's CassandraTemplate: " + why + ".",
                "Name the session of the locks in application.yml, for example 'cassandra-lock.session-bean: lockSession',"
                        + " or a template with one session by 'cassandra-lock.template-bean'.");
    }

    /** Returns the target of Spring's proxies, if it is always the same. */
    private static @Nullable Object target(@Nullable Object bean) {
        Object target = bean;
        for (Object inner = target; inner != null; inner = AopProxyUtils.getSingletonTarget(inner)) {
            target = inner;
        }
        return target;
    }

    private static CassandraPorts of(CqlSession session, CqlOperations cql, CqlExceptionTranslator translator) {
        CqlPort requests =
                new TemplateCqlPort(session, new AsyncCqlTemplate(new DefaultSessionFactory(session)), translator);
        return new CassandraPorts(session, new OperationsCqlPort(session, cql, requests), requests);
    }

    /**
     * Spring Data's asynchronous template. Its session callback changes no statement and keeps the driver's exceptions. They are
     * translated for application code only.
     *
     * @param template without settings, and with Spring's own translator, which keeps the cause
     * @param translator of the application's template
     */
    private record TemplateCqlPort(CqlSession session, AsyncCqlTemplate template, CqlExceptionTranslator translator)
            implements CqlPort {

        @Override
        public CompletionStage<AsyncResultSet> execute(Statement<?> statement) {
            AsyncSessionCallback<AsyncResultSet> sending =
                    present -> present.executeAsync(statement).toCompletableFuture();
            return template.execute(sending);
        }

        /** If the translator throws or returns null, returns the driver's exception, with the translator's exception suppressed. */
        @Override
        public RuntimeException translated(@Nullable String cql, DriverException failure) {
            try {
                RuntimeException translation = translator.translate("Query", cql, failure);
                return translation == null ? failure : translation;
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
                return failure;
            }
        }
    }

    /**
     * The CQL operations of the application's template. Their session callback changes no statement, and keeps the driver's exception
     * in the stage, which no translator sees.
     *
     * @param requests translates exceptions
     */
    private record OperationsCqlPort(CqlSession session, CqlOperations operations, CqlPort requests)
            implements CqlPort {

        /** Uses the session that was determined at the start, even if the operations have another one now. */
        @Override
        public CompletionStage<AsyncResultSet> execute(Statement<?> statement) {
            SessionCallback<CompletionStage<AsyncResultSet>> sending = present -> session.executeAsync(statement);
            return Objects.requireNonNull(operations.execute(sending), "the stage of a statement");
        }

        @Override
        public RuntimeException translated(@Nullable String cql, DriverException failure) {
            return requests.translated(cql, failure);
        }
    }
}
