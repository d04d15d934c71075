package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.session.SessionWatch;
import io.github.cassandralock.internal.store.Slot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes the lock if nobody has it (protocol, section 7). */
final class SoftAttempt extends SlotAttempt {

    /*
     * Several that try at once see each other's rows. They stay until it is known who has the lowest ticket, for a time
     * rather than for a number of looks: with a number, all of them could leave.
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

    /** It never waits for a turn, so it learns nothing about turns. */
    @Override
    void unblocked() {}

    private void refuseAndWatch(List<Slot> inTheWay) {
        SessionWatch watch = context().watch();
        BackgroundEviction observer = new BackgroundEviction(context(), lockId());
        Bakery.toWatch(inTheWay).forEach(slot -> watch.join(slot.session(), observer));
        refuse();
    }
}
