package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The grant of one thread during a {@link SlotHold}; after a conversion up, during several. Thread-safe. */
final class TicketGrant implements Grant {

    private enum State {
        HELD,
        LOST,
        RELEASED
    }

    /** In place of an atomic object in each of many thousand handles. */
    private static final AtomicReferenceFieldUpdater<TicketGrant, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(TicketGrant.class, State.class, "state");

    private final SlotHold hold;
    private final LocalSlot home;
    private final int number;
    private final LockMode grantedMode;
    private volatile State state = State.HELD;
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /** Whether its holder was told to stop before it had ended its work. */
    private volatile boolean stopped;

    /** What it does with the lock's value; null if it does nothing. Only tasks of the lock's mailbox use it. */
    private @Nullable HandleValue value;

    /** As which its owner has it; null if nobody is to know. */
    private volatile OwnedLocks.@Nullable Entry owned;

    /** What a conversion has made of the handle; null before the first one. */
    private volatile @Nullable Chain converted;

    /** The conversion up that is under way. Only tasks of the lock's mailbox use it. */
    private @Nullable Conversion conversion;

    /** To be told when somebody else waits; null before the first one. Only tasks of the lock's mailbox use it. */
    private @Nullable List<CompletableFuture<Void>> asking;

    /**
     * @param number the number of this grant in its hold, from 1 on
     * @param home the slot by which it was granted, which is asked for everything that its lock's queue knows
     */
    TicketGrant(SlotHold hold, int number, LocalSlot home) {
        this.hold = hold;
        this.number = number;
        this.home = home;
        this.grantedMode = hold.mode();
    }

    @Override
    public boolean isValid() {
        return state == State.HELD && areSlotsValid();
    }

    /** Whether its slots keep others out, also while the handle is being released. To be called in the lock's mailbox. */
    boolean hasItsSlots() {
        return areSlotsValid()
                && chain().links().stream().allMatch(link -> link.hold().has(this));
    }

    private boolean areSlotsValid() {
        Chain present = converted;
        return present == null ? hold.slot().isValid() : present.isValid();
    }

    @Override
    public CompletionStage<String> lost() {
        return lost;
    }

    /** A conversion in the meantime may have ended the reservation. */
    @Override
    public CompletionStage<Long> fencingToken() {
        CompletableFuture<Long> token = new CompletableFuture<>();
        Chain present = converted;
        TokenReservation tokens = present == null ? hold.tokens() : present.tokens();
        long own = present == null ? number : present.number();
        tokens.base().whenComplete((base, failure) -> {
            if (failure != null) {
                token.completeExceptionally(failure);
            } else if (!isValid()) {
                token.completeExceptionally(new IllegalStateException(
                        "the lock was lost or released before its fencing token was reserved"));
            } else if (Objects.equals(converted, present)) {
                token.complete(base + own);
            } else {
                fencingToken().whenComplete((later, noToken) -> complete(token, later, noToken));
            }
        });
        return token;
    }

    private static void complete(CompletableFuture<Long> token, Long later, @Nullable Throwable noToken) {
        if (noToken == null) {
            token.complete(later);
        } else {
            token.completeExceptionally(noToken);
        }
    }

    @Override
    public CompletionStage<Void> contended() {
        CompletableFuture<Void> contended = new CompletableFuture<>();
        home.watchContention(this, contended);
        return contended;
    }

    @Override
    public CompletionStage<LockValue> value() {
        return withValue(HandleValue::value);
    }

