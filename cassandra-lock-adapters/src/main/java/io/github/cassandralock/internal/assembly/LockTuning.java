package io.github.cassandralock.internal.assembly;

import io.github.cassandralock.internal.deadlock.DeadlockSettings;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import java.time.Duration;

/**
 * Times that no application chooses. They concern one process: processes with different times may share locks. Tests replace them.
 *
 * @param keep how long an unused lock stays with its process, if the process exchanges notices
 * @param deadlocks of the search for deadlocks
 */
public record LockTuning(Duration keep, DeadlockSettings deadlocks) {

    public static final LockTuning USUAL = new LockTuning(TicketSettings.KEEP, DeadlockSettings.USUAL);
}
