package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.lock.TicketGrant;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.spi.Grant;
import java.util.stream.Stream;

/** Tells which attempts are behind a grant of the algorithm {@code ticket}. */
public final class GrantedSlots {

    private GrantedSlots() {}

    /** That by which it was granted. */
    public static Slot of(Grant grant) {
        return ((TicketGrant) grant).handle().row().slot();
    }

    /** Also those of conversions up. */
    public static Stream<Slot> all(Grant grant) {
        return ((TicketGrant) grant).handle().slots().rows().stream().map(OwnRow::slot);
    }

    /** Runs the action as one of the lock's tasks: those that are added meanwhile run after it. */
    public static void whileTasksWait(Grant grant, Runnable action) {
        ((TicketGrant) grant).mailbox().execute(action);
    }

    /** The mode in which its handle holds the lock at this instant. */
    public static LockMode mode(Grant grant) {
        return grant.getMode().orElseThrow();
    }
}
