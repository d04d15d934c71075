package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.spi.Grant;

/** Tells which attempt is behind a grant of the algorithm {@code ticket}. */
public final class GrantedSlots {

    private GrantedSlots() {}

    public static Slot of(Grant grant) {
        return ((TicketGrant) grant).slot().row();
    }
}
