package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import io.github.cassandralock.autoconfigure.startup.StartFailures;
import io.github.cassandralock.internal.connection.ChosenByNameOnly;
import io.github.cassandralock.internal.connection.DriverReconnection;
import io.github.cassandralock.internal.connection.KnownContactPoints;
import io.github.cassandralock.internal.properties.ConditionalOnSwitch;
import io.github.cassandralock.internal.properties.DurationUnits;
import io.github.cassandralock.internal.startup.ConnectingSession;
import io.github.cassandralock.internal.startup.RepeatedStart;
import io.github.cassandralock.internal.startup.StartReport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.cassandra.core.CassandraOperations;

/**
 * Adapts the session that Spring Boot configures: it returns sooner to nodes that were down. With {@code cassandra-lock.startup:
 * lazy}, it is opened in the background. The application's own session bean is left as it is.
 *
 * <p>The order before Spring Boot's Cassandra configuration is given by name. Versions 3 and 4 have it in different packages.
 */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.autoconfigure.cassandra.CassandraAutoConfiguration",
            "org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration"
        })
@ConditionalOnSwitch(property = "cassandra-lock.enabled", byDefault = true)
@Import(LockBeanProxies.class)
public final class CassandraLockSessionAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(CassandraLockSessionAutoConfiguration.class);

    @Bean
    static ChosenByNameOnly cassandraLockBeanByNameOnly(Environment environment) {
        Map<String, Class<?>> properties = new LinkedHashMap<>();
        Stream.concat(
                        Stream.of("cassandra-lock"),
                        LockerEnvironment.names(environment).stream().map(name -> "cassandra-lock.lockers." + name))
                .forEach(prefix -> {
                    properties.put(prefix + ".session-bean", CqlSession.class);
                    properties.put(prefix + ".template-bean", CassandraOperations.class);
                });
        return new ChosenByNameOnly(environment, properties);
    }

    @Bean
    static DriverReconnection cassandraLockDriverReconnection(Environment environment) {
        return new DriverReconnection(
                maxDelay(environment),
                DriverReconnection.isLazy(environment, "cassandra-lock"),
                "'cassandra-lock.reconnection.max-delay' sets it, and '0' leaves the driver's");
    }

    private static Duration maxDelay(Environment environment) {
        return new DurationUnits("cassandra-lock")
                .early(environment, "cassandra-lock.reconnection.max-delay", RepeatedStart.LONGEST_PAUSE);
    }

    /** Replaces Spring Boot's bean under its name. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "cassandra-lock.startup", havingValue = "lazy")
    CqlSession cassandraSession(CqlSessionBuilder builder, Environment environment) {
        return ConnectingSession.begin(
                "cassandra-lock-connect",
                builder::buildAsync,
                KnownContactPoints.of(builder),
                new StartReport(log, "The session to Cassandra", new StartFailures(environment)),
                DriverReconnection.longestPause(maxDelay(environment)));
    }
}
