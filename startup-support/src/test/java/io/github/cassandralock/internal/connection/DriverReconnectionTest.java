package io.github.cassandralock.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.OptionsMap;
import com.datastax.oss.driver.api.core.config.TypedDriverOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Which pauses the driver makes before it connects again. Catches a configuration of the application's that is overridden. */
class DriverReconnectionTest {

    private static final String REASON = "'shop.max-delay' sets it";

    private final OptionsMap application = OptionsMap.driverDefaults();

    private final Logger logger = (Logger) LoggerFactory.getLogger(DriverReconnection.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void readTheLog() {
        logger.setLevel(Level.INFO);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void leaveTheLog() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private DriverExecutionProfile adapted() {
        return adapted(new DriverReconnection(Duration.ofSeconds(5), false, REASON));
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
                adapted(new DriverReconnection(Duration.ofMillis(200), false, REASON)),
                Duration.ofMillis(200),
                Duration.ofMillis(200));
    }

    @Test
    void logHasTheChangeAndHowToUndoIt() {
        adapted();
        assertThat(lines.list)
                .singleElement()
                .hasToString(
                        "[INFO] The driver tries a node again that was down after 5 s at most, and not after its own 1 min:"
                                + " 'shop.max-delay' sets it. A reconnection policy in the driver's configuration would stay as it is");
    }

    @Test
    void logHasNothingIfNothingIsChanged() {
        adapted(new DriverReconnection(Duration.ZERO, false, REASON));
        application.put(TypedDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(30));
        adapted();
        assertThat(lines.list).isEmpty();
    }

    @Test
    void logHasTheSettingThatALazyStartReplaces() {
        application.put(TypedDriverOption.RECONNECT_ON_INIT, true);
        adapted(new DriverReconnection(Duration.ZERO, true, REASON));
        assertThat(lines.list).singleElement().asString().contains("'advanced.reconnect-on-init' has no effect");
    }

    @Test
    void zeroLeavesTheDriversPauses() {
        assertPauses(
                adapted(new DriverReconnection(Duration.ZERO, false, REASON)),
                Duration.ofSeconds(1),
                Duration.ofSeconds(60));
    }

    @Test
    void pausesThatTheApplicationHasConfiguredStay() {
        application.put(TypedDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(30));
        assertPauses(adapted(), Duration.ofSeconds(1), Duration.ofSeconds(30));
        application.put(TypedDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(60));
        application.put(TypedDriverOption.RECONNECTION_POLICY_CLASS, "ConstantReconnectionPolicy");
        assertPauses(adapted(), Duration.ofSeconds(1), Duration.ofSeconds(60));
    }

    private DriverExecutionProfile ofAnotherSession(Duration max) {
        DriverReconnection reconnection = new DriverReconnection(Duration.ofSeconds(5), false, REASON);
        DriverConfigLoader loader = (DriverConfigLoader)
                reconnection.postProcessAfterInitialization(DriverConfigLoader.fromMap(application), "loader");
        return reconnection
                .forSession(loader, max, "another sets it")
                .getInitialConfig()
                .getDefaultProfile();
    }

    @Test
    void anotherSessionHasPausesOfItsOwn() {
        assertPauses(ofAnotherSession(Duration.ofMillis(300)), Duration.ofMillis(300), Duration.ofMillis(300));
        assertPauses(ofAnotherSession(Duration.ofSeconds(9)), Duration.ofSeconds(1), Duration.ofSeconds(9));
        assertPauses(ofAnotherSession(Duration.ZERO), Duration.ofSeconds(1), Duration.ofSeconds(60));
        assertPauses(ofAnotherSession(Duration.ofSeconds(5)), Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    @Test
    void pausesThatTheApplicationHasConfiguredStayForAnotherSession() {
        application.put(TypedDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(30));
        assertPauses(ofAnotherSession(Duration.ofMillis(300)), Duration.ofSeconds(1), Duration.ofSeconds(30));
    }

    @Test
    void lazySessionIsOpenedAgainByTheStarterAndNotByTheDriver() {
        application.put(TypedDriverOption.RECONNECT_ON_INIT, true);
        assertThat(adapted().getBoolean(DefaultDriverOption.RECONNECT_ON_INIT)).isTrue();
        assertThat(adapted(new DriverReconnection(Duration.ofSeconds(5), true, REASON))
                        .getBoolean(DefaultDriverOption.RECONNECT_ON_INIT))
                .isFalse();
    }

    @Test
    void otherProfilesAndReloadsStayTheApplications() {
        application.put("reports", TypedDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(30));
        DriverConfigLoader loader = (DriverConfigLoader) new DriverReconnection(Duration.ofSeconds(5), false, REASON)
                .postProcessAfterInitialization(DriverConfigLoader.fromMap(application), "loader");
        assertThat(loader.getInitialConfig()
                        .getProfile("reports")
                        .getDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY))
                .isEqualTo(Duration.ofSeconds(30));
        assertThat(loader.supportsReloading()).isTrue();
        assertThat(loader.reload()).isCompletedWithValue(true);
    }
}
