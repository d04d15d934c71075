package io.github.cassandralock.internal.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.time.Duration;

/**
 * Timers of waits and holds that no handler of observations times. An observation may be switched off, or its registry may have
 * no handler that makes meters. Thread-safe.
 */
public record MeteredCalls(MeterRegistry registry) {

    /** The tag that Micrometer adds to the timers of observations, because a name must always have the same tags. */
    private static final String ERROR = "error";

    /**
     * Records a duration. Does nothing if Micrometer's handler makes a timer of this observation. That handler keeps the timer's
     * sample in the context.
     */
    <C extends Observation.Context> void record(ObservationConvention<C> convention, C context, Duration took) {
        if (context.get(Timer.Sample.class) == null) {
            Throwable error = context.getError();
            String errorName =
                    error == null ? KeyValue.NONE_VALUE : error.getClass().getSimpleName();
            Tags tags = Tags.of(
                            convention
                                    .getLowCardinalityKeyValues(context)
                                    .and(context.getLowCardinalityKeyValues())
                                    .stream()
                                    .map(value -> Tag.of(value.getKey(), value.getValue()))
                                    .toList())
                    .and(ERROR, errorName);
            Timer.builder(convention.getName()).tags(tags).register(registry).record(took);
        }
    }
}
