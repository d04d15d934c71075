package io.github.cassandralock.exactlyonce.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import io.github.cassandralock.internal.connection.ChosenByNameOnly;
import io.github.cassandralock.internal.connection.ConnectionRuntimeHints;
import io.github.cassandralock.internal.connection.DriverReconnection;
import io.github.cassandralock.internal.connection.KnownContactPoints;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.startup.ConnectingSession;
import io.github.cassandralock.internal.startup.RepeatedStart;
import io.github.cassandralock.internal.startup.StartReport;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Adapts the session to Cassandra that Spring Boot configures, if registers are in Cassandra. This class sets how soon the session
 * returns to nodes that were down. With {@code exactly-once.startup: lazy}, the session is opened in the background. The
 * application's own session bean is left as it is.
 *
 * <p>The order before Spring Boot's Cassandra configuration is given by name. Versions 3 and 4 have that configuration in different
 * packages.
 */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.autoconfigure.cassandra.CassandraAutoConfiguration",
            "org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration"
        })
@ConditionalOnClass(CqlSession.class)
@ConditionalOnSwitch(property = "exactly-once.enabled", byDefault = true)
@ConditionalOnProperty(name = "exactly-once.store", havingValue = "cassandra", matchIfMissing = true)
@Import(ExactlyOnceBeanProxies.class)
@ImportRuntimeHints(ConnectionRuntimeHints.class)
public final class ExactlyOnceSessionAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(ExactlyOnceSessionAutoConfiguration.class);

    @Bean
    static ChosenByNameOnly exactlyOnceSessionByNameOnly(Environment environment) {
        return new ChosenByNameOnly(environment, Map.of("exactly-once.session-bean", CqlSession.class));
    }

    /** Another bean of this type has a configured pause, so this bean leaves the pauses alone. */
    @Bean
    static DriverReconnection exactlyOnceDriverReconnection(Environment environment, ListableBeanFactory beans) {
        boolean alone = beans.getBeanNamesForType(DriverReconnection.class, true, false).length == 1;
        return new DriverReconnection(
                alone ? RepeatedStart.LONGEST_PAUSE : Duration.ZERO,
                DriverReconnection.isLazy(environment, "exactly-once"),
                "the handlers of exactly-once would stand still for that long");
    }

    /** Replaces Spring Boot's bean under its name. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "exactly-once.startup", havingValue = "lazy")
    CqlSession cassandraSession(CqlSessionBuilder builder, Environment environment) {
        return ConnectingSession.begin(
                "exactly-once-connect",
                builder::buildAsync,
                KnownContactPoints.of(builder),
                new StartReport(log, "The session to Cassandra", new RegisterStoreFailures(environment)),
                RepeatedStart.LONGEST_PAUSE);
    }
}
