package io.github.cassandralock.internal.simulation;

/** What a cluster forgets. The birth row is lost in each case: a part of it is in each of the tables. */
enum Loss {
    ALL,

    /** Sessions stay alive. */
    SLOTS,

    /** Slots of sessions that are gone stay. */
    SESSIONS;

    boolean ofSlots() {
        return this != SESSIONS;
    }

    boolean ofSessions() {
        return this != SLOTS;
    }
}
