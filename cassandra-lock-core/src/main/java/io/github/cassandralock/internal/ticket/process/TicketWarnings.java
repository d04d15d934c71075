package io.github.cassandralock.internal.ticket.process;

import io.github.cassandralock.internal.store.Slot;
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
 * @param permitsDiffer callers request the same lock with different numbers of permits
 */
public record TicketWarnings(
        LossWarning lost, RepeatedWarning notReleased, RepeatedWarning notRefreshed, RepeatedWarning permitsDiffer) {

    /** @param other a slot with another number of permits than this process requests */
    public void warnThatPermitsDiffer(String lockId, int number, Slot other) {
        permitsDiffer.warn(
                "The number of permits differs: lock '" + lockId + "' is requested with " + number + " here, and with "
                        + other.permits() + " by session " + other.session()
                        + ". The smallest number that a caller sees counts for it. Use one number for the lock in all places that request"
                        + " it");
    }

    public static TicketWarnings with(Timers timers) {
        Logger log = LoggerFactory.getLogger(TicketWarnings.class);
        return new TicketWarnings(
                new LossWarning(log, timers),
                new RepeatedWarning(log, timers),
                new RepeatedWarning(log, timers),
                new RepeatedWarning(log, timers));
    }
}
