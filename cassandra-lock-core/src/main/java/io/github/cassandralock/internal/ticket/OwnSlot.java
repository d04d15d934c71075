package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.steps.Deadline;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotMode;
import io.github.cassandralock.internal.store.SlotPhase;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The row of this process's session in one lock's partition, during one attempt.
 *
 * <p>It certainly exists until the first sending of its last acknowledged write + its life less drift and margin. After
 * that it may have expired, and no acknowledgement brings it back. Changed in the lock's mailbox alone; the questions
 * {@code is...} may be asked from any thread.
 */
final class OwnSlot {

    private final TicketContext context;
    private final OwnSession session;
    private Slot row;

    /** Null: no write has been acknowledged yet. */
    private volatile @Nullable Deadline certain;

    /** A new attempt, named by the first timestamp that it draws. */
    OwnSlot(TicketContext context, OwnSession session) {
        this.context = context;
        this.session = session;
        this.row = new Slot(session.id(), session.nextTimestamp(), SlotPhase.CHOOSING, SlotMode.EXCLUSIVE, 0);
    }

    /** W1: announces that the session is about to draw a ticket. */
    SlotWrite choosing() {
        return write(row.attempt());
    }

    /** W2: takes its place behind all who are there. */
    SlotWrite ticketed(long ticket) {
        return change(SlotPhase.TICKETED, ticket);
    }

    /** Writes the row again as it is, so that it does not expire. Only while the attempt is current. */
    SlotWrite refreshed() {
        return write(session.nextTimestamp());
    }

    /** Release, or giving up. The last write of an attempt. */
    SlotWrite idle() {
        return change(SlotPhase.IDLE, 0);
    }

    private SlotWrite change(SlotPhase phase, long ticket) {
        row = new Slot(row.session(), row.attempt(), phase, row.mode(), ticket);
        return write(session.nextTimestamp());
    }

    private SlotWrite write(long timestamp) {
        Duration life = row.phase() == SlotPhase.IDLE
                ? context.settings().idleLife()
                : context.settings().slotLife();
        return new SlotWrite(row, timestamp, context.ticker().nanos(), life);
    }

    /** A write of this row whose timestamp was drawn at this time has been acknowledged, just now. */
    void acknowledged(long drawnAt) {
        long until = drawnAt + context.certain().toNanos();
        Deadline present = certain;
        if (present == null) {
            certain = new Deadline(context.ticker(), until);
        } else {
            present.extendTo(until);
        }
    }

    /** Whether the row may be gone although nobody evicted it. */
    boolean isExpired() {
        Deadline present = certain;
        return present != null && present.hasPassed();
    }

    /** Whether the session's lease lasts and the row certainly exists at this instant. */
    boolean isValid() {
        Deadline present = certain;
        return present != null && !present.hasPassed() && session.isValid();
    }

    boolean isDueForRefresh() {
        Deadline present = certain;
        return present != null
                && present.left()
                        <= context.certain().minus(context.refreshAge()).toNanos();
    }

    Slot row() {
        return row;
    }

    OwnSession session() {
        return session;
    }

    boolean belongsTo(OwnSession other) {
        return session == other;
    }
}