    @Override
    public CompletionStage<Void> value(byte[] bytes) {
        LockValue set = LockValue.of(bytes, false);
        CompletableFuture<Void> answer = new CompletableFuture<>();
        withValue(handle -> handle.value(set, answer)).whenComplete((done, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }

    private <T> CompletionStage<T> withValue(Function<HandleValue, CompletableFuture<T>> call) {
        return CompletableFuture.supplyAsync(() -> call.apply(handleValue()), home.mailbox())
                .thenCompose(Function.identity());
    }

    private HandleValue handleValue() {
        requireHeld("its value was asked for");
        HandleValue present = value;
        if (present == null) {
            present = home.valueOf(this);
            value = present;
        }
        return present;
    }

    /** @param what was to happen first; completes the sentence "the lock was lost or released before …" */
    void requireHeld(String what) {
        if (!isValid()) {
            throw new IllegalStateException("the lock was lost or released before " + what);
        }
    }

    /** Closes the change of the value that the handle has opened, if there is one, and then runs the action. */
    void closeValueThen(Runnable action) {
        HandleValue present = value;
        if (present == null) {
            action.run();
        } else {
            present.closeThen(action);
        }
    }

    @Override
    public void leaveValueOpen() {
        stopped = true;
    }

    /** Whether it was lost, or taken away, while its holder worked under it: then what the value describes may be half changed. */
    boolean hasEndedWithinItsWork() {
        return stopped;
    }

    @Override
    public void abandon(String reason) {
        if (STATE.compareAndSet(this, State.HELD, State.LOST)) {
            leaveValueOpen();
            disown();
            lost.complete(reason);
            hold.warnOfLoss(reason);
        }
    }

    @Override
    public CompletionStage<Void> release() {
        if (!areSlotsValid()) {
            abandon("its lease had run out when it was released");
        }
        if (STATE.getAndSet(this, State.RELEASED) != State.RELEASED) {
            disown();
            home.released(this);
        }
        return released;
    }

    /** The value is stored now, not when the minimum time has passed: a crash in between does not make it doubtful. */
    @Override
    public void finished() {
        disown();
        home.mailbox().execute(() -> closeValueThen(() -> {}));
    }

    private void disown() {
        OwnedLocks.Entry present = owned;
        if (present != null) {
            present.remove();
        }
    }

    /** From now on it is counted among the locks of this owner. */
    void belongsTo(OwnedLocks locks, LockOwner owner, String lockId) {
        become(locks.add(owner, lockId, this));
    }

    /** It may have ended meanwhile. */
    private void become(OwnedLocks.Entry entry) {
        owned = entry;
        if (state != State.HELD) {
            entry.remove();
        }
    }

    Optional<OwnedLocks.Entry> owned() {
        return Optional.ofNullable(owned);
    }

    /** A lock whose lease has run out cannot keep others out. */
    @Override
    public CompletionStage<Void> leave(Duration atLeast) {
        if (!isValid()) {
            return release();
        }
        if (STATE.getAndSet(this, State.RELEASED) != State.RELEASED) {
            disown();
            home.left(this, atLeast);
        }
        return released;
    }

    @Override
    public Optional<LockMode> mode() {
        Chain present = converted;
        return Optional.of(present == null ? grantedMode : present.mode());
    }

    @Override
    public Attempt convert(LockMode mode) {
        return home.convert(this, mode, false);
    }

    @Override
    public Attempt tryConvert(LockMode mode) {
        return home.convert(this, mode, true);
    }

    /** The mode that it needs of the slot that is held so. */
    LockMode need(SlotHold held) {
        Chain present = converted;
        return present == null ? grantedMode : present.need(held);
    }

    /** The slots of its handle. */
    Chain chain() {
        Chain present = converted;
        return present == null
                ? new Chain(grantedMode, List.of(new Chain.Link(home, hold, grantedMode)), hold.tokens(), number)
                : present;
    }

    /** Its handle was converted. */
    void holdsBy(Chain chain) {
        converted = chain;
        OwnedLocks.Entry before = owned;
        if (before != null) {
            become(before.renumbered());
        }
    }

    void convertsBy(Conversion underWay) {
        conversion = underWay;
    }

    /** Does nothing if another one is under way. */
    void endsConverting(Conversion ended) {
        if (conversion == ended) {
            conversion = null;
        }
    }

    Optional<Conversion> conversion() {
        return Optional.ofNullable(conversion);
    }

    /** Whether a conversion is under way that its caller has not given up. */
    boolean isConverting() {
        return conversion != null && !conversion.hasGivenUp();
    }

    /** Completes the future when somebody else waits, also for a slot that the handle gets later. */
    void asks(CompletableFuture<Void> contended) {
        if (asking == null) {
            asking = new ArrayList<>(1);
        }
        asking.removeIf(CompletableFuture::isDone);
        asking.add(contended);
    }

    List<CompletableFuture<Void>> asking() {
        return asking == null ? List.of() : List.copyOf(asking);
    }

    /** The slot by which it was granted. */
    OwnRow slot() {
        return hold.slot();
    }

    /** Notes that the release has been acknowledged, or continues in the background. */
    void releaseEnded() {
        released.complete(null);
    }
}
