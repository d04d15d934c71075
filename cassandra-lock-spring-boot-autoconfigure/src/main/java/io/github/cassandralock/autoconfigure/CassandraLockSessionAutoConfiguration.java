package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import io.github.cassandralock.internal.startup.ConnectingSession;
import io.github.cassandralock.internal.startup.StartReport;
import io.github.cassandralock.internal.time.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Adapts the session that Spring Boot configures: how soon it returns to nodes that were down, and, with {@code
 * cassandra-lock.startup: lazy}, that it is opened in the background. A session bean of the application's own is left as it is.
 *
 * <p>The order before Spring Boot's Cassandra configuration is given by name, because versions 3 and 4 have it in different
 * packages.
 */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.autoconfigure.cassandra.CassandraAutoConfiguration",
            "org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration"
        })
@ConditionalOnSwitch(property = "cassandra-lock.enabled", byDefault = true)
@Import(ProxiesOfOwnBeans.class)
public final class CassandraLockSessionAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(CassandraLockSessionAutoConfiguration.class);

    @Bean
    static LockBeanByNameOnly cassandraLockBeanByNameOnly(Environment environment) {
        return new LockBeanByNameOnly(environment);
    }

    @Bean
    static DriverReconnection cassandraLockDriverReconnection(Environment environment) {
        return new DriverReconnection(environment);
    }

    /** Takes the place, and the name, of Spring Boot's own. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "cassandra-lock.startup", havingValue = "lazy")
    CqlSession cassandraSession(CqlSessionBuilder builder, Environment environment) {
        return ConnectingSession.begin(
                builder::buildAsync,
                KnownContactPoints.of(builder),
                new StartReport(log, "The session to Cassandra", new StartFailures(environment), Ticker.system()),
                DriverReconnection.longestPause(environment));
    }
}
