package io.github.cassandralock.internal.locker.observe;

import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Timers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warnings about calls and handles. Each kind has one object, because an outage concerns thousands of locks at once.
 *
 * @param notReleased a release was not acknowledged in time
 * @param callbackFailed a callback of the application threw
 * @param listenerFailed a listener of the application threw
 * @param observerFailed an observer of calls threw
 * @param heldTooLong a lock was lost because its longest time had passed
 * @param earlierPeriod a period was earlier than the last completed one
 */
public record LockerWarnings(
        RepeatedWarning notReleased,
        RepeatedWarning callbackFailed,
        RepeatedWarning listenerFailed,
        RepeatedWarning observerFailed,
        RepeatedWarning heldTooLong,
        RepeatedWarning earlierPeriod) {

    public static LockerWarnings with(Timers timers) {
        Logger log = LoggerFactory.getLogger(LockerWarnings.class);
        return new LockerWarnings(
                new RepeatedWarning(log, timers),
                new RepeatedWarning(log, timers),
                new RepeatedWarning(log, timers),
                new RepeatedWarning(log, timers),
                new RepeatedWarning(log, timers),
                new RepeatedWarning(log, timers));
    }
}
