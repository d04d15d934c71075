package io.github.cassandralock.internal.ticket.handle;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of this process for a lock, or for another mode of a handle. A conversion takes effect in one step of the lock's
 * mailbox. A caller that gives up before that step keeps the former mode, and after it the new one. Thread-safe, but for what
 * only tasks of the mailbox use.
 */
public final class TicketRequest implements Attempt {

    /**
     * The handle that is converted.
     *
     * @param grant of the handle, which is the result of the conversion
     * @param target the mode that the handle is to have
     */
    private record Conversion(TicketHandle handle, Grant grant, LockMode target) {}

    private final @Nullable Conversion conversion;
    private final boolean tries;
    private final @Nullable LockOwner owner;
    private final long arrivedAt;
    private final Consumer<TicketRequest> onCancel;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private final CompletableFuture<Void> wait = new CompletableFuture<>();
    private volatile Supplier<Optional<Obstacle>> obstacle = Optional::empty;

    /** Guards that a conversion either takes effect or is given up. */
    private final Object decision = new Object();

    private boolean inEffect;
    private volatile boolean givenUp;

    private final int permits;

    /** The mode of the slot; null for a conversion that does not wait with a slot yet. */
    private volatile @Nullable LockMode mode;

    /** Only tasks of the lock's mailbox use it. */
    private long number;

    /**
     * A request for a lock.
     *
     * @param permits how many may hold it at once
     * @param tries whether it is refused if the lock is not free
     * @param owner of the requested lock; null if there is none
     * @param onCancel receives this request when its caller gives up
     */
    public TicketRequest(
            LockMode mode,
            int permits,
            boolean tries,
            @Nullable LockOwner owner,
            long arrivedAt,
            Consumer<TicketRequest> onCancel) {
        this(mode, permits, null, tries, owner, arrivedAt, onCancel);
    }

    private TicketRequest(
            @Nullable LockMode mode,
            int permits,
            @Nullable Conversion conversion,
            boolean tries,
            @Nullable LockOwner owner,
            long arrivedAt,
            Consumer<TicketRequest> onCancel) {
        this.mode = mode;
        this.permits = permits;
        this.conversion = conversion;
        this.tries = tries;
        this.owner = owner;
        this.arrivedAt = arrivedAt;
        this.onCancel = onCancel;
    }

    /**
     * A request for another mode of a handle.
     *
     * @param grant of the handle, which is the result of the conversion
     * @param target the mode that the handle is to have
     * @param tries whether it is refused if it would have to wait
     * @param onCancel receives this request when its caller gives it up while it waits with a slot
     */
    public static TicketRequest conversion(
            TicketHandle handle,
            Grant grant,
            LockMode target,
            boolean tries,
            long arrivedAt,
            Consumer<TicketRequest> onCancel) {
        return new TicketRequest(
                null,
                1,
                new Conversion(handle, grant, target),
                tries,
                handle.owned().map(OwnedLocks.Entry::owner).orElse(null),
                arrivedAt,
                onCancel);
    }

    @Override
    public CompletionStage<Optional<Grant>> getOutcome() {
        return outcome;
    }

    @Override
    public CompletionStage<Void> getWait() {
        return wait;
    }

    /** Reports that the request may have to wait for others, before it does. A repetition does nothing. */
    public void reportWait() {
        wait.complete(null);
    }

    @Override
    public Optional<Obstacle> getObstacle() {
        return obstacle.get();
    }

    /**
     * @param place in the order of arrival
     * @param reason returns why the request is not granted yet; may be called from any thread
     */
    public void queuedAs(long place, Supplier<Optional<Obstacle>> reason) {
        number = place;
        obstacle = reason;
    }

    /** The request's place in the order of arrival. A request that conflicts with no other request goes first. */
    public long number() {
        return mode == LockMode.NULL ? -1 : number;
    }

    /** Records that the conversion begins to wait with a slot of this mode. */
    public void setMode(LockMode slotMode) {
        mode = slotMode;
    }

    /** Whether {@link #mode()} may be called. False only for a conversion that has not begun to wait with a slot. */
    public boolean hasMode() {
        return mode != null;
    }

    /** The mode of the slot. */
    public LockMode mode() {
        return Objects.requireNonNull(mode, "a conversion without a slot");
    }

    /** How many may hold the lock at once. */
    public int permits() {
        return permits;
    }

    /** Whether it may use a slot in this mode and with these permits as it is. */
    public boolean isFor(LockMode slotMode, int slotPermits) {
        return mode() == slotMode && permits == slotPermits;
    }

    public boolean conflictsWith(LockMode other) {
        return !mode().isCompatibleWith(other);
    }

    public boolean isConversion() {
        return conversion != null;
    }

    /** The handle that is converted; empty for a request for a lock. */
    public Optional<TicketHandle> converted() {
        return Optional.ofNullable(conversion).map(Conversion::handle);
    }

    /** The target mode of a conversion, or the mode of a request for a lock. */
    public LockMode target() {
        return conversion == null ? mode() : conversion.target();
    }

    /** The owner of the requested lock; empty if there is none. */
    public Optional<LockOwner> owner() {
        return Optional.ofNullable(owner);
    }

    public boolean tries() {
        return tries;
    }

    public long arrivedAt() {
        return arrivedAt;
    }

    /** Gives the request up. Does nothing if a conversion has taken effect. After this call, a conversion never takes effect. */
    @Override
    public void giveUp() {
        synchronized (decision) {
            if (inEffect) {
                return;
            }
            givenUp = true;
        }
        if (hasMode()) {
            onCancel.accept(this);
        }
        if (isConversion()) {
            completeFailed(new CancellationException("the caller gave up"));
        }
    }

    public boolean hasGivenUp() {
        return givenUp;
    }

    /**
     * Gives the handle these slots, unless the caller has given up. To be called in the lock's mailbox, once.
     *
     * @return whether the handle has these slots
     */
    public boolean takeEffect(TicketHandle.Slots slots) {
        TicketHandle handle = converted().orElseThrow();
        synchronized (decision) {
            if (givenUp) {
                return false;
            }
            inEffect = true;
            handle.setSlots(slots);
        }
        handle.endConverting(this);
        return true;
    }

    /** Answers the caller after the conversion has taken effect. */
    public void grant() {
        grant(Objects.requireNonNull(conversion).grant());
    }

    public void grant(Grant grant) {
        endConversion();
        outcome.complete(Optional.of(grant));
    }

    public void refuse() {
        endConversion();
        outcome.complete(Optional.empty());
    }

    public void cancel() {
        fail(new CancellationException("the caller gave up"));
    }

    public void fail(Throwable cause) {
        endConversion();
        completeFailed(cause);
    }

    private void endConversion() {
        if (conversion != null) {
            conversion.handle().endConverting(this);
        }
    }

    private void completeFailed(Throwable cause) {
        outcome.completeExceptionally(cause);
    }
}
