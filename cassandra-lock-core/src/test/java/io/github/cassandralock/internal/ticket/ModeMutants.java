package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/**
 * Faults planted into the rules of modes (lock modes, sections 1 to 3). Rules whose faults cost time only have none: which slot a
 * request takes of those that it may take, and that slots of one process learn at once what becomes of the others ({@link
 * SharedLockSimulationTest}). Whoever shares a slot whose lease has run out, and is told of a loss, is tested by {@link SharedSlotTest}:
 * in the simulation a timer says in time that a lease has run out, and who releases a lost lock is told then at the latest.
 */
final class ModeMutants {

    private ModeMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(participants(), order(), sharing(), reuse()).flatMap(mutants -> mutants);
    }

    private static Stream<Mutant> participants() {
        return Stream.of(
                Mutant.of(
                        Schedules.MODES,
                        Violation.TWO_HOLDERS,
                        "modes: slots of one session do not conflict",
                        "ticket.Bakery",
                        ".filter(slot -> !slot.id().equals(own))",
                        ".filter(slot -> !slot.session().equals(own.session()))"),
                Mutant.of(
                        Schedules.MODES,
                        Violation.NOT_SERVED,
                        "modes: an eviction deletes one slot of the dead session",
                        "simulation.SimulatedSlots",
                        "SimulatedCell.newer(cell, evictions.get(slot.session()));",
                        "slot.number() > 0 ? cell : SimulatedCell.newer(cell, evictions.get(slot.session()));"));
    }

    /** Requests of one process. */
    private static Stream<Mutant> order() {
        return Stream.of(
                Mutant.of(
                        Schedules.MODES,
                        Violation.OVERTAKEN_INSIDE,
                        "modes: a request begins before an earlier one that conflicts has its ticket",
                        "ticket.LocalSlot",
                        "&& !acquiring.attempt().hasTicket();",
                        "&& acquiring.first() == null;"),
                Mutant.of(
                        Schedules.MODES,
                        Violation.OVERTAKEN_INSIDE,
                        "modes: a request passes those that wait for a slot and conflict with it",
                        "ticket.WaitingList",
                        "passedOver.stream().noneMatch(waiter::conflictsWith) && mayBegin.test(waiter)",
                        "mayBegin.test(waiter)"),
                Mutant.of(
                        Schedules.MODES,
                        Violation.OVERTAKEN_INSIDE,
                        "modes: a slot is handed over past a request that waits for a slot",
                        "ticket.WaitingList",
                        ".filter(waiter -> waiter.mode() == mode || waiter.conflictsWith(mode))",
                        ".filter(waiter -> waiter.mode() == mode)"),
                Mutant.of(
                        Schedules.MODES,
                        Violation.OVERTAKEN_INSIDE,
                        "modes: a slot is handed over past a request that waits with a slot",
                        "ticket.LocalQueue",
                        "waiters.first(mode).filter(waiter -> others(slot).noneMatch(other -> other.waitsAgainst(mode)));",
                        "waiters.first(mode);"),
                Mutant.of(
                        Schedules.MODES,
                        Violation.OVERTAKEN_INSIDE,
                        "modes: requests whose session is lost begin again behind those that came later",
                        "ticket.WaitingList",
                        "Stream.concat(stream(), begun.stream()) .sorted(Comparator.comparingLong(Waiter::number)) .toList();",
                        "Stream.concat(stream(), begun.stream()).toList();"),
                Mutant.of(
                        Schedules.MODES,
                        Violation.OVERTAKEN_INSIDE,
                        "modes: a later request that has no ticket yet goes before those that have lost theirs",
                        "ticket.LocalQueue",
                        "slots.forEach(slot -> slot.giveWay(waiters::hasOneBefore));",
                        ""),
                Mutant.of(
                        Schedules.MODES,
                        Violation.NOT_SERVED,
                        "modes: other slots get the lock before it is decided what becomes of the one that is over",
                        "ticket.LocalQueue",
                        "mailbox().execute(() -> attempts().forEach(attempt -> attempt.learned(false)));",
                        "attempts().forEach(attempt -> attempt.learned(false));"));
    }

    private static Stream<Mutant> sharing() {
        return Stream.of(
                Mutant.of(
                                Schedules.MODES,
                                Violation.TWO_HOLDERS,
                                "modes: threads share a slot in a mode that conflicts with itself",
                                "ticket.LocalSlot",
                                "&& waiter.mode().isCompatibleWith(waiter.mode()) && held",
                                "&& held")
                        .and(
                                "return !mode.isCompatibleWith(mode) && !isConverted() && state",
                                "return mode == null && state")
                        .and(
                                "ticket.LocalQueue",
                                ".filter(shared -> slots.stream().noneMatch(slot -> slot.conflictsWith(waiter.mode())))",
                                ""),
                Mutant.of(
                        Schedules.MODES,
                        Violation.TWO_HOLDERS,
                        "modes: a thread shares a slot that is held in another mode",
                        "ticket.LocalSlot",
                        "&& held.hold().mode() == waiter.mode() && waiter",
                        "&& held.hold().mode().isCompatibleWith(waiter.mode()) && waiter"),
                Mutant.of(
                                Schedules.MODES,
                                Violation.OVERTAKEN_INSIDE,
                                "modes: a thread shares a slot although one that conflicts waits in its process",
                                "ticket.LocalQueue",
                                "if (slots.stream().anyMatch(slot -> slot.waitsAgainst(waiter.mode()))) {",
                                "if (waiter == null) {")
                        .and(
                                ".filter(shared -> slots.stream().noneMatch(slot -> slot.conflictsWith(waiter.mode())))",
                                ""),
                Mutant.of(
                        Schedules.MODES,
                        Violation.TWO_HOLDERS,
                        "modes: the first thread that leaves a shared slot gives it up",
                        "ticket.SlotHold",
                        "return current.isEmpty();",
                        "return true;"));
    }

    /** A slot is used again, in the same mode or in another one. */
    private static Stream<Mutant> reuse() {
        return Stream.of(
                Mutant.of(
                        Schedules.MODES,
                        Violation.TWO_HOLDERS,
                        "modes: a slot that is kept is granted in another mode",
                        "ticket.LocalSlot",
                        "hold.mode() == waiter.mode() && hold.mayBeKept()",
                        "hold.mayBeKept()"),
                Mutant.of(
                        Schedules.MODES,
                        Violation.TWO_HOLDERS,
                        "modes: a slot comes back in another mode",
                        "ticket.LocalSlot",
                        "return !waiter.isSoft() && !waiter.isConversion() && waiter.mode() == slot.row().mode();",
                        "return !waiter.isSoft();"),
                Mutant.of(
                        Schedules.MODES,
                        Violation.TWO_HOLDERS,
                        "modes: a new attempt has the mode of the one before",
                        "ticket.SlotAttempt",
                        "new OwnSlot(context(), session, participant.id(session), mode, foothold.base());",
                        "new OwnSlot(context(), session, participant.id(session),"
                                + " leftOver.map(before -> before.row().mode()).orElse(mode), foothold.base());"));
    }
}
