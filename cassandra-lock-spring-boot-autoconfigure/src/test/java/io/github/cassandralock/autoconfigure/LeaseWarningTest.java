package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** With which algorithms a short lease is unsafe where servers' clocks differ. */
@ExtendWith(OutputCaptureExtension.class)
class LeaseWarningTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
            .withUserConfiguration(CassandraLockAutoConfigurationTest.WithCassandra.class)
            .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks");

    @ParameterizedTest
    @CsvSource({
        "queue, eager, shadow, queue, 15s, 1",
        "queue, lazy, shadow, queue, 15s, 1",
        "shadow, eager, shadow, queue, 899s, 1",
        "migration, eager, shadow, queue, 15s, 1",
        "migration, eager, queue, ticket, 15s, 1",
        "migration, lazy, ticket, shadow, 15s, 1",
        "queue, eager, shadow, queue, 15m, 0",
        "shadow, eager, shadow, queue, 1h, 0",
        "ticket, eager, shadow, queue, 15s, 0"
    })
    void startWarnsOnceOfALeaseThatServersClocksCanCutShort(
            String algorithm,
            String startup,
            String from,
            String to,
            String lease,
            int warnings,
            CapturedOutput output) {
        application
                .withPropertyValues(
                        "cassandra-lock.algorithm=" + algorithm,
                        "cassandra-lock.startup=" + startup,
                        "cassandra-lock.migration.from=" + from,
                        "cassandra-lock.migration.to=" + to,
                        "cassandra-lock.lease=" + lease)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    await().atMost(Duration.ofSeconds(10))
                            .untilAsserted(() -> assertThat(output.getOut().split("is unsafe if these clocks"))
                                    .hasSize(warnings + 1));
                    if (warnings > 0) {
                        assertThat(output).contains("The algorithm '" + algorithm, "'cassandra-lock.lease' to 15m");
                    }
                });
    }
}
