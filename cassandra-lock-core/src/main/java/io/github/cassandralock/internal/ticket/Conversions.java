package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.ticket.attempt.Claim;
import io.github.cassandralock.internal.ticket.handle.HandleValue;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.handle.TokenReservation;
import io.github.cassandralock.internal.ticket.rows.HandleRows;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * What happens to the slots of one handle together: conversions up and down, and the end of the handle (lock modes, section 4).
 * Without state of its own; used in the lock's mailbox alone where nothing else is said.
 */
record Conversions(LockPartition partition, LocalSlot.Requests requests) {

    /** Names an owner of its own for each handle that is converted and belongs to nobody. */
    private static final String NOBODY = "a caller that named no owner";

    /**
     * Begins to convert a handle. May be called from any thread.
     *
     * @param tries whether this is refused if it would have to wait
     */
    TicketRequest convert(TicketGrant grant, LockMode mode, boolean tries) {
        TicketHandle handle = grant.handle();
        requests.deadlocks()
                .filter(deadlocks -> handle.owned().isEmpty())
                .ifPresent(
                        deadlocks -> handle.setOwner(deadlocks.owned(), LockOwner.named(NOBODY), partition.lockId()));
        TicketRequest conversion = TicketRequest.conversion(
                handle, grant, mode, tries, partition.context().ticker().nanos(), requests::leave);
        partition.mailbox().execute(() -> begin(conversion, grant));
        return conversion;
    }

    private void begin(TicketRequest conversion, TicketGrant grant) {
        TicketHandle handle = grant.handle();
        LockMode held = handle.mode();
        if (conversion.hasGivenUp()) {
            conversion.cancelled();
        } else if (!handle.isValid()) {
            conversion.failed(notHeld());
        } else if (handle.isConverting()) {
            conversion.failed(new IllegalStateException("Lock '" + partition.lockId() + "' is not converted to "
                    + conversion.target() + ": another conversion of the same handle is under way; wait for its end"));
        } else if (held.covers(conversion.target())) {
            closeValueAndGoDown(conversion, grant);
        } else {
            endGivenUp(handle);
            up(conversion, handle, held.leastCovering(conversion.target()));
        }
    }

    /** The former conversion was given up before it waited, and the task that ends it comes later. */
    private void endGivenUp(TicketHandle handle) {
        handle.conversion().ifPresent(former -> {
            former.cancelled();
            if (former.waitsWithSlot()) {
                requests.end(former);
            }
        });
    }

    private IllegalStateException notHeld() {
        return new IllegalStateException("Lock '" + partition.lockId()
                + "' is not converted: its handle was closed, or the lock was lost; take the lock again");
    }

    /** In the weaker mode others may hold the lock beside the handle, so what it has changed of the value is stored first. */
    private void closeValueAndGoDown(TicketRequest conversion, TicketGrant grant) {
        TicketHandle handle = grant.handle();
        endGivenUp(handle);
        if (HandleValue.isWritableIn(conversion.target())) {
            down(conversion, handle);
        } else {
            handle.setConverting(conversion);
            grant.closeValueThen(() -> {
                handle.endConverting(conversion);
                if (handle.isValid()) {
                    down(conversion, handle);
                } else {
                    conversion.failed(notHeld());
                }
            });
        }
    }

    private void down(TicketRequest conversion, TicketHandle handle) {
        List<LocalSlot> before = requests.slots(handle);
        List<LocalSlot> kept = kept(before, conversion.target());
        if (conversion.takeEffect(weaker(handle.slots(), kept, conversion.target()))) {
            lowerNeeds(handle, before, kept);
            releaseAbove(handle, before, kept).thenRun(conversion::granted);
        }
    }

    /**
     * The slots that a handle needs for a weaker mode: all up to the lowest that has always kept out what the mode keeps out (rule 7).
     * What conflicts with the mode waits behind one of these.
     */
    private static List<LocalSlot> kept(List<LocalSlot> slots, LockMode mode) {
        return slots.subList(
                0,
                1
                        + IntStream.range(0, slots.size())
                                .filter(slot -> slots.get(slot).held().hasAlwaysExcluded(mode))
                                .findFirst()
                                .orElse(slots.size() - 1));
    }

    /** The handle after a conversion down. If slots have gone, its next token comes of another reservation (rule 3). */
    private TicketHandle.Slots weaker(TicketHandle.Slots before, List<LocalSlot> kept, LockMode mode) {
        return kept.size() == before.rows().size()
                ? new TicketHandle.Slots(mode, before.rows(), before.tokens(), before.number())
                : new TicketHandle.Slots(
                        mode,
                        kept.stream().map(slot -> slot.held().row()).toList(),
                        new TokenReservation(partition),
                        1);
    }

    /** The handle needs its mode at the top, and of each slot no more than before. */
    private static void lowerNeeds(TicketHandle handle, List<LocalSlot> before, List<LocalSlot> kept) {
        LocalSlot top = kept.get(kept.size() - 1);
        for (LocalSlot slot : before) {
            SlotHold hold = slot.held();
            if (!kept.contains(slot)) {
                hold.setNeed(handle, LockMode.NULL);
            } else if (slot == top || !handle.mode().covers(hold.need(handle))) {
                hold.setNeed(handle, handle.mode());
            }
        }
    }

