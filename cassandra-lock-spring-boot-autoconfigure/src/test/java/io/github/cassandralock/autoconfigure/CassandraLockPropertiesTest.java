package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.cassandra.LockingAlgorithm;
import io.github.cassandralock.cassandra.SchemaAction;
import io.github.cassandralock.internal.aop.DistributedLockAspect;
import io.github.cassandralock.internal.failure.ExplainedFailureAnalyzer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class CassandraLockPropertiesTest {

    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withUserConfiguration(OnlyProperties.class);

    @EnableConfigurationProperties(CassandraLockProperties.class)
    static class OnlyProperties {}

    /** As Spring Boot and the driver read spring.cassandra.keyspace-name. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"Shop, shop", "shop, shop", "\"Shop\", Shop", "\"my-shop\", my-shop"})
    void keyspaceIsReadAsThatOfTheSession(String configured, String meant) {
        application
                .withPropertyValues("cassandra-lock.keyspace=" + configured)
                .run(context -> assertThat(
                                context.getBean(CassandraLockProperties.class).keyspaceName())
                        .contains(CqlIdentifier.fromInternal(meant)));
    }

    @Test
    void defaultsAreThoseOfTheGuide() {
        application.run(context -> {
            CassandraLockProperties properties = context.getBean(CassandraLockProperties.class);
            assertThat(properties)
                    .isEqualTo(new CassandraLockProperties(
                            true,
                            null,
                            null,
                            SchemaAction.CREATE_IF_NOT_EXISTS,
                            LockingAlgorithm.TICKET,
                            LockConsistency.QUORUM,
                            LockSerialConsistency.SERIAL,
                            Duration.ofSeconds(15),
                            new ClockDrift(0.05),
                            new CassandraLockProperties.LocalHandover(Duration.ofMillis(50)),
                            new CassandraLockProperties.Notices(
                                    false, null, null, 0, new CassandraLockProperties.Notices.Ssl(null)),
                            new CassandraLockProperties.ForceRelease(false),
                            new CassandraLockProperties.Deadlock(false),
                            false,
                            null,
                            CassandraLockProperties.Startup.EAGER,
                            null,
                            null,
                            new CassandraLockProperties.Reconnection(Duration.ofSeconds(5)),
                            new CassandraLockProperties.Aspect(
                                    DistributedLockAspect.OUTSIDE_TRANSACTIONS,
                                    CassandraLockProperties.Aspect.UnadvisedBeans.FAIL)));
        });
    }

    @ParameterizedTest
    @CsvSource({"2%,0.02", "0.02,0.02", "0,0.0", "10 %,0.1"})
    void clockDriftIsWrittenAsAPercentageOrAFraction(String text, double fraction) {
        application
                .withPropertyValues("cassandra-lock.clock-drift=" + text)
                .run(context -> assertThat(context.getBean(CassandraLockProperties.class)
                                .clockDrift()
                                .fraction())
                        .isEqualTo(fraction));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cassandra-lock.lease=1s        | cassandra-lock.lease       | from 2s to 1h",
                "cassandra-lock.lease=61m       | cassandra-lock.lease       | from 2s to 1h",
                "cassandra-lock.lease=-5s       | cassandra-lock.lease       | from 2s to 1h",
                "cassandra-lock.clock-drift=26% | cassandra-lock.clock-drift | to 25%",
                "cassandra-lock.clock-drift=-1% | cassandra-lock.clock-drift | from 0%",
                "cassandra-lock.clock-drift=big | cassandra-lock.clock-drift | percentage",
                "cassandra-lock.local-handover.max-duration=-1ms | cassandra-lock.local-handover.max-duration | less than zero",
                "cassandra-lock.local-handover.max-duration=4s | cassandra-lock.local-handover.max-duration | a quarter of",
                "cassandra-lock.serial-consistency=local-serial | cassandra-lock.serial-consistency | must be 'serial' unless",
                "cassandra-lock.notices.port=65536 | cassandra-lock.notices.port | from 0 to 65535",
                "cassandra-lock.notices.port=-1 | cassandra-lock.notices.port | from 0 to 65535",
                "cassandra-lock.notices.enabled=true,cassandra-lock.algorithm=queue | cassandra-lock.notices.enabled | the algorithm 'queue' exchanges no notices",
                "cassandra-lock.keyspace=' '    | cassandra-lock.keyspace    | must name a keyspace",
                "cassandra-lock.keyspace=my-shop | cassandra-lock.keyspace    | means the lower-case one",
                "cassandra-lock.keyspace='\"\"'   | cassandra-lock.keyspace    | it is empty",
                "cassandra-lock.prefix=' '      | cassandra-lock.prefix      | remove the setting to have none",
                "cassandra-lock.prefix=${no.such} | cassandra-lock.prefix    | a placeholder without a value",
                "cassandra-lock.prefix=a\u001Fb | cassandra-lock.prefix     | the control character U+001F",
                "cassandra-lock.prefix=shop-12345678901234567890123456789012345678901234567890123456789ö | cassandra-lock.prefix | 66 bytes",
                "cassandra-lock.session-bean=' ' | cassandra-lock.session-bean | must name a CqlSession bean",
                "cassandra-lock.reconnection.max-delay=-1s | cassandra-lock.reconnection.max-delay | less than zero",
                "cassandra-lock.algorithm=migration | cassandra-lock.migration.from | must be 'shadow'",
                "cassandra-lock.migration.from=shadow | cassandra-lock.migration.to | must be 'shadow'",
                "cassandra-lock.migration.from=migration | cassandra-lock.migration.from | must be 'shadow'",
                "cassandra-lock.migration.from=queue,cassandra-lock.migration.to=queue | cassandra-lock.migration.to | must differ",
                "cassandra-lock.migration.from=majority,cassandra-lock.migration.to=majority | cassandra-lock.migration.to | must differ",
                "cassandra-lock.notices.enabled=true,cassandra-lock.algorithm=migration,cassandra-lock.migration.from=ticket,cassandra-lock.migration.to=majority | cassandra-lock.notices.enabled | the algorithm 'migration from ticket to majority' exchanges no notices"
            })
    void valueOutsideItsBoundsFailsTheStartAndIsExplained(String setting, String property, String why) {
        application.withPropertyValues(setting.replace("'", "").split(",")).run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = analysis(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains(property, why);
            assertThat(analysis.getAction()).contains("application.yml", property + ": ");
        });
    }

    private static FailureAnalysis analysis(@Nullable Throwable failure) {
        return Objects.requireNonNull(
                new ExplainedFailureAnalyzer().analyze(Objects.requireNonNull(failure)), "no analysis of " + failure);
    }
}
