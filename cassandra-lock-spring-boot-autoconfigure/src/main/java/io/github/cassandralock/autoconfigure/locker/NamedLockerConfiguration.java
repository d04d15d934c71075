package io.github.cassandralock.autoconfigure.locker;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.autoconfigure.CassandraLockProperties.Startup;
import io.github.cassandralock.autoconfigure.InvalidLockPropertyException;
import io.github.cassandralock.autoconfigure.LockConfigurations;
import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.autoconfigure.MajorityProperties;
import io.github.cassandralock.autoconfigure.session.CassandraAccess;
import io.github.cassandralock.autoconfigure.session.OwnSession;
import io.github.cassandralock.autoconfigure.startup.StartFailures;
import io.github.cassandralock.internal.assembly.CassandraPorts;
import io.github.cassandralock.internal.connection.DriverReconnection;
import io.github.cassandralock.internal.connection.KnownContactPoints;
import io.github.cassandralock.internal.startup.ConnectingSession;
import io.github.cassandralock.internal.startup.StartReport;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** The beans of a named locker beside the locker itself. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({CassandraLockProperties.class, MajorityProperties.class})
@Import(LockConfigurations.OfNamedLocker.class)
class NamedLockerConfiguration {

    private static final Logger log = LoggerFactory.getLogger(NamedLockerConfiguration.class);

    /** A session to the contact points of the locker, in place of one of the application's. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(Connected.IfItHasContactPoints.class)
    static class Connected {

        @Bean
        @Lazy
        CqlSession cassandraLockSession(
                CassandraLockProperties properties, ListableBeanFactory beans, Environment environment) {
            String other = properties.sessionBean() == null ? properties.templateBean() : properties.sessionBean();
            if (other != null) {
                throw new InvalidLockPropertyException(
                        properties.sessionBean() == null ? "template-bean" : "session-bean",
                        other,
                        "'contact-points' connects a session of the locker's own: remove one of the two",
                        other,
                        null);
            }
            LockerName locker = LockerName.of(environment);
            CqlSessionBuilder builder = own(environment).builder(beans, driver(locker, properties, beans));
            return properties.startup() == Startup.EAGER
                    ? builder.build()
                    : ConnectingSession.begin(
                            locker.threads() + "connect",
                            builder::buildAsync,
                            KnownContactPoints.of(builder),
                            new StartReport(
                                    log,
                                    "The session of the locker '" + locker.name() + "'",
                                    new StartFailures(environment, "cassandra-lock.lockers." + locker.name())),
                            DriverReconnection.longestPause(
                                    properties.reconnection().maxDelay()));
        }

        /** The application's settings of the driver, with the pauses of this locker. Exactly once may also have adapted them. */
        private static DriverConfigLoader driver(
                LockerName locker, CassandraLockProperties properties, ListableBeanFactory beans) {
            DriverConfigLoader loader = beans.getBean(DriverConfigLoader.class);
            for (DriverReconnection application : beans.getBeanProvider(DriverReconnection.class)) {
                loader = application.forSession(
                        loader,
                        properties.reconnection().maxDelay(),
                        "'cassandra-lock.lockers." + locker.name()
                                + ".reconnection.max-delay' sets it for this locker, and '0' leaves the driver's");
            }
            return loader;
        }

        private static OwnSession own(Environment environment) {
            return Binder.get(environment)
                    .bind("cassandra-lock", OwnSession.class)
                    .get();
        }

        @Bean
        @Lazy
        CassandraPorts cassandraLockAccess(CqlSession cassandraLockSession) {
            return CassandraAccess.of(cassandraLockSession);
        }

        /** Whether {@code contact-points} is set, as a list or as one text. */
        static final class IfItHasContactPoints implements Condition {

            @Override
            public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
                return !Binder.get(context.getEnvironment())
                        .bind("cassandra-lock.contact-points", Bindable.listOf(String.class))
                        .orElse(List.of())
                        .isEmpty();
            }
        }
    }
}
