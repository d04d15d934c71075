package io.github.cassandralock.internal.ticket.handle;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lock as one holder has it: slots, mode, and whether it is held, lost or released. A handle has one slot, and more after
 * conversions up (lock modes, section 4). Thread-safe, but for what only tasks of the lock's mailbox use.
 */
public final class TicketHandle {

    private enum State {
        HELD,
        LOST,
        RELEASED
    }

    /** Spares an atomic object in each of many thousand handles. */
    private static final AtomicReferenceFieldUpdater<TicketHandle, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(TicketHandle.class, State.class, "state");

    /**
     * The slots by which the lock is held. Immutable.
     *
     * @param mode of the handle
     * @param rows from the bottom up, one or more
     * @param tokens the reservation of the handle's fencing token
     * @param number of that token in the reservation
     */
    public record Slots(LockMode mode, List<OwnRow> rows, TokenReservation tokens, int number) {

        public Slots {
            rows = List.copyOf(rows);
        }

        /** Returns the slots after a conversion up. The next token comes from another reservation (rule 3). */
        public Slots withTop(OwnRow acquired, TokenReservation reservation, int grant) {
            return new Slots(
                    acquired.slot().mode(),
                    Stream.concat(rows.stream(), Stream.of(acquired)).toList(),
                    reservation,
                    grant);
        }
    }

    private final OwnRow row;
    private final TokenReservation tokens;

    /** At most {@link TicketSettings#TOKENS}. As an int, it would make each of many thousand handles 8 bytes larger. */
    private final short number;

    private final LockMode grantedMode;
    private volatile State state = State.HELD;
    private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /** Whether the holder was stopped before the end of its work. */
    private volatile boolean stopped;

    /** The entry of this handle among the locks of its owner; null if there is none. */
    private volatile OwnedLocks.@Nullable Entry owned;

    /** The slots after the last conversion; null before the first conversion. */
    private volatile @Nullable Slots converted;

    /** The conversion that is under way: up, or down while the value is being closed. Only tasks of the lock's mailbox use it. */
    private @Nullable TicketRequest conversion;

    /**
     * Futures to complete when another caller waits; null before the first future. Only tasks of the lock's mailbox use this
     * field.
     */
    private @Nullable List<CompletableFuture<Void>> contentionListeners;

    /**
     * @param row by which the lock was granted
     * @param number the number of this grant among the grants of the reservation, from 1 on
     */
    public TicketHandle(OwnRow row, TokenReservation tokens, int number) {
        this.row = row;
        this.tokens = tokens;
        this.number = (short) number;
        this.grantedMode = row.slot().mode();
    }

    public boolean isValid() {
        return state == State.HELD && areRowsValid();
    }

    /** Whether all rows of the handle certainly exist, and their session's lease is valid. */
    public boolean areRowsValid() {
        Slots present = converted;
        if (present == null) {
            return row.isValid();
        }
        for (OwnRow each : present.rows()) {
            if (!each.isValid()) {
                return false;
            }
        }
        return true;
    }

    /** @param what completes the sentence "the lock was lost or released before …" */
    public void requireHeld(String what) {
        if (!isValid()) {
            throw new IllegalStateException("the lock was lost or released before " + what);
        }
    }

    public LockMode mode() {
        Slots present = converted;
        return present == null ? grantedMode : present.mode();
    }

    public Slots slots() {
        Slots present = converted;
        return present == null ? new Slots(grantedMode, List.of(row), tokens, number) : present;
    }

    /** The row by which the handle was granted. */
    public OwnRow row() {
        return row;
    }

    /** Whether the lock is held by one slot. */
    public boolean hasOneSlot() {
        Slots present = converted;
        return present == null || present.rows().size() == 1;
    }

    /** Replaces the slots after a conversion. */
    void setSlots(Slots slots) {
        converted = slots;
        OwnedLocks.Entry before = owned;
        if (before != null) {
            setOwned(before.renumbered());
        }
    }

    /** Begins again if a conversion has replaced the reservation meanwhile. */
    public CompletionStage<Long> fencingToken() {
        Slots present = converted;
        TokenReservation reservation = present == null ? tokens : present.tokens();
        long own = present == null ? number : present.number();
        return reservation.base().thenCompose(base -> {
            requireHeld("its fencing token was reserved");
            return Objects.equals(converted, present) ? CompletableFuture.completedFuture(base + own) : fencingToken();
        });
    }

    public CompletionStage<LockLoss> lost() {
        return lost;
    }

    /** Whether the handle was lost, and is not released. */
    public boolean isLost() {
        return state == State.LOST;
    }

    /** Records that the holder was stopped, or the lock is lost. What the value describes may then be half changed. */
    public void stop() {
        stopped = true;
    }

    /** Whether the lock was lost or taken away while its holder still worked under it. */
    public boolean wasStopped() {
        return stopped;
    }

    /** Ends the handle by this loss. Returns whether it was held until now. */
    public boolean lose(LockLoss loss) {
        if (!STATE.compareAndSet(this, State.HELD, State.LOST)) {
            return false;
        }
        stop();
        removeOwner();
        lost.complete(loss);
        return true;
    }

    /** Ends the handle by a release. Returns whether this call released it. */
    public boolean release() {
        if (STATE.getAndSet(this, State.RELEASED) == State.RELEASED) {
            return false;
        }
        removeOwner();
        return true;
    }

    public CompletionStage<Void> released() {
        return released;
    }

    /** Called when the release is acknowledged, or continues in the background. */
    public void completeRelease() {
        released.complete(null);
    }

    /** Adds the handle to the locks of this owner. */
    public void setOwner(OwnedLocks locks, LockOwner owner, String lockId) {
        setOwned(locks.add(owner, lockId, this));
    }

    /** Sets the entry, and removes it again if the handle has ended meanwhile. */
    private void setOwned(OwnedLocks.Entry entry) {
        owned = entry;
        if (state != State.HELD) {
            entry.remove();
        }
    }

    /** Removes the handle from the locks of its owner. */
    public void removeOwner() {
        OwnedLocks.Entry present = owned;
        if (present != null) {
            present.remove();
        }
    }

    public Optional<OwnedLocks.Entry> owned() {
        return Optional.ofNullable(owned);
    }

    public void setConverting(TicketRequest underWay) {
        conversion = underWay;
    }

    /** Ends the conversion. Does nothing if another conversion is under way. */
    public void endConverting(TicketRequest ended) {
        if (conversion == ended) {
            conversion = null;
        }
    }

    public Optional<TicketRequest> conversion() {
        return Optional.ofNullable(conversion);
    }

    /** Whether a conversion is under way that its caller has not given up. */
    public boolean isConverting() {
        return conversion != null && !conversion.hasGivenUp();
    }

    /** Completes the future when another caller waits for a slot of the handle, including slots of later conversions. */
    public void onContention(CompletableFuture<Void> contended) {
        if (contentionListeners == null) {
            contentionListeners = new ArrayList<>(1);
        }
        contentionListeners.removeIf(CompletableFuture::isDone);
        contentionListeners.add(contended);
    }

    public List<CompletableFuture<Void>> contentionListeners() {
        return contentionListeners == null ? List.of() : List.copyOf(contentionListeners);
    }
}
