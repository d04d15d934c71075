package io.github.cassandralock.observation;

/** The convention of {@link LockObservation#HOLD} unless the application has a bean of its own. */
public class DefaultLockHoldObservationConvention extends DefaultConvention<LockHoldContext>
        implements LockHoldObservationConvention {

    /** Creates the convention. */
    public DefaultLockHoldObservationConvention() {
        super("hold");
    }
}