    /** The new slot has the mode that covers both; if that is not the target, a conversion down follows. */
    private void up(TicketRequest conversion, TicketHandle handle, LockMode wanted) {
        if (handle.slots().rows().size() == HandleRows.MOST) {
            conversion.failed(new IllegalStateException("Lock '" + partition.lockId() + "' is not converted to "
                    + conversion.target() + ": its handle has " + HandleRows.MOST
                    + " slots, because it was converted between modes that do not cover each other again and again."
                    + " It stays held in mode " + handle.mode() + "; to go on, release the lock and take it again"));
        } else if (conversion.tries() && !isClear(handle, wanted)) {
            conversion.refused();
        } else {
            conversion.waitsWithSlot(wanted);
            handle.setConverting(conversion);
            requests.beginConversion(conversion);
            if (conversion.hasGivenUp()) {
                requests.leave(conversion);
            }
        }
    }

    /** Whether no other holder of one of the handle's slots is in the way of this mode. It stays so while the conversion waits. */
    private boolean isClear(TicketHandle handle, LockMode wanted) {
        return requests.slots(handle).stream().noneMatch(slot -> slot.held().othersConflict(wanted, handle));
    }

    /** Whether sharers of the handle's slots are in the way of a conversion. */
    boolean isClear(TicketRequest request) {
        return request.converted()
                .filter(handle -> !isClear(handle, request.mode()))
                .isEmpty();
    }

    /** What an attempt for the request is for. */
    static Claim claim(TicketRequest request) {
        return request.converted()
                .map(handle -> new Claim(
                        request.mode(), !request.tries(), handle.slots().rows(), handle.mode()))
                .orElseGet(() -> Claim.of(request.mode(), !request.tries()));
    }

    /** The slot for a conversion up was acquired. If its mode is not the target, the conversion down is part of the same step. */
    void acquired(TicketRequest conversion, LocalSlot slot, SlotHold hold) {
        TicketHandle handle = conversion.converted().orElseThrow();
        LockMode target = conversion.target();
        List<LocalSlot> below = requests.slots(handle);
        List<LocalSlot> all = new ArrayList<>(below);
        all.add(slot);
        List<LocalSlot> kept = hold.mode() == target ? all : kept(all, target);
        TicketHandle.Slots up = hold.above(handle.slots());
        if (!handle.isValid()) {
            conversion.failed(notHeld());
            slot.passOn(Optional.of(hold.row()));
        } else if (conversion.takeEffect(hold.mode() == target ? up : weaker(up, kept, target))) {
            below.forEach(base -> base.held().setBase());
            hold.addConverted(handle);
            if (hold.mode() != target) {
                lowerNeeds(handle, all, kept);
            }
            handle.contentionListeners().forEach(contended -> slot.watch(handle, contended));
            if (hold.mode() == target) {
                conversion.granted();
            } else {
                releaseAbove(handle, all, kept).thenRun(conversion::granted);
            }
        } else {
            conversion.cancelled();
            slot.passOn(Optional.of(hold.row()));
        }
    }

    /**
     * Rule 6: the handle does without the slots above those that it needs, and then the others become weaker.
     *
     * @return completes when it was tried once to write that
     */
    private static CompletableFuture<Void> releaseAbove(
            TicketHandle handle, List<LocalSlot> before, List<LocalSlot> kept) {
        List<CompletableFuture<Void>> written = new ArrayList<>();
        for (int slot = before.size() - 1; slot >= 0; slot--) {
            if (!kept.contains(before.get(slot))) {
                written.add(before.get(slot).release(handle));
            }
        }
        kept.forEach(slot -> written.add(slot.lowerMode()));
        return all(written);
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<Void>> written) {
        return CompletableFuture.allOf(written.toArray(CompletableFuture<?>[]::new));
    }

    /** The conversion up of the handle, if one is under way, ends without a slot. */
    void endConversion(TicketHandle handle) {
        handle.conversion().filter(TicketRequest::waitsWithSlot).ifPresent(conversion -> {
            conversion.failed(notHeld());
            requests.end(conversion);
        });
    }

    /**
     * The handle is released or lost: its conversion ends, and it does without its slots, from the top down.
     *
     * @return completes when it was tried once to write that
     */
    CompletableFuture<Void> end(TicketHandle handle) {
        endConversion(handle);
        List<LocalSlot> slots = requests.slots(handle);
        List<CompletableFuture<Void>> written = new ArrayList<>();
        for (int slot = slots.size() - 1; slot >= 0; slot--) {
            written.add(slots.get(slot).release(handle));
        }
        return all(written);
    }

    private void leaveBehind(TicketHandle handle, Duration atLeast) {
        endConversion(handle);
        CompletableFuture.allOf(handle.slots().rows().stream()
                        .map(row -> requests.slot(row).leaveBehind(row, handle, atLeast))
                        .toArray(CompletableFuture<?>[]::new))
                .whenComplete((done, notWritten) -> handle.completeRelease());
    }

    /** The process ends, and the lock is to stay taken for at least this long. May be called from any thread. */
    void leftBehind(TicketGrant grant, Duration atLeast) {
        TicketHandle handle = grant.handle();
        partition.mailbox().execute(() -> {
            handle.slots().rows().forEach(row -> row.session().outlive(atLeast));
            grant.closeValueThen(() -> leaveBehind(handle, atLeast));
        });
    }

    /** Completes the future when somebody else waits while this handle is held. May be called from any thread. */
    void watchContention(TicketHandle handle, CompletableFuture<Void> contended) {
        partition.mailbox().execute(() -> {
            handle.onContention(contended);
            requests.slots(handle).forEach(slot -> slot.watch(handle, contended));
        });
    }

    /** What the handle does with the lock's value. */
    HandleValue valueOf(TicketHandle handle) {
        return new HandleValue(
                partition,
                handle,
                () -> handle.areRowsValid()
                        && requests.slots(handle).size()
                                == handle.slots().rows().size());
    }

    /** Logs that the lock is lost. */
    void warnOfLoss(String reason) {
        partition.context().warnings().lost().warn(partition.lockId(), reason);
    }
}
