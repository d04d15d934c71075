package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.spring.HandlerBuilders;
import io.github.cassandralock.exactlyonce.spring.Queues;
import java.util.Optional;
import java.util.Set;

/** The properties of handlers. */
record ConfiguredHandlers(ExactlyOnceProperties properties, Queues queues) implements HandlerBuilders.Configuration {

    @Override
    public void apply(String handler, HandlerDefinition.Builder<?> builder) {
        builder.idlePauses(properties.idle()).failurePauses(properties.afterFailure());
        ExactlyOnceProperties.Handler configured = properties.handlers().get(handler);
        if (configured != null) {
            apply(configured, builder);
        }
    }

    private void apply(ExactlyOnceProperties.Handler configured, HandlerDefinition.Builder<?> builder) {
        Optional.ofNullable(configured.maxInputs()).ifPresent(builder::maxInputs);
        Optional.ofNullable(configured.maxPayloads()).ifPresent(builder::maxPayloads);
        Optional.ofNullable(configured.onViolation()).ifPresent(builder::onViolation);
        ExactlyOnceProperties.Parking parking = configured.parking();
        if (parking != null && parking.queue() != null) {
            builder.parkAfter(parking.minFailures(), parking.minDuration(), queues.named(parking.queue()));
        }
    }

    /** Refuses unknown names: a misspelt name would silently configure nothing. */
    static void requireKnown(ExactlyOnceProperties properties, Set<String> begun) {
        for (String name : properties.handlers().keySet()) {
            if (!begun.contains(name)) {
                throw new InvalidExactlyOncePropertyException(
                        "handlers." + name,
                        "set",
                        "the application defines no handler of this name by HandlerBuilders; it defines "
                                + InvalidExactlyOncePropertyException.list(begun),
                        "Correct the name in application.yml, or begin the definition of that handler with"
                                + " HandlerBuilders.named. Put a name with other characters than letters, digits and"
                                + " hyphens into brackets: 'exactly-once.handlers.[a.b]'.",
                        null);
            }
        }
    }
}
