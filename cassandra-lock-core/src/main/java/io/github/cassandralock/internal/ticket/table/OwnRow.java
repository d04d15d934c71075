package io.github.cassandralock.internal.ticket.table;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.steps.Deadline;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A row of this process's session in one lock's partition, during one attempt.
 *
 * <p>It certainly exists until a deadline. This is the row's life, less drift and margin, after its last acknowledged write has
 * drawn its timestamp. After the deadline it may have expired, and a later acknowledgement does not make it valid again. Only
 * tasks of the lock's mailbox change it; the methods {@code is...} may be called from any thread.
 */
public final class OwnRow {

    /**
     * One change of this process's slot. It draws its timestamp when it is decided, and may be sent several times until it is
     * acknowledged. A later change has a higher timestamp, so it wins in whatever order the two arrive.
     *
     * @param timestamp orders the writes of this slot
     * @param drawnAt when the timestamp was drawn, on the monotonic clock, in nanoseconds
     * @param life the row's time to live
     */
    public record Write(Slot row, long timestamp, long drawnAt, Duration life) {}

    private final TicketContext context;
    private final OwnSession session;
    private Slot row;

    /** Whether the row has, or may have, a weaker mode than the last acknowledged write. */
    private boolean unwrittenMode;

    /** Until when the row certainly exists. Null: no write has been acknowledged yet. */
    private volatile @Nullable Deadline certain;

    /**
     * Begins a new attempt. Its name is the first timestamp that it draws.
     *
     * @param base as in {@link Slot#base()}
     */
    public OwnRow(TicketContext context, OwnSession session, SlotId id, LockMode mode, int base) {
        this(context, session, new Slot(id, session.nextTimestamp(), SlotPhase.CHOOSING, mode, 0, base));
    }

    private OwnRow(TicketContext context, OwnSession session, Slot row) {
        this.context = context;
        this.session = session;
        this.row = row;
    }

    /**
     * The attempt that replaces this one, which was acquired, with a ticket and without W1 (notices, section 4). Until its
     * first write is acknowledged, the row counts as long as this one does.
     */
    public OwnRow promised(long ticket) {
        OwnRow next = new OwnRow(
                context,
                session,
                new Slot(row.id(), session.nextTimestamp(), SlotPhase.RETICKETED, row.mode(), ticket));
        next.certain = certain;
        return next;
    }

    /** W1: announces that the session will draw a ticket. */
    public Write choosing() {
        return write(row.attempt());
    }

    /** RETICKET: replaces the attempt before, and takes its place behind all attempts that this process has seen. */
    public Write reticketWrite() {
        return write(row.attempt());
    }

    /** W2: takes its place behind all attempts that the read has shown. */
    public Write ticketed(long ticket) {
        return change(SlotPhase.TICKETED, ticket);
    }

    /** From now on the attempt has this mode: the row has to be written again (lock modes, section 4). */
    public void lowerMode(LockMode mode) {
        row = row.in(mode);
        unwrittenMode = true;
    }

    /** Whether a mode that the attempt has now may not be acknowledged yet. */
    boolean hasUnwrittenMode() {
        return unwrittenMode;
    }

    /** Records that a write of this row was acknowledged. The row is not written again unless it changes. */
    void modeAcknowledged(Slot written) {
        unwrittenMode = unwrittenMode && written.mode() != row.mode();
    }

    /** Writes the row again as it is, so that it does not expire. To be called only while the attempt is current. */
    Write refreshed() {
        return write(session.nextTimestamp());
    }

    /** Writes the row again without a change, for the last time: it exists for that much longer than others do. */
    public Write leaveWrite(Duration atLeast) {
        Duration life = context.settings().slotLife().plus(roundedUp(atLeast));
        return new Write(row, session.nextTimestamp(), context.ticker().nanos(), life);
    }

    /** Rows live for whole seconds. */
    private static Duration roundedUp(Duration time) {
        return Duration.ofSeconds(time.plusNanos(999_999_999).toSeconds());
    }

    /** Releases the lock or gives up: the last write of an attempt. */
    Write idle() {
        return change(SlotPhase.IDLE, 0);
    }

    private Write change(SlotPhase phase, long ticket) {
        row = row.with(phase, ticket);
        return write(session.nextTimestamp());
    }

    private Write write(long timestamp) {
        Duration life = row.phase() == SlotPhase.IDLE
                ? context.settings().idleLife()
                : context.settings().slotLife();
        return new Write(row, timestamp, context.ticker().nanos(), life);
    }

    /** Records that a write of this row was acknowledged. Its timestamp was drawn at this time. */
    public void acknowledged(long drawnAt) {
        long until = drawnAt + context.certain().toNanos();
        Deadline present = certain;
        if (present == null) {
            certain = new Deadline(context.ticker(), until);
        } else {
            present.extendTo(until);
        }
    }

    /** Whether the row may have expired. */
    public boolean isExpired() {
        Deadline present = certain;
        return present != null && present.hasPassed();
    }

    /** Whether, at this instant, the session's lease is valid and the row certainly exists. */
    public boolean isValid() {
        Deadline present = certain;
        return present != null && !present.hasPassed() && session.isValid();
    }

    boolean isDueForRefresh() {
        Deadline present = certain;
        return present != null
                && present.left()
                        <= context.certain().minus(context.refreshAge()).toNanos();
    }

    public Slot row() {
        return row;
    }

    public OwnSession session() {
        return session;
    }

    public boolean belongsTo(OwnSession other) {
        return session == other;
    }
}
