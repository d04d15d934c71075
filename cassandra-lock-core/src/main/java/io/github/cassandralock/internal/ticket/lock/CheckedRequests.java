package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.deadlock.CheckedCall.Standing;
import io.github.cassandralock.internal.deadlock.CheckedQueue;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.WaitingCall;
import io.github.cassandralock.internal.ticket.handle.OwnedLocks;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.lock.WaitingList.Need;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The waiting requests of one lock, as the search for deadlocks reads them (lock modes, section 7). */
record CheckedRequests(LocalState lock, Deadlocks deadlocks) implements CheckedQueue {

    /**
     * The place at which a request waits.
     *
     * @param ahead the slot with which it waits, or the first slot in its way. Empty if there is none, or nothing was written for
     *     it
     * @param withSlot whether it waits with that slot
     * @param need of the request, and of the requests of this process for which it waits
     */
    record Place(Optional<OwnRow> ahead, boolean withSlot, Need need) {}

    @Override
    public CompletionStage<Map<Object, Standing>> standings() {
        CompletableFuture<Map<Object, Standing>> answer = new CompletableFuture<>();
        lock.partition().mailbox().execute(() -> {
            Map<Object, Standing> standings = new HashMap<>();
            places().forEach((request, place) ->
                    standing(request, place).ifPresent(standing -> standings.put(request, standing)));
            answer.complete(standings);
        });
        return answer;
    }

    /** The wait of a request with an owner; empty if the request does not wait. To be called in the lock's mailbox. */
    Optional<Standing> standing(TicketRequest request) {
        return Optional.ofNullable(places().get(request)).flatMap(place -> standing(request, place));
    }

    private Optional<Standing> standing(TicketRequest request, Place place) {
        Optional<OwnSession> session = place.withSlot()
                ? place.ahead().map(OwnRow::session)
                : lock.partition().context().sessions().present();
        return request.owner().flatMap(owner -> session.map(own -> new Standing(own, call(request, owner, place))));
    }

    private WaitingCall call(TicketRequest request, LockOwner owner, Place place) {
        Optional<Slot> slot = place.ahead().map(OwnRow::slot);
        Optional<TicketHandle> converted = request.converted();
        return new WaitingCall(
                owner.toString(),
                deadlocks.process(),
                lock.partition().lockId(),
                request.mode(),
                place.need().mode(),
                place.need().permits(),
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
        Map<Need, Place> inside = new HashMap<>();
        lock.waiting()
                .forEachBehind((request, need) -> places.put(request, inside.computeIfAbsent(need, this::placeInside)));
        lock.slots()
                .forEach(slot -> slot.state()
                        .requests()
                        .forEach(request ->
                                places.put(request, new Place(slot.state().liveRow(), true, Need.of(request)))));
        return places;
    }

    /**
     * A request without a slot waits for the earlier requests that conflict with it. Through these requests, it also waits for
     * the slots in their way. All of them wait for what is ahead of the first slot.
     *
     * @param inside the need of the request and of the earlier requests for which it waits
     */
    private Place placeInside(Need inside) {
        List<SlotState> ahead = lock.slots().stream()
                .map(LocalSlot::state)
                .filter(state -> state.acquiresInConflict(inside.mode()) && !state.isPartOfConversion())
                .toList();
        return new Place(
                ahead.stream()
                        .flatMap(state -> state.liveRow().stream())
                        .filter(slot -> slot.slot().ticket() > 0)
                        .min(Comparator.comparing(OwnRow::slot, Bakery.TICKET_ORDER)),
                false,
                ahead.stream()
                        .flatMap(state -> state.usedMode().map(mode -> new Need(mode, state.usedPermits())).stream())
                        .reduce(inside, Need::and));
    }
}
