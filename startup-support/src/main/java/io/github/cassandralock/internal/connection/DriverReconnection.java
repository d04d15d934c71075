package io.github.cassandralock.internal.connection;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.DriverOption;
import io.github.cassandralock.internal.startup.ExactDuration;
import io.github.cassandralock.internal.startup.ReplacedOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.Environment;

/**
 * How the driver connects again, for the session that Spring Boot configures.
 *
 * <p>After an outage, the driver's pauses between two tries grow up to a minute. The application would stay without Cassandra for
 * that long. Pauses that the application has configured itself are left as they are.
 *
 * <p>A session that is opened in the background is a {@link io.github.cassandralock.internal.startup.ConnectingSession}. It repeats
 * the tries and records the reason of each failure. The driver's own repetition ({@code advanced.reconnect-on-init}) would hide the
 * reason, and could not be stopped at shutdown.
 *
 * <p>The log has a line for each setting of the driver that is changed.
 */
public final class DriverReconnection implements BeanPostProcessor {

    private static final Logger log = LoggerFactory.getLogger(DriverReconnection.class);

    private static final Duration DRIVERS_BASE = Duration.ofSeconds(1);
    private static final Duration DRIVERS_MAX = Duration.ofSeconds(60);

    private final Duration max;
    private final boolean lazy;
    private final String reason;

    /**
     * @param max longest pause; 0 for the driver's pauses
     * @param lazy whether the session is opened in the background
     * @param reason why {@code max} is set, and how to change that; for the log
     */
    public DriverReconnection(Duration max, boolean lazy, String reason) {
        this.max = max;
        this.lazy = lazy;
        this.reason = reason;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof DriverConfigLoader loader ? adapted(loader) : bean;
    }

    private DriverConfigLoader adapted(DriverConfigLoader loader) {
        DriverExecutionProfile configured = loader.getInitialConfig().getDefaultProfile();
        boolean shortened = max.toMillis() > 0 && hasPauses(configured, Duration.ZERO);
        Map<DriverOption, Object> replaced = new HashMap<>(shortened ? pauses(max, reason) : Map.of());
        if (lazy) {
            if (configured.getBoolean(DefaultDriverOption.RECONNECT_ON_INIT)) {
                log.info(
                        "The driver's setting 'advanced.reconnect-on-init' has no effect: with 'startup: lazy', the session is"
                                + " opened in the background until it succeeds");
            }
            replaced.put(DefaultDriverOption.RECONNECT_ON_INIT, false);
        }
        return replaced.isEmpty() ? loader : ReplacedOptions.of(replaced, loader);
    }

    /**
     * Returns the configuration of another session of the application. Pauses that the application has configured itself are left
     * as they are.
     *
     * @param loader adapted by this object
     * @param othersMax longest pause of that session; 0 for the driver's pauses
     * @param othersReason why it is set, and how to change that; for the log
     */
    public DriverConfigLoader forSession(DriverConfigLoader loader, Duration othersMax, String othersReason) {
        boolean adapted = hasPauses(loader.getInitialConfig().getDefaultProfile(), max);
        return othersMax.equals(max) || !adapted ? loader : ReplacedOptions.of(pauses(othersMax, othersReason), loader);
    }

    private static Map<DriverOption, Object> pauses(Duration max, String reason) {
        log.info(
                "The driver tries a node again that was down after {} at most, and not after its own {}: {}. A reconnection"
                        + " policy in the driver's configuration would stay as it is",
                ExactDuration.text(longestPause(max)),
                ExactDuration.text(DRIVERS_MAX),
                reason);
        return Map.of(
                DefaultDriverOption.RECONNECTION_BASE_DELAY, base(max),
                DefaultDriverOption.RECONNECTION_MAX_DELAY, longestPause(max));
    }

    private static Duration base(Duration max) {
        return max.isZero() || max.compareTo(DRIVERS_BASE) > 0 ? DRIVERS_BASE : max;
    }

    /** @param environment whose property {@code <prefix>.startup} decides whether the application starts without Cassandra */
    public static boolean isLazy(Environment environment, String prefix) {
        return "lazy".equalsIgnoreCase(environment.getProperty(prefix + ".startup"));
    }

    /**
     * Returns the longest pause between two tries to start without Cassandra.
     *
     * @param maxDelay 0 for the driver's pause
     */
    public static Duration longestPause(Duration maxDelay) {
        return maxDelay.isZero() ? DRIVERS_MAX : maxDelay;
    }

    private static boolean hasPauses(DriverExecutionProfile profile, Duration max) {
        return profile.getString(DefaultDriverOption.RECONNECTION_POLICY_CLASS)
                        .endsWith("ExponentialReconnectionPolicy")
                && profile.getDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY)
                        .equals(base(max))
                && profile.getDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY)
                        .equals(longestPause(max));
    }
}
