package io.github.cassandralock.internal.counter;

/** The events that {@link ProtocolCounters} count. */
public enum Counted {

    /** A renewal of a lease was acknowledged: the session's, or with the thesis's algorithms the lock's. */
    RENEWAL_CONFIRMED,

    /** A renewal of a lease had no clear answer. It is sent again while the lease lasts. */
    RENEWAL_UNANSWERED,

    /** A renewal was refused, because the session is dead or another copy of the process renewed it. The session is lost. */
    RENEWAL_REFUSED,

    /** A session of this process was lost, and with it all locks held under it. */
    SESSION_LOST,

    /** This process declared a session of another process dead. Of several processes that try, one succeeds. */
    SESSION_DECLARED_DEAD,

    /** This process took a lock, or a place in its queue, away from a dead session. */
    SLOT_EVICTED,

    /** A thread of this process handed a lock to the next one, without a request to the store. */
    HANDED_OVER,

    /** A notice was given to the transport. */
    NOTICE_SENT,

    /** An authentic notice arrived. */
    NOTICE_RECEIVED,

    /** Bytes that arrived were no authentic notice. */
    NOTICE_REFUSED,

    /** The transport could not send a notice: its receiver, or this process, was too slow or unreachable. */
    NOTICE_DROPPED,

    /** A call of this process was ended with an exception because it waited in a deadlock. */
    DEADLOCK_VICTIM
}
