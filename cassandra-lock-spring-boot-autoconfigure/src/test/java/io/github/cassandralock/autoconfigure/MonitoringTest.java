package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.yaml.snakeyaml.Yaml;

/** The queries of the dashboard and of the alerts ask for time series that an application has. Without I/O, in seconds. */
class MonitoringTest {

    private static final Path FOLDER = Path.of("..", "docs", "monitoring");

    private static final Pattern SERIES = Pattern.compile("(cassandra_lock_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!=|=)\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");

    /** Labels that Prometheus adds to each series. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, Set<String>> labelsOfSeries = new HashMap<>();

    @Configuration(proxyBeanMethods = false)
    static class Observed {

        @Bean
        ObservationRegistry observations(MeterRegistry registry) {
            ObservationRegistry observations = ObservationRegistry.create();
            observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
            return observations;
        }
    }

    @BeforeEach
    void useLocks() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
                .withUserConfiguration(ObservabilityTest.WithScriptedLocks.class, Observed.class)
                .withBean(MeterRegistry.class, () -> meters)
                .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks")
                .run(context -> {
                    RemoteLocker locker = context.getBean(RemoteLocker.class);
                    locker.getLock("ended").close();
                    context.getBean(RequestObserver.class)
                            .ended(LockTable.SLOTS, RequestObserver.Kind.READ, Duration.ofMillis(1), true);
                    locker.executeLocked("held", () -> readSeries(meters.scrape()));
                });
    }

    private void readSeries(String scraped) {
        Matcher series =
                Pattern.compile("(?m)^(cassandra_lock_\\w+)(?:\\{([^}]*)})? ").matcher(scraped);
        while (series.find()) {
            Set<String> labels = labelsOfSeries.computeIfAbsent(series.group(1), name -> new HashSet<>());
            MATCHER.matcher(series.group(2) == null ? "" : series.group(2))
                    .results()
                    .forEach(label -> labels.add(label.group(1)));
        }
        assertThat(labelsOfSeries).containsKey("cassandra_lock_held");
    }

    private static List<String> queries(String file) throws IOException {
        Object content = new Yaml().load(Files.readString(FOLDER.resolve(file)));
        List<String> queries = new ArrayList<>();
        collect(content, queries);
        return queries;
    }

    private static void collect(Object node, List<String> queries) {
        if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (key.equals("expr")) {
                    queries.add(String.valueOf(value));
                } else {
                    collect(value, queries);
                }
            });
        } else if (node instanceof List<?> list) {
            list.forEach(element -> collect(element, queries));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana.json", "alerts.yaml"})
    void everyQueryNamesSeriesAndLabelsThatExist(String file) throws IOException {
        assertThat(queries(file)).hasSizeGreaterThan(5).allSatisfy(query -> {
            assertThat(SERIES.matcher(query).results()).isNotEmpty().allSatisfy(series -> {
                assertThat(labelsOfSeries).containsKey(series.group(1));
                Set<String> used = Stream.concat(
                                labels(MATCHER, series.group(2) == null ? "" : series.group(2)),
                                GROUPING.matcher(query)
                                        .results()
                                        .flatMap(by -> Stream.of(by.group(1).split(",\\s*"))))
                        .filter(label -> !OF_PROMETHEUS.contains(label))
                        .collect(Collectors.toSet());
                assertThat(labelsOfSeries.get(series.group(1))).containsAll(used);
            });
        });
    }

    private static Stream<String> labels(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(label -> label.group(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana.json", "alerts.yaml"})
    void everyLossInAQueryIsAReason(String file) throws IOException {
        Set<String> reasons = Stream.of(LockLoss.Reason.values())
                .map(reason -> reason.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        assertThat(queries(file).stream()
                        .flatMap(query -> MATCHER.matcher(query).results())
                        .filter(matcher -> matcher.group(1).equals("loss"))
                        .flatMap(matcher -> Stream.of(matcher.group(3).split("\\|"))))
                .isNotEmpty()
                .isSubsetOf(reasons);
    }
}
