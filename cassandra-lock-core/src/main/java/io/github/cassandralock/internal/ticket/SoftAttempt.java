package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.SessionWatch;
import io.github.cassandralock.internal.store.Slot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An attempt that takes the lock if it is free, and does not wait for its turn (protocol, section 7). */
final class SoftAttempt extends SlotAttempt {

    /*
     * Sessions that try at the same time see each other's slots. Each reads until it is known which one has the lowest ticket.
     * The limit is a time and not a number of reads: with a number, all of them could leave, and none would get the lock.
     */

    private @Nullable Long undecidedSince;

    SoftAttempt(LockPartition partition, Optional<OwnSlot> leftOver, Consumer<AttemptOutcome> end) {
        super(partition, leftOver, Duration.ZERO, end);
    }

    @Override
    void start() {
        steps().step(() -> context().sessions().current(), session -> lookBefore(session.id()));
    }

    private void lookBefore(UUID own) {
        read(read -> {
            List<Slot> there = Bakery.conflicting(read, own);
            if (there.isEmpty()) {
                announce();
            } else {
                refuseAndWatch(there);
            }
        });
    }

    @Override
    void ticketDrawn(List<Slot> conflicting) {
        lookAtBlockers();
    }

    @Override
    void blockedBy(List<Slot> blockers) {
        long now = context().ticker().nanos();
        if (undecidedSince == null) {
            undecidedSince = now;
        }
        if (Bakery.isUndecided(blockers) && now - undecidedSince < TicketSettings.TRY_WINDOW.toNanos()) {
            steps().pauseThen(context().settings().poll().min(), () -> lookAgainAt(blockers));
        } else {
            refuseAndWatch(blockers);
        }
    }

    /** Notes no estimate, because this attempt did not wait for hand-overs. */
    @Override
    void unblocked() {}

    private void refuseAndWatch(List<Slot> inTheWay) {
        SessionWatch watch = context().watch();
        BackgroundEviction observer = new BackgroundEviction(context(), lockId());
        Bakery.toWatch(inTheWay).forEach(slot -> watch.join(slot.session(), observer));
        refuse();
    }
}
