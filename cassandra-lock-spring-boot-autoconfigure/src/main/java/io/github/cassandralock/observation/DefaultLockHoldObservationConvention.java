package io.github.cassandralock.observation;

import io.github.cassandralock.observation.LockObservation.HighCardinalityKeyNames;
import io.github.cassandralock.observation.LockObservation.HoldKeyNames;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.Locale;

/** The convention of {@link LockObservation#HOLD} unless the application has a bean of its own. */
public class DefaultLockHoldObservationConvention implements LockHoldObservationConvention {

    /** Creates the convention. */
    public DefaultLockHoldObservationConvention() {}

    @Override
    public String getName() {
        return "cassandra.lock.hold";
    }

    @Override
    public String getContextualName(LockHoldContext context) {
        return "lock hold";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockHoldContext context) {
        KeyValues values = KeyValues.of(outcome(context), mode(context));
        return context.getLockName()
                .map(name -> values.and(HoldKeyNames.LOCK.withValue(name)))
                .orElse(values);
    }

    /**
     * The key value of the outcome.
     *
     * @param context the hold
     * @return the outcome in lower case, or {@code none} before the end
     */
    protected KeyValue outcome(LockHoldContext context) {
        return HoldKeyNames.OUTCOME.withValue(context.getOutcome()
                .map(outcome -> outcome.name().toLowerCase(Locale.ROOT))
                .orElse(KeyValue.NONE_VALUE));
    }

    /**
     * The key value of the mode.
     *
     * @param context the hold
     * @return the mode in lower case
     */
    protected KeyValue mode(LockHoldContext context) {
        return HoldKeyNames.MODE.withValue(context.getMode().name().toLowerCase(Locale.ROOT));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LockHoldContext context) {
        return KeyValues.of(HighCardinalityKeyNames.LOCK_ID.withValue(context.getLockId()));
    }
}
