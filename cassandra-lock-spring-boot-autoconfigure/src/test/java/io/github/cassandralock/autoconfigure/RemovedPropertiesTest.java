package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.internal.failure.ExplainedFailureAnalyzer;
import io.github.cassandralock.internal.properties.RemovedProperties;
import io.github.cassandralock.internal.properties.RemovedProperties.Removed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.mock.env.MockEnvironment;

/** Catches a setting that was removed or renamed and is skipped in silence. */
class RemovedPropertiesTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
            .withUserConfiguration(CassandraLockAutoConfigurationTest.WithCassandra.class)
            .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks");

    private ApplicationContextRunner with(PropertySource<?> properties) {
        return application.withInitializer(
                context -> context.getEnvironment().getPropertySources().addFirst(properties));
    }

    @ParameterizedTest
    @CsvSource({
        "cassandra-lock.breaking.enabled=true,   'cassandra-lock.breaking.enabled' is now 'cassandra-lock.force-release.enabled'",
        "cassandra-lock.majority.longest-lease=1h, 'cassandra-lock.majority.longest-lease' is now 'cassandra-lock.majority.max-lease'",
        "cassandra-lock.majority.nodeTimeout=1s, 'cassandra-lock.majority.node-timeout' is now 'cassandra-lock.majority.cluster-timeout'",
        "cassandra-lock.poll.min=1ms,            'cassandra-lock.poll.min' no longer exists: a waiter adapts",
        "cassandraLock.poll.MAX=1ms,             'cassandra-lock.poll.max' no longer exists: a waiter adapts",
        "cassandra-lock.deadlock.checkAfter=1s,  'cassandra-lock.deadlock.check-after' no longer exists",
        "cassandra-lock.deadlock.check-interval=1s, 'cassandra-lock.deadlock.check-interval' no longer exists",
        "cassandra-lock.notices.keep=1s,         'cassandra-lock.notices.keep' no longer exists",
        "cassandra-lock.majority.strengthen=true, 'cassandra-lock.majority.strengthen' no longer exists"
    })
    void formerPropertyStopsTheStartAndIsExplained(String setting, String message) {
        application.withPropertyValues(setting).run(context -> {
            FailureAnalysis analysis = Objects.requireNonNull(new ExplainedFailureAnalyzer()
                    .analyze(Objects.requireNonNull(context.getStartupFailure(), "the application has started")));
            assertThat(analysis.getDescription()).contains(message);
            assertThat(analysis.getAction()).startsWith("Write the new name");
        });
    }

    @Test
    void messageHasAllFormerPropertiesAndTheirPlaces() throws IOException {
        String yaml = "cassandra-lock:\n  poll:\n    min: 1ms\n  breaking:\n    enabled: true\n";
        with(new YamlPropertySourceLoader()
                        .load("shop.yml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), "shop.yml"))
                        .get(0))
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContainingAll(
                                "'cassandra-lock.poll.min'", "'cassandra-lock.breaking.enabled'", "shop.yml", "5:14"));
    }

    @ParameterizedTest
    @CsvSource({"CASSANDRALOCK_POLL_MIN", "CASSANDRA_LOCK_POLL_MIN"})
    void variableOfTheEnvironmentIsRefused(String variable) {
        with(new SystemEnvironmentPropertySource("systemEnvironment", Map.of(variable, "1ms")))
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("'cassandra-lock.poll.min' no longer exists"));
    }

    @Test
    void propertiesBelowAnyNameAreFound() {
        MockEnvironment environment = new MockEnvironment()
                .withProperty("shop.tills.first.max-items", "1")
                .withProperty("shop.tills.second.maxCoins", "1")
                .withProperty("shop.tills.max-coins", "1");
        RemovedProperties removed =
                new RemovedProperties(environment, List.of(Removed.renamed("shop.tills.*.max-coins", "max-money")));
        assertThatThrownBy(() -> removed.postProcessBeanFactory(new DefaultListableBeanFactory()))
                .hasMessageContaining("second")
                .hasMessageNotContainingAny("first", "'shop.tills.max-coins'");
    }

    @Test
    void applicationWithoutFormerPropertiesStarts() {
        application
                .withPropertyValues("cassandra-lock.force-release.enabled=true", "shop.poll.min=1s")
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Editors show it. */
    @Test
    @SuppressWarnings("unchecked")
    void metadataDeprecatesAllFormerProperties() throws IOException {
        try (InputStream file = Objects.requireNonNull(
                getClass().getResourceAsStream("/META-INF/additional-spring-configuration-metadata.json"))) {
            List<Map<String, Object>> properties =
                    (List<Map<String, Object>>) Objects.requireNonNull(JsonParserFactory.getJsonParser()
                            .parseMap(new String(file.readAllBytes(), StandardCharsets.UTF_8))
                            .get("properties"));
            assertThat(properties)
                    .filteredOn(property -> property.containsKey("deprecation"))
                    .extracting(property -> property.get("name"))
                    .containsExactlyInAnyOrderElementsOf(
                            CassandraLockAutoConfiguration.cassandraLockRemovedProperties(new MockEnvironment())
                                    .all()
                                    .stream()
                                    .map(Removed::name)
                                    .toList());
        }
    }
}
