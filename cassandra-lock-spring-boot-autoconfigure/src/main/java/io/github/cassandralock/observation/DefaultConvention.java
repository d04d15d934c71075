package io.github.cassandralock.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.ObservationConvention;
import java.util.Locale;

/**
 * What the default conventions have in common: key values whose keys {@link LockObservation} names.
 *
 * @param <C> the data of the observation
 */
abstract class DefaultConvention<C extends LockContext<?>> implements ObservationConvention<C> {

    private final String kind;

    DefaultConvention(String kind) {
        this.kind = kind;
    }

    @Override
    public String getName() {
        return "cassandra.lock." + kind;
    }

    @Override
    public String getContextualName(C context) {
        return "lock " + kind;
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(C context) {
        KeyValues values = KeyValues.of(outcome(context), mode(context));
        return context.getLockName()
                .map(name -> values.and(KeyValue.of("lock", name)))
                .orElse(values);
    }

    /**
     * The key value of the outcome.
     *
     * @param context the call or the hold
     * @return the outcome in lower case, or {@code none} before the end
     */
    protected KeyValue outcome(C context) {
        return KeyValue.of(
                "outcome", context.getOutcome().map(DefaultConvention::text).orElse(KeyValue.NONE_VALUE));
    }

    /**
     * The key value of the mode.
     *
     * @param context the call or the hold
     * @return the mode in lower case
     */
    protected KeyValue mode(C context) {
        return KeyValue.of("mode", text(context.getMode()));
    }

    static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(C context) {
        return KeyValues.of(KeyValue.of("lock.id", context.getLockId()));
    }
}
