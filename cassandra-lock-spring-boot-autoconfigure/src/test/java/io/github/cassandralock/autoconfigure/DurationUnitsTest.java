package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.failure.InvalidPropertyException;
import io.github.cassandralock.internal.properties.DurationUnits;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Catches a duration of a few milliseconds that was meant as seconds. */
class DurationUnitsTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Properties.class)
            .withBean(DurationUnits.class, CassandraLockAutoConfiguration::cassandraLockDurationUnits);

    @ConfigurationProperties("shop")
    record Shop(Duration patience) {}

    @EnableConfigurationProperties({CassandraLockProperties.class, MajorityProperties.class, Shop.class})
    static class Properties {}

    private ApplicationContextRunner with(PropertySource<?> properties) {
        return application.withInitializer(
                context -> context.getEnvironment().getPropertySources().addFirst(properties));
    }

    @ParameterizedTest
    @CsvSource({
        "cassandra-lock.lease, 15",
        "cassandra-lock.lease, +15",
        "cassandra-lock.lease, ${none:15}",
        "cassandra-lock.local-handover.max-duration, 50",
        "cassandra-lock.reconnection.maxDelay, 5",
    })
    void durationWithoutAUnitStopsTheStart(String property, String value) {
        with(new MapPropertySource("test", Map.of(property, value)))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(ExplainedException.class)
                        .hasMessageContainingAll("has no unit", "s'"));
    }

    @Test
    void variableOfTheEnvironmentNeedsAUnit() {
        with(new SystemEnvironmentPropertySource("systemEnvironment", Map.of("CASSANDRALOCK_LEASE", "15")))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("'cassandra-lock.lease' is '15'"));
    }

    @Test
    void numberOfYamlHasNoUnit() {
        with(new MapPropertySource("yaml", Map.of("cassandra-lock.lease", 15)))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidPropertyException.class)
                        .hasMessageContainingAll("'cassandra-lock.lease' is '15'", "'15s'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0s", "PT0.02S", "20ms", "20000us"})
    void zeroAndUnitsAreAccepted(String value) {
        application
                .withPropertyValues("cassandra-lock.local-handover.max-duration=" + value)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void propertiesOfTheApplicationAreLeftAlone() {
        application
                .withPropertyValues("shop.patience=5")
                .run(context ->
                        assertThat(context.getBean(Shop.class).patience()).isEqualTo(Duration.ofMillis(5)));
    }

    @Test
    void durationThatIsBoundBeforeItsBeanIsRefusedAsWell() {
        new ApplicationContextRunner()
                .withUserConfiguration(CassandraLockSessionAutoConfiguration.class)
                .withPropertyValues("cassandra-lock.reconnection.max-delay=5")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("has no unit"));
    }
}
