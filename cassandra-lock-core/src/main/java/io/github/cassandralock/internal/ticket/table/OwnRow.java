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
 * <p>A row certainly exists until a deadline. This is the row's life, less drift and margin, after its last acknowledged write
 * has drawn its timestamp. After the deadline the row may have expired, and a later acknowledgement does not make it valid again.
 * Only tasks of the lock's mailbox change a row; the methods {@code is...} may be called from any thread.
 */
public final class OwnRow {

    /**
     * One change of this process's slot. The change draws its timestamp when it is decided, and may be sent several times until
     * it is acknowledged. A later change has a higher timestamp, so it wins in whatever order both arrive.
     *
     * @param timestamp orders the writes of this slot
     * @param drawnAt when the timestamp was drawn, on the monotonic clock, in nanoseconds
     * @param life the row's time to live
     */
    public record Write(Slot slot, long timestamp, long drawnAt, Duration life) {}

    private final TicketContext context;
    private final OwnSession session;
    private Slot row;

    /** Whether the row has, or may have, a weaker mode than the last acknowledged write. */
    private boolean unwrittenMode;

    /** Until when the row certainly exists; null before the first acknowledged write. */
    private volatile @Nullable Deadline certain;

    /**
     * Begins a new attempt. The attempt's number is the first timestamp that it draws.
     *
     * @param base as in {@link Slot#base()}
     * @param permits as in {@link Slot#permits()}
     */
    public OwnRow(TicketContext context, OwnSession session, SlotId id, LockMode mode, int base, int permits) {
        this(context, session, new Slot(id, session.nextTimestamp(), SlotPhase.CHOOSING, mode, 0, base, permits));
    }

    private OwnRow(TicketContext context, OwnSession session, Slot row) {
        this.context = context;
        this.session = session;
        this.row = row;
    }

    /**
     * Returns the row of the next attempt, with a promised ticket and without W1 (notices, section 4). Until its first
     * acknowledged write, the new row has the deadline of this row.
     */
    public OwnRow promised(long ticket) {
        OwnRow next = new OwnRow(
                context,
                session,
                new Slot(
                        row.id(),
                        session.nextTimestamp(),
                        SlotPhase.RETICKETED,
                        row.mode(),
                        ticket,
                        Slot.NO_BASE,
                        row.permits()));
        next.certain = certain;
        return next;
    }

    /**
     * Returns the first write of the attempt: W1, or RETICKET if the attempt was promised. RETICKET also releases the previous
     * attempt.
     */
    public Write firstWrite() {
        return write(row.attempt());
    }

    /** W2: gives the row its ticket, behind all attempts that the read has shown. */
    public Write ticketWrite(long ticket) {
        return change(SlotPhase.TICKETED, ticket);
    }

    /** Lowers the attempt's mode, so that the row has to be written again (lock modes, section 4). */
    public void lowerMode(LockMode mode) {
        row = row.in(mode);
        unwrittenMode = true;
    }

    /** Whether the attempt's present mode may still be unacknowledged. */
    boolean hasUnwrittenMode() {
        return unwrittenMode;
    }

    /** Records that a write of this row was acknowledged. The row is not written again unless it changes. */
    void modeAcknowledged(Slot written) {
        unwrittenMode = unwrittenMode && written.mode() != row.mode();
    }

    /** Returns the write that repeats the row, so that it does not expire. To be called only while the attempt is current. */
    Write refreshWrite() {
        return write(session.nextTimestamp());
    }

    /** Returns the last write of a row that is left behind. The row's life is longer by the given time. */
    public Write leaveBehindWrite(Duration atLeast) {
        Duration life = context.settings().slotLife().plus(roundedUp(atLeast));
        return new Write(row, session.nextTimestamp(), context.ticker().nanos(), life);
    }

    /** Rows live for whole seconds. */
    private static Duration roundedUp(Duration time) {
        return Duration.ofSeconds(time.plusNanos(999_999_999).toSeconds());
    }

    /** Sets the row to IDLE and returns that write. The write releases the lock, or ends the wait. */
    Write releaseWrite() {
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

    /** Records that a write of this row was acknowledged. The timestamp of that write was drawn at the given time. */
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

    public Slot slot() {
        return row;
    }

    public OwnSession session() {
        return session;
    }

    public boolean belongsTo(OwnSession other) {
        return session == other;
    }
}
