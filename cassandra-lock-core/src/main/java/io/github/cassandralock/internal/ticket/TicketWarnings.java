package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Timers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warnings about locks, one of each kind: when Cassandra is out of reach, thousands of locks have the same one.
 *
 * @param lost a holder's lock is lost
 * @param notReleased a release was not acknowledged and is repeated
 * @param notRefreshed a slot that is about to expire could not be written again, which is repeated
 */
record TicketWarnings(RepeatedWarning lost, RepeatedWarning notReleased, RepeatedWarning notRefreshed) {

    static TicketWarnings with(Timers timers) {
        Logger log = LoggerFactory.getLogger(TicketWarnings.class);
        return new TicketWarnings(
                new RepeatedWarning(log, timers), new RepeatedWarning(log, timers), new RepeatedWarning(log, timers));
    }
}
