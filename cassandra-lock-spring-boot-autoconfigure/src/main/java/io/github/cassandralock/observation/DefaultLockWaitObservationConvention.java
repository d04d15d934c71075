package io.github.cassandralock.observation;

import io.github.cassandralock.observation.LockObservation.WaitKeyNames;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/** The convention of {@link LockObservation#WAIT} unless the application has a bean of its own. */
public class DefaultLockWaitObservationConvention extends DefaultConvention<LockWaitContext>
        implements LockWaitObservationConvention {

    /** Creates the convention. */
    public DefaultLockWaitObservationConvention() {
        super("wait");
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockWaitContext context) {
        return super.getLowCardinalityKeyValues(context).and(strategy(context));
    }

    /**
     * The key value of the strategy.
     *
     * @param context the call
     * @return the strategy in lower case
     */
    protected KeyValue strategy(LockWaitContext context) {
        return WaitKeyNames.STRATEGY.withValue(text(context.getStrategy()));
    }
}
