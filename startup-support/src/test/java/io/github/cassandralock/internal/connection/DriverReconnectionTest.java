package io.github.cassandralock.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.OptionsMap;
import com.datastax.oss.driver.api.core.config.TypedDriverOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which pauses the driver makes before it connects again. Catches a configuration of the application's that is overridden. */
class DriverReconnectionTest {

    private final OptionsMap application = OptionsMap.driverDefaults();

    private DriverExecutionProfile adapted() {
        return adapted(new DriverReconnection(Duration.ofSeconds(5), false));
    }

    private DriverExecutionProfile adapted(DriverReconnection reconnection) {
        Object loader = reconnection.postProcessAfterInitialization(DriverConfigLoader.fromMap(application), "loader");
        return ((DriverConfigLoader) loader).getInitialConfig().getDefaultProfile();
    }

    private static void assertPauses(DriverExecutionProfile profile, Duration base, Duration max) {
        assertThat(profile.getDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY))
                .isEqualTo(base);
        assertThat(profile.getDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY))
                .isEqualTo(max);
    }

    @Test
    void longestPauseIsFiveSecondsAndAllElseIsTheApplications() {
        application.put(TypedDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(77));
        assertPauses(adapted(), Duration.ofSeconds(1), Duration.ofSeconds(5));
        assertThat(adapted().getDuration(DefaultDriverOption.REQUEST_TIMEOUT)).isEqualTo(Duration.ofSeconds(77));
    }

    @Test
    void longestPauseIsTheGivenOneAlsoIfItIsShorterThanTheDriversFirst() {
        assertPauses(
                adapted(new DriverReconnection(Duration.ofMillis(200), false)),
                Duration.ofMillis(200),
                Duration.ofMillis(200));
    }

    @Test
    void zeroLeavesTheDriversPauses() {
        assertPauses(
                adapted(new DriverReconnection(Duration.ZERO, false)), Duration.ofSeconds(1), Duration.ofSeconds(60));
    }

    @Test
    void pausesThatTheApplicationHasConfiguredStay() {
        application.put(TypedDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(30));
        assertPauses(adapted(), Duration.ofSeconds(1), Duration.ofSeconds(30));
        application.put(TypedDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(60));
        application.put(TypedDriverOption.RECONNECTION_POLICY_CLASS, "ConstantReconnectionPolicy");
        assertPauses(adapted(), Duration.ofSeconds(1), Duration.ofSeconds(60));
    }

    @Test
    void lazySessionIsOpenedAgainByTheStarterAndNotByTheDriver() {
        application.put(TypedDriverOption.RECONNECT_ON_INIT, true);
        assertThat(adapted().getBoolean(DefaultDriverOption.RECONNECT_ON_INIT)).isTrue();
        assertThat(adapted(new DriverReconnection(Duration.ofSeconds(5), true))
                        .getBoolean(DefaultDriverOption.RECONNECT_ON_INIT))
                .isFalse();
    }
}
