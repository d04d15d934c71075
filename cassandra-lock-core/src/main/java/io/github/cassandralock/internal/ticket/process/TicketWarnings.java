package io.github.cassandralock.internal.ticket.process;

import io.github.cassandralock.internal.text.LossWarning;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Timers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warnings about locks. Each kind has one object, because thousands of locks log it if Cassandra cannot be reached.
 *
 * @param lost a holder's lock is lost
 * @param notReleased a release was not acknowledged and is repeated
 * @param notRefreshed the write that keeps a slot from expiring was not acknowledged and is repeated
 */
public record TicketWarnings(LossWarning lost, RepeatedWarning notReleased, RepeatedWarning notRefreshed) {

    public static TicketWarnings with(Timers timers) {
        Logger log = LoggerFactory.getLogger(TicketWarnings.class);
        return new TicketWarnings(
                new LossWarning(log, timers), new RepeatedWarning(log, timers), new RepeatedWarning(log, timers));
    }
}
