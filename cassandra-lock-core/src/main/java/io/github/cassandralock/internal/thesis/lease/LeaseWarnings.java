package io.github.cassandralock.internal.thesis.lease;

import io.github.cassandralock.internal.text.LossWarning;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Timers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warnings about locks, one object for each kind. If Cassandra cannot be reached, thousands of locks log one kind.
 *
 * @param lost a holder's lock is lost
 * @param notRenewed a renewal failed and is repeated
 * @param notDeleted a cell was not deleted before it expired
 */
public record LeaseWarnings(LossWarning lost, RepeatedWarning notRenewed, RepeatedWarning notDeleted) {

    private static final Logger log = LoggerFactory.getLogger(LeaseWarnings.class);

    public static LeaseWarnings with(Timers timers) {
        return new LeaseWarnings(
                new LossWarning(log, timers), new RepeatedWarning(log, timers), new RepeatedWarning(log, timers));
    }
}
