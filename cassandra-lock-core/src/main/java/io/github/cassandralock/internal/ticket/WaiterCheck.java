package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.deadlock.CheckedCall;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A request with an owner, as the search for deadlocks sees it (lock modes, section 7). */
final class WaiterCheck implements CheckedCall {

    private final LockPartition partition;
    private final Deadlocks deadlocks;
    private final Waiter waiter;
    private final LockOwner owner;
    private final Queue queue;

    /** What the queue of the lock tells about one request. Used in the lock's mailbox alone. */
    interface Queue {

        /** How the request waits; empty if it does not. */
        Optional<Place> place(Waiter waiter);

        /** The request has ended with an exception: another one may take its place. */
        void leaveNow(Waiter waiter);
    }

    /**
     * Where a request waits.
     *
     * @param ahead the slot with which it waits, or behind whose attempt; empty if there is none, or nothing was written for it
     * @param withSlot whether it waits with that slot
     * @param waitsAs the least mode that conflicts with all that it waits for
     * @param after the requests of this process that it waits for, because it has no slot yet
     */
    record Place(Optional<OwnSlot> ahead, boolean withSlot, LockMode waitsAs, List<Waiter> after) {

        Place {
            after = List.copyOf(after);
        }
    }

    WaiterCheck(LockPartition partition, Deadlocks deadlocks, Waiter waiter, LockOwner owner, Queue queue) {
        this.partition = partition;
        this.deadlocks = deadlocks;
        this.waiter = waiter;
        this.owner = owner;
        this.queue = queue;
    }

    @Override
    public long beganAt() {
        return waiter.arrivedAt();
    }

    @Override
    public CompletionStage<?> ended() {
        return waiter.outcome();
    }

    @Override
    public boolean isOfHolder() {
        return deadlocks.owned().holdsAny(owner);
    }

    @Override
    public CompletionStage<Optional<Standing>> standing() {
        CompletableFuture<Optional<Standing>> answer = new CompletableFuture<>();
        partition.mailbox().execute(() -> answer.complete(now()));
        return answer;
    }

    private Optional<Standing> now() {
        return queue.place(waiter).flatMap(this::standing);
    }

    private Optional<Standing> standing(Place place) {
        Optional<OwnSlot> ahead = place.ahead();
        Optional<OwnSession> session = place.withSlot()
                ? ahead.map(OwnSlot::session)
                : partition.context().sessions().present();
        return session.map(own -> new Standing(own, call(place, ahead.map(OwnSlot::row))));
    }

    private WaitingCall call(Place place, Optional<Slot> slot) {
        Optional<TicketGrant> converted = waiter.conversion().map(Conversion::grant);
        return new WaitingCall(
                owner.toString(),
                deadlocks.process(),
                partition.lockId(),
                waiter.mode(),
                place.waitsAs(),
                slot.map(row -> row.id().number()).orElse(WaitingCall.NONE),
                place.withSlot() ? slot.map(Slot::attempt).orElse((long) WaitingCall.NONE) : WaitingCall.NONE,
                slot.map(Slot::ticket).orElse(0L),
                waiter.number(),
                place.after().stream()
                        .filter(other -> other.owner()
                                .filter(deadlocks.owned()::holdsAny)
                                .isPresent())
                        .map(Waiter::number)
                        .toList(),
                converted
                        .flatMap(TicketGrant::owned)
                        .map(OwnedLocks.Entry::number)
                        .orElse((long) WaitingCall.NONE),
                converted.flatMap(TicketGrant::mode).orElse(LockMode.NULL),
                deadlocks.owned().of(owner));
    }

    @Override
    public CompletionStage<Boolean> fail(Standing known, LockDeadlockException deadlock) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        partition.mailbox().execute(() -> {
            boolean same = now().filter(known::equals).isPresent();
            if (same) {
                waiter.failed(deadlock);
                queue.leaveNow(waiter);
            }
            answer.complete(same);
        });
        return answer;
    }
}
