package io.github.cassandralock.internal.ticket.attempt;

/** What shows that nobody is ahead of an attempt any more. */
public enum TurnSource {
    /** A read of the lock. */
    READ,
    /** A notice of another session. */
    NOTICE,
    /** A change of another slot of this process. */
    OWN_SLOT
}
