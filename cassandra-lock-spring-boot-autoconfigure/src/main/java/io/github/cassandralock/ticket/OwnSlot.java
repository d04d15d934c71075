package io.github.cassandralock.ticket;

import io.github.cassandralock.session.OwnSession;
import io.github.cassandralock.spi.Slot;
import io.github.cassandralock.spi.SlotMode;
import io.github.cassandralock.spi.SlotPhase;
import org.jspecify.annotations.Nullable;

/**
 * The row of this process's session in one lock's partition, during one attempt.
 *
 * <p>It counts as this session's own until the sending of its last acknowledged write + its life less drift and margin.
 * Past that it may have expired, and no acknowledgement brings it back. Changed by the lock's mailbox alone; may be asked
 * by any thread.
 */
final class OwnSlot {

    private final TicketParts parts;
    private final String lockId;
    private final OwnSession session;
    private final Carry carry;
    private Slot row;
    private boolean acknowledged;
    private volatile boolean expired;
    private volatile long certainUntil;
    private long acknowledgedSentAt;

    /** A new attempt, named by the first timestamp that it draws. */
    OwnSlot(TicketParts parts, String lockId, OwnSession session, Carry carry) {
        this.parts = parts;
        this.lockId = lockId;
        this.session = session;
        this.carry = carry;
        this.row = new Slot(session.id(), session.nextTimestamp(), SlotPhase.CHOOSING, SlotMode.EXCLUSIVE, 0);
        this.certainUntil = parts.ticker().nanos();
    }

    /** W1: announces that the session is about to draw a ticket. */
    SlotWrite choosing() {
        return new SlotWrite(parts, lockId, row, row.attempt(), parts.terms().slotLife(), carry);
    }

    /** W2: takes its place behind all who are there. */
    SlotWrite ticketed(long ticket) {
        row = new Slot(row.session(), row.attempt(), SlotPhase.TICKETED, row.mode(), ticket);
        return write();
    }

    /** Writes the row once more as it is, so that it lives on. Only while the attempt is current. */
    SlotWrite refreshed() {
        return write();
    }

    /** Release, or giving up. The last write of an attempt. */
    SlotWrite idle() {
        row = new Slot(row.session(), row.attempt(), SlotPhase.IDLE, row.mode(), 0);
        return new SlotWrite(
                parts, lockId, row, session.nextTimestamp(), parts.terms().idleLife(), carry);
    }

    private SlotWrite write() {
        return new SlotWrite(
                parts, lockId, row, session.nextTimestamp(), parts.terms().slotLife(), carry);
    }

    /** A write of this row that was sent at this time has been acknowledged, just now. */
    void acknowledged(long sentAt) {
        if (acknowledged && isPast(certainUntil)) {
            expired = true;
        }
        if (!acknowledged || sentAt - acknowledgedSentAt > 0) {
            acknowledged = true;
            acknowledgedSentAt = sentAt;
            certainUntil = sentAt + parts.terms().certain().toNanos();
        }
    }

    /** Whether the row may be gone although nobody evicted it. */
    boolean isExpired() {
        return expired || (acknowledged && isPast(certainUntil));
    }

    /** Whether the session's lease and the row itself can be vouched for at this instant. */
    boolean isValid() {
        return !expired && !isPast(certainUntil) && session.isValid();
    }

    boolean isDueForRefresh() {
        return acknowledged
                && parts.ticker().nanos() - acknowledgedSentAt
                        >= parts.terms().refreshAge().toNanos();
    }

    private boolean isPast(long instant) {
        return parts.ticker().nanos() - instant >= 0;
    }

    Slot row() {
        return row;
    }

    OwnSession session() {
        return session;
    }

    boolean belongsTo(@Nullable OwnSession other) {
        return session == other;
    }
}
