package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.OptionsMap;
import com.datastax.oss.driver.api.core.config.TypedDriverOption;
import java.time.Duration;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * How the driver connects again, for the session that Spring Boot configures.
 *
 * <p>After an outage the driver tries to reach a node after ever longer pauses, of up to a minute; that long locks would stay
 * unavailable although Cassandra is back. Pauses that the application has configured itself are left as they are.
 *
 * <p>With {@code cassandra-lock.startup: lazy}, the tries to open the session are repeated by {@link
 * io.github.cassandralock.internal.startup.ConnectingSession}, which learns the reason of each failure. The driver's own
 * repetition ({@code advanced.reconnect-on-init}) would hide it, and could not be stopped at shutdown.
 */
final class DriverReconnection implements BeanPostProcessor {

    private static final Duration DRIVERS_BASE = Duration.ofSeconds(1);
    private static final Duration DRIVERS_MAX = Duration.ofSeconds(60);
    private static final Duration DEFAULT_MAX = Duration.ofSeconds(5);

    private final Environment environment;

    DriverReconnection(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof DriverConfigLoader loader ? adapted(loader) : bean;
    }

    private DriverConfigLoader adapted(DriverConfigLoader loader) {
        Duration max = maxDelay();
        boolean shortened =
                max.toMillis() > 0 && hasDriversPauses(loader.getInitialConfig().getDefaultProfile());
        OptionsMap adaptations = new OptionsMap();
        if (shortened) {
            adaptations.put(
                    TypedDriverOption.RECONNECTION_BASE_DELAY, max.compareTo(DRIVERS_BASE) < 0 ? max : DRIVERS_BASE);
            adaptations.put(TypedDriverOption.RECONNECTION_MAX_DELAY, max);
        }
        if (isLazy()) {
            adaptations.put(TypedDriverOption.RECONNECT_ON_INIT, false);
        }
        return shortened || isLazy()
                ? DriverConfigLoader.compose(DriverConfigLoader.fromMap(adaptations), loader)
                : loader;
    }

    private boolean isLazy() {
        return isLazy(environment);
    }

    /** Whether the application starts without Cassandra. */
    static boolean isLazy(Environment environment) {
        return "lazy".equalsIgnoreCase(environment.getProperty("cassandra-lock.startup"));
    }

    private Duration maxDelay() {
        return maxDelay(environment);
    }

    private static Duration maxDelay(Environment environment) {
        return Binder.get(environment)
                .bind("cassandra-lock.reconnection.max-delay", Bindable.of(Duration.class), DurationUnits.required())
                .orElse(DEFAULT_MAX);
    }

    /** Between two tries to start without Cassandra. */
    static Duration longestPause(Environment environment) {
        return longestPause(maxDelay(environment));
    }

    /** @param maxDelay 0 for that of the driver */
    static Duration longestPause(Duration maxDelay) {
        return maxDelay.isZero() ? DRIVERS_MAX : maxDelay;
    }

    private static boolean hasDriversPauses(DriverExecutionProfile profile) {
        return profile.getString(DefaultDriverOption.RECONNECTION_POLICY_CLASS)
                        .endsWith("ExponentialReconnectionPolicy")
                && profile.getDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY)
                        .equals(DRIVERS_BASE)
                && profile.getDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY)
                        .equals(DRIVERS_MAX);
    }
}
