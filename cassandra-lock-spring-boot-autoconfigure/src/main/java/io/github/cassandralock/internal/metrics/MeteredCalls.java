package io.github.cassandralock.internal.metrics;

import io.github.cassandralock.internal.observation.CallTimers;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import java.time.Duration;

/** Timers of waits and holds. Thread-safe. */
public record MeteredCalls(MeterRegistry registry) implements CallTimers {

    /** The tag that Micrometer gives the timers of observations: a name has the same tags wherever it comes from. */
    private static final String ERROR = "error";

    @Override
    public boolean areOn() {
        return true;
    }

    /** Micrometer's handler, which makes timers of observations, leaves the sample of its timer in the context. */
    @Override
    public void record(String name, KeyValues values, Duration took, Observation.Context context) {
        if (context.get(Timer.Sample.class) == null) {
            Throwable error = context.getError();
            String errorName =
                    error == null ? KeyValue.NONE_VALUE : error.getClass().getSimpleName();
            Tags tags = Tags.of(values.stream()
                            .map(value -> Tag.of(value.getKey(), value.getValue()))
                            .toList())
                    .and(ERROR, errorName);
            Timer.builder(name).tags(tags).register(registry).record(took);
        }
    }
}
