package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.ticket.attempt.Foothold;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One thread of this process that wants the lock. */
final class Waiter implements Attempt {

    private final LockMode mode;
    private final @Nullable Conversion conversion;
    private final Foothold foothold;
    private final boolean soft;
    private final @Nullable LockOwner owner;
    private final long arrivedAt;
    private final Consumer<Waiter> leave;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private volatile Supplier<Optional<Obstacle>> obstacle = Optional::empty;
    private volatile boolean givenUp;

    /** Only tasks of the lock's mailbox use it. */
    private long number;

    /**
     * @param mode how it wants the lock
     * @param soft whether it is refused if the lock is not free
     * @param owner to whom the lock is to belong; null if to nobody
     * @param leave receives this waiter when it gives up
     */
    Waiter(LockMode mode, boolean soft, @Nullable LockOwner owner, long arrivedAt, Consumer<Waiter> leave) {
        this(mode, null, Foothold.NONE, soft, owner, arrivedAt, leave);
    }

    /**
     * The part of a conversion up that waits with a slot.
     *
     * @param mode of the slot
     * @param foothold the slots on which it stands
     * @param leave receives this waiter when the conversion is given up
     */
    Waiter(LockMode mode, Conversion conversion, Foothold foothold, Consumer<Waiter> leave) {
        this(
                mode,
                conversion,
                foothold,
                conversion.isSoft(),
                conversion.grant().owned().map(OwnedLocks.Entry::owner).orElse(null),
                conversion.arrivedAt(),
                leave);
    }

    private Waiter(
            LockMode mode,
            @Nullable Conversion conversion,
            Foothold foothold,
            boolean soft,
            @Nullable LockOwner owner,
            long arrivedAt,
            Consumer<Waiter> leave) {
        this.mode = mode;
        this.owner = owner;
        this.conversion = conversion;
        this.foothold = foothold;
        this.soft = soft;
        this.arrivedAt = arrivedAt;
        this.leave = leave;
    }

    @Override
    public CompletionStage<Optional<Grant>> outcome() {
        return outcome;
    }

    @Override
    public Optional<Obstacle> obstacle() {
        return obstacle.get();
    }

    /**
     * @param number its place in the order of arrival
     * @param obstacle returns why the waiter does not have the lock yet; may be called from any thread
     */
    void queuedAs(long number, Supplier<Optional<Obstacle>> obstacle) {
        this.number = number;
        this.obstacle = obstacle;
    }

    /** Its place in the order of arrival. A request that conflicts with no other one waits for none: it goes first. */
    long number() {
        return mode == LockMode.NULL ? -1 : number;
    }

    LockMode mode() {
        return mode;
    }

    boolean conflictsWith(LockMode other) {
        return !mode.isCompatibleWith(other);
    }

    /** The conversion that it is a part of; empty if it is a plain request. */
    Optional<Conversion> conversion() {
        return Optional.ofNullable(conversion);
    }

    /** To whom the lock is to belong; empty if to nobody. */
    Optional<LockOwner> owner() {
        return Optional.ofNullable(owner);
    }

    boolean isConversion() {
        return conversion != null;
    }

    Foothold foothold() {
        return foothold;
    }

    @Override
    public void giveUp() {
        givenUp = true;
        leave.accept(this);
    }

    boolean hasGivenUp() {
        return givenUp;
    }

    boolean isSoft() {
        return soft;
    }

    long arrivedAt() {
        return arrivedAt;
    }

    void granted(Grant grant) {
        outcome.complete(Optional.of(grant));
    }

    void refused() {
        outcome.complete(Optional.empty());
    }

    void cancelled() {
        failed(new CancellationException("the caller gave up"));
    }

    void failed(Throwable cause) {
        outcome.completeExceptionally(cause);
    }
}
