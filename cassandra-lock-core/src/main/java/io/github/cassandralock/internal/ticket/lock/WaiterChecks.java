package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.deadlock.CheckedCall.Standing;
import io.github.cassandralock.internal.deadlock.CheckedQueue;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.WaitingCall;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.handle.OwnedLocks;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The requests of one lock that wait, as the search for deadlocks sees them (lock modes, section 7). */
record WaiterChecks(LocalState lock, Deadlocks deadlocks) implements CheckedQueue {

    /**
     * Where a request waits.
     *
     * @param ahead the slot with which it waits, or the first slot in its way. Empty if there is none, or nothing was written for
     *     it
     * @param withSlot whether it waits with that slot
     * @param waitsAs the least mode that conflicts with all that it waits for
     */
    record Place(Optional<OwnRow> ahead, boolean withSlot, LockMode waitsAs) {}

    @Override
    public CompletionStage<Map<Object, Standing>> standings() {
        CompletableFuture<Map<Object, Standing>> answer = new CompletableFuture<>();
        lock.partition().mailbox().execute(() -> {
            Map<Object, Standing> standings = new HashMap<>();
            places().forEach((waiter, place) ->
                    standing(waiter, place).ifPresent(standing -> standings.put(waiter, standing)));
            answer.complete(standings);
        });
        return answer;
    }

    /** How a request with an owner waits; empty if it does not. To be called in the lock's mailbox. */
    Optional<Standing> standing(TicketRequest waiter) {
        return Optional.ofNullable(places().get(waiter)).flatMap(place -> standing(waiter, place));
    }

    private Optional<Standing> standing(TicketRequest waiter, Place place) {
        Optional<OwnSession> session = place.withSlot()
                ? place.ahead().map(OwnRow::session)
                : lock.partition().context().sessions().present();
        return waiter.owner().flatMap(owner -> session.map(own -> new Standing(own, call(waiter, owner, place))));
    }

    private WaitingCall call(TicketRequest waiter, LockOwner owner, Place place) {
        Optional<Slot> slot = place.ahead().map(OwnRow::row);
        Optional<TicketHandle> converted = waiter.converted();
        return new WaitingCall(
                owner.toString(),
                deadlocks.process(),
                lock.partition().lockId(),
                waiter.mode(),
                place.waitsAs(),
                slot.map(row -> row.id().number()).orElse(WaitingCall.NONE),
                place.withSlot() ? slot.map(Slot::attempt).orElse((long) WaitingCall.NONE) : WaitingCall.NONE,
                slot.map(Slot::ticket).orElse(0L),
                converted
                        .flatMap(TicketHandle::owned)
                        .map(OwnedLocks.Entry::number)
                        .orElse((long) WaitingCall.NONE),
                converted.map(TicketHandle::mode).orElse(LockMode.NULL),
                deadlocks.owned().of(owner));
    }

    private Map<TicketRequest, Place> places() {
        Map<TicketRequest, Place> places = new HashMap<>();
        Map<LockMode, Place> inside = new EnumMap<>(LockMode.class);
        lock.waiting()
                .forEachBehind((waiter, mode) -> places.put(waiter, inside.computeIfAbsent(mode, this::placeInside)));
        lock.slots()
                .forEach(slot -> slot.state()
                        .requests()
                        .forEach(waiter -> places.put(
                                waiter,
                                new Place(slot.state().underWay().flatMap(SlotAttempt::slot), true, waiter.mode()))));
        return places;
    }

    /**
     * A request without a slot waits for the earlier requests that conflict with it. It also waits for all that these wait for,
     * and for the slots in their way. All of these wait for what is ahead of the first of the slots.
     *
     * @param inside the least mode that conflicts with what the request and the earlier ones wait for
     */
    private Place placeInside(LockMode inside) {
        List<SlotAttempt> ahead = lock.slots().stream()
                .filter(slot ->
                        slot.state().acquiresInConflict(inside) && !slot.state().isConverted())
                .flatMap(slot -> slot.state().underWay().stream())
                .toList();
        return new Place(
                ahead.stream()
                        .flatMap(attempt -> attempt.slot().stream())
                        .filter(slot -> slot.row().ticket() > 0)
                        .min(Comparator.comparing(OwnRow::row, Bakery.TICKET_ORDER)),
                false,
                ahead.stream().map(SlotAttempt::mode).reduce(inside, LockMode::leastCovering));
    }
}
