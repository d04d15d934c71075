package io.github.cassandralock.sample.window.live;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.springframework.stereotype.Component;

/** What the starter's meters say in this copy. */
@Component
class Figures {

    /** How many messages of a queue wait for a consumer. */
    record Lag(String queue, String consumer, long messages) {}

    private final MeterRegistry meters;

    Figures(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Those that are known. */
    List<Lag> lags() {
        return meters.find("exactly.once.lag").gauges().stream()
                .filter(gauge -> Double.isFinite(gauge.value()))
                .map(Figures::lag)
                .sorted(Comparator.comparing(Lag::consumer).reversed().thenComparing(Lag::queue))
                .toList();
    }

    private static Lag lag(Gauge gauge) {
        return new Lag(tag(gauge, "queue"), tag(gauge, "name"), (long) gauge.value());
    }

    private static String tag(Meter meter, String key) {
        return Objects.requireNonNullElse(meter.getId().getTag(key), "");
    }

    /** Messages that were missing or double among the inputs of this copy's steps. */
    long violations() {
        return sum("exactly.once.violations");
    }

    /** Work of this copy for nothing, since another copy was faster. */
    long refused() {
        return sum("exactly.once.steps.refused");
    }

    private long sum(String name) {
        Collection<Meter> found = meters.find(name).meters();
        return (long) found.stream()
                .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false))
                .mapToDouble(Measurement::getValue)
                .sum();
    }
}
