package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.internal.ticket.attempt.Foothold;
import io.github.cassandralock.internal.ticket.rows.HandleRows;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What happens to the slots of one handle together: conversions up and down, and the end of the handle (lock modes, section 4).
 * Without state of its own; used in the lock's mailbox alone.
 */
record Conversions(LockPartition partition, LocalSlot.Requests requests) {

    /** Names an owner of its own for each handle that is converted and belongs to nobody. */
    private static final String NOBODY = "a caller that named no owner";

    /**
     * Begins to convert a handle. May be called from any thread.
     *
     * @param soft whether this is refused if it would have to wait
     */
    Conversion convert(TicketGrant grant, LockMode mode, boolean soft) {
        Conversion conversion =
                new Conversion(grant, mode, soft, partition.context().ticker().nanos());
        requests.deadlocks()
                .filter(deadlocks -> grant.owned().isEmpty())
                .ifPresent(
                        deadlocks -> grant.belongsTo(deadlocks.owned(), LockOwner.named(NOBODY), partition.lockId()));
        partition.mailbox().execute(() -> begin(conversion, grant.chain()));
        return conversion;
    }

    /** @param chain the handle's slots, of which it has one or more */
    private void begin(Conversion conversion, Chain chain) {
        TicketGrant grant = conversion.grant();
        LockMode held = chain.mode();
        if (conversion.hasGivenUp()) {
            conversion.cancelled();
        } else if (!grant.isValid()) {
            conversion.failed(over());
        } else if (grant.isConverting()) {
            conversion.failed(new IllegalStateException("Lock '" + partition.lockId() + "' is not converted to "
                    + conversion.target() + ": another conversion of the same handle is under way; wait for its end"));
        } else if (held.covers(conversion.target())) {
            closeValueAndGoDown(conversion);
        } else {
            endGivenUp(grant);
            up(conversion, chain, held.leastCovering(conversion.target()));
        }
    }

    /** The former conversion was given up before it waited, and the task that ends it comes later. */
    private void endGivenUp(TicketGrant grant) {
        grant.conversion().ifPresent(former -> {
            former.waiter().ifPresent(waiter -> {
                waiter.cancelled();
                requests.end(waiter);
            });
            grant.endsConverting(former);
        });
    }

    private IllegalStateException over() {
        return new IllegalStateException("Lock '" + partition.lockId()
                + "' is not converted: its handle was closed, or the lock was lost; take the lock again");
    }

    /** In the weaker mode others may hold the lock beside the handle, so what it has changed of the value is stored first. */
    private void closeValueAndGoDown(Conversion conversion) {
        TicketGrant grant = conversion.grant();
        endGivenUp(grant);
        if (HandleValue.isWritableIn(conversion.target())) {
            down(conversion);
        } else {
            grant.convertsBy(conversion);
            grant.closeValueThen(() -> {
                grant.endsConverting(conversion);
                if (grant.isValid()) {
                    down(conversion);
                } else {
                    conversion.failed(over());
                }
            });
        }
    }

    private void down(Conversion conversion) {
        TicketGrant grant = conversion.grant();
        Chain before = grant.chain();
        if (conversion.takeEffect(weaker(before, conversion.target()))) {
            letGo(grant, before).thenRun(conversion::converted);
        }
    }

    private Chain weaker(Chain chain, LockMode mode) {
        return chain.down(mode, chain.needed(mode), new TokenReservation(partition));
    }

    /** The new slot has the mode that covers both; if that is not the target, a conversion down follows. */
    private void up(Conversion conversion, Chain chain, LockMode wanted) {
        Foothold foothold = new ChainFoothold(partition.facts(), conversion.grant(), chain, wanted);
        if (chain.links().size() == HandleRows.MOST) {
            conversion.failed(new IllegalStateException("Lock '" + partition.lockId() + "' is not converted to "
                    + conversion.target() + ": its handle has " + HandleRows.MOST
                    + " slots, because it was converted between modes that do not cover each other again and again."
                    + " It stays held in mode " + chain.mode() + "; to go on, release the lock and take it again"));
        } else if (conversion.isSoft() && !foothold.isClear()) {
            conversion.refused();
        } else {
            Waiter waiter = new Waiter(wanted, conversion, foothold, requests::leave);
            conversion.waitsBy(waiter);
            conversion.grant().convertsBy(conversion);
            requests.beginConversion(waiter);
            if (conversion.hasGivenUp()) {
                requests.leave(waiter);
            }
        }
    }

    /** The slot for a conversion up was acquired. If its mode is not the target, the conversion down is part of the same step. */
    void acquired(Waiter waiter, LocalSlot slot, SlotHold hold) {
        Conversion conversion = waiter.conversion().orElseThrow();
        TicketGrant grant = conversion.grant();
        Chain below = grant.chain();
        Chain up = hold.above(below);
        boolean down = hold.mode() != conversion.target();
        if (!grant.isValid()) {
            waiter.failed(over());
            slot.passOn(Optional.of(hold.slot()));
        } else if (conversion.takeEffect(down ? weaker(up, conversion.target()) : up)) {
            hold.adopt(grant, below);
            grant.asking().forEach(contended -> slot.watch(grant, contended));
            if (down) {
                letGo(grant, up).thenRun(() -> waiter.granted(grant));
            } else {
                waiter.granted(grant);
            }
        } else {
            waiter.cancelled();
            slot.passOn(Optional.of(hold.slot()));
        }
    }

    /**
     * Rule 6: the handle does without the slots above those that it needs, and then the others become weaker.
     *
     * @param before the slots that it had
     * @return completes when it was tried once to write that
     */
    private CompletableFuture<Void> letGo(TicketGrant grant, Chain before) {
        int needed = grant.chain().links().size();
        List<Chain.Link> links = before.links();
        List<CompletableFuture<Void>> written = new ArrayList<>();
        for (int link = links.size() - 1; link >= needed; link--) {
            written.add(links.get(link).slot().letGo(grant));
        }
        links.subList(0, needed).forEach(link -> written.add(link.slot().weaken()));
        return all(written);
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<Void>> written) {
        return CompletableFuture.allOf(written.toArray(CompletableFuture<?>[]::new));
    }

    /** The conversion up of the handle, if one is under way, ends without a slot. */
    void endConversion(TicketGrant grant) {
        grant.conversion().flatMap(Conversion::waiter).ifPresent(waiter -> {
            waiter.failed(over());
            requests.end(waiter);
        });
    }

    /**
     * The handle is released or lost: its conversion ends, and it does without its slots, from the top down.
     *
     * @return completes when it was tried once to write that
     */
    CompletableFuture<Void> end(TicketGrant grant) {
        endConversion(grant);
        List<Chain.Link> links = grant.chain().links();
        List<CompletableFuture<Void>> written = new ArrayList<>();
        for (int link = links.size() - 1; link >= 0; link--) {
            written.add(links.get(link).slot().letGo(grant));
        }
        return all(written);
    }

    /** The process ends, and the handle's slots stay taken for at least this long. */
    void leaveBehind(TicketGrant grant, Duration atLeast) {
        endConversion(grant);
        CompletableFuture.allOf(grant.chain().links().stream()
                        .map(link -> link.slot().leaveBehind(link.hold(), grant, atLeast))
                        .toArray(CompletableFuture<?>[]::new))
                .whenComplete((done, notWritten) -> grant.releaseEnded());
    }
}
