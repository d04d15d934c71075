package io.github.cassandralock.observation;

import io.github.cassandralock.observation.LockObservation.HoldKeyNames;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/** The convention of {@link LockObservation#HOLD} unless the application has a bean of its own. */
public class DefaultLockHoldObservationConvention extends DefaultConvention<LockHoldContext>
        implements LockHoldObservationConvention {

    /** Creates the convention. */
    public DefaultLockHoldObservationConvention() {
        super("hold");
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockHoldContext context) {
        return super.getLowCardinalityKeyValues(context).and(loss(context));
    }

    /**
     * The key value of the loss.
     *
     * @param context the hold
     * @return the reason in lower case, or {@code none} if the lock was not lost
     */
    protected KeyValue loss(LockHoldContext context) {
        return HoldKeyNames.LOSS.withValue(
                context.getLoss().map(DefaultConvention::text).orElse(KeyValue.NONE_VALUE));
    }
}
