package io.github.cassandralock.observation;

import io.github.cassandralock.observation.LockObservation.HighCardinalityKeyNames;
import io.github.cassandralock.observation.LockObservation.WaitKeyNames;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.Locale;

/** The convention of {@link LockObservation#WAIT} unless the application has a bean of its own. */
public class DefaultLockWaitObservationConvention implements LockWaitObservationConvention {

    /** Creates the convention. */
    public DefaultLockWaitObservationConvention() {}

    @Override
    public String getName() {
        return "cassandra.lock.wait";
    }

    @Override
    public String getContextualName(LockWaitContext context) {
        return "lock wait";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockWaitContext context) {
        KeyValues values = KeyValues.of(outcome(context), strategy(context), mode(context));
        return context.getLockName()
                .map(name -> values.and(WaitKeyNames.LOCK.withValue(name)))
                .orElse(values);
    }

    /**
     * The key value of the outcome.
     *
     * @param context the call
     * @return the outcome in lower case, or {@code none} before the end
     */
    protected KeyValue outcome(LockWaitContext context) {
        return WaitKeyNames.OUTCOME.withValue(context.getOutcome()
                .map(outcome -> outcome.name().toLowerCase(Locale.ROOT))
                .orElse(KeyValue.NONE_VALUE));
    }

    /**
     * The key value of the strategy.
     *
     * @param context the call
     * @return the strategy in lower case
     */
    protected KeyValue strategy(LockWaitContext context) {
        return WaitKeyNames.STRATEGY.withValue(context.getStrategy().name().toLowerCase(Locale.ROOT));
    }

    /**
     * The key value of the mode.
     *
     * @param context the call
     * @return the mode in lower case
     */
    protected KeyValue mode(LockWaitContext context) {
        return WaitKeyNames.MODE.withValue(context.getMode().name().toLowerCase(Locale.ROOT));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LockWaitContext context) {
        return KeyValues.of(HighCardinalityKeyNames.LOCK_ID.withValue(context.getLockId()));
    }
}
