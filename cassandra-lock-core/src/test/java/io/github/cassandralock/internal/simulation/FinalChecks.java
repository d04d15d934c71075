package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What must hold at the end of a schedule, when faults are over and callers had time. Draws nothing from the seed. */
record FinalChecks(TicketWorld world) {

    /** Returns all violations of the schedule. */
    List<String> violations() {
        everyCallMustHaveEnded();
        noSlotMustBlockOthers();
        checker().everyLossWasTold();
        return checker().violations();
    }

    private SafetyChecker checker() {
        return world.checker();
    }

    private void everyCallMustHaveEnded() {
        world.members()
                .forEach(member -> member.callers().stream()
                        .filter(caller -> !caller.isDone())
                        .forEach(caller -> checker()
                                .violation(
                                        Violation.NOT_SERVED,
                                        "a thread of process " + member.number()
                                                + " did not get the lock although all was well again")));
    }

    /** A slot that blocks others at the end must belong to a session that is dead or will be declared dead. */
    private void noSlotMustBlockOthers() {
        for (int second = 0; second < 15 && !isSettled(); second++) {
            world.time().run(Duration.ofSeconds(1));
        }
        if (!world.faults().haveClosed()
                && world.members().stream().noneMatch(m -> m.process().isDead())) {
            checker().violation(Violation.NOT_CLOSED, "a locker that was closed has not ended");
        }
        if (world.isDone()) {
            blockingSlots()
                    .forEach(slot -> checker()
                            .violation(Violation.LEFT_BEHIND, "no process wants the lock, but there is " + slot));
        }
    }

    private boolean isSettled() {
        return world.faults().haveClosed()
                && blockingSlots().findAny().isEmpty()
                && checker().lossesNotTold().isEmpty();
    }

    private Stream<Slot> blockingSlots() {
        return world.slots().everything(TicketWorld.LOCK).slots().stream()
                .filter(slot -> slot.phase() != SlotPhase.IDLE && isOwnedByTheLiving(slot))
                .filter(slot -> world.members().stream()
                        .noneMatch(member -> member.sessionLog().owns(slot.session())
                                && checker().staysTakenBy(member)));
    }

    private boolean isOwnedByTheLiving(Slot slot) {
        return world.sessions().isAlive(slot.session())
                && world.members().stream()
                        .anyMatch(member -> !member.process().isDead()
                                && member.sessionLog().isConfirmed()
                                && member.sessionLog().owns(slot.session()));
    }
}
