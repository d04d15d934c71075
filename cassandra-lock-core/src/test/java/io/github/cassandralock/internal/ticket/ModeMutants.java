package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Fault;
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

    static Stream<Fault> all() {
        return Stream.of(participants(), order(), sharing(), reuse()).flatMap(faults -> faults);
    }

    private static Stream<Fault> participants() {
        return Stream.of(
                Fault.of(Schedules.MODES, Violation.TWO_HOLDERS, "modes: slots of one session do not conflict")
                        .in("ticket.rows.Bakery", "conflicting(LockSlots, SlotId, LockMode)")
                        .around("""
                              return right(read, own, mode).stream()
                                      .filter(slot -> !slot.session().equals(own.session()))
                                      .toList();"""),
                Fault.of(
                                Schedules.MODES,
                                Violation.NOT_SERVED,
                                "modes: an eviction deletes one slot of the dead session")
                        .in("simulation.SimulatedSlots.Partition", "isAlive")
                        .around(
                                "return slot.number() > 0 ? cell != null && cell.isAlive(now) : right(slot, cell, now);"));
    }

    /** Requests of one process. */
    private static Stream<Fault> order() {
        return Stream.of(
                Fault.of(
                                Schedules.MODES,
                                Violation.OVERTAKEN_INSIDE,
                                "modes: a request begins before an earlier one that conflicts has its ticket")
                        .in("ticket.slot.Acquiring", "conflictsWithoutTicket")
                        .body("return false;"),
                Fault.of(
                                Schedules.MODES,
                                Violation.OVERTAKEN_INSIDE,
                                "modes: a request passes those that wait for a slot and conflict with it")
                        .in("ticket.lock.WaitingList", "begin")
                        .replacing("passedOver.stream().noneMatch(request::conflictsWith)", "true"),
                Fault.of(
                                Schedules.MODES,
                                Violation.OVERTAKEN_INSIDE,
                                "modes: a slot is handed over past a request that waits for a slot")
                        .in("ticket.lock.WaitingList", "first")
                        .body("return stream().filter(waiter -> waiter.mode() == mode).findFirst();"),
                Fault.of(
                                Schedules.MODES,
                                Violation.OVERTAKEN_INSIDE,
                                "modes: a slot is handed over past a request that waits with a slot")
                        .in("ticket.lock.LocalState", "takeNext")
                        .body("return taken(waiting.first(mode, permits));"),
                Fault.of(
                                Schedules.MODES,
                                Violation.OVERTAKEN_INSIDE,
                                "modes: requests whose session is lost begin again behind those that came later")
                        .in("ticket.lock.WaitingList", "requeue")
                        .body("requests.addAll(begun);"),
                Fault.of(
                                Schedules.MODES,
                                Violation.OVERTAKEN_INSIDE,
                                "modes: a later request that has no ticket yet goes before those that have lost theirs")
                        .in("ticket.lock.LockActor", "sessionLost")
                        .replacing(
                                "decideAll((present, access) -> present.restartedBehind(state.waiting()::hasOneBefore, access));",
                                ""));
    }

    private static Stream<Fault> sharing() {
        return Stream.of(
                Fault.of(
                                Schedules.MODES,
                                Violation.TWO_HOLDERS,
                                "modes: threads share a slot in a mode that conflicts with itself")
                        .in("ticket.slot.Held", "mayShare")
                        .body("return hold.mode() == request.mode() && hold.mayServeNext() && hold.row().isValid();")
                        .in("ticket.slot.SlotState", "servesOneAtATime")
                        .body("return false;")
                        .in("ticket.lock.Placement", "shared")
                        .body("""
                              return lock.any(state -> state.acquiresInConflict(request.mode()))
                                      ? Optional.empty()
                                      : lock.first(state -> state.mayShare(request)).or(() -> joinable(request));"""),
                Fault.of(
                                Schedules.MODES,
                                Violation.TWO_HOLDERS,
                                "modes: a thread shares a slot that is held in another mode")
                        .in("ticket.slot.Held", "mayShare")
                        .body("""
                              return request.mode().isCompatibleWith(request.mode())
                                      && hold.mode().isCompatibleWith(request.mode())
                                      && hold.mayServeNext()
                                      && hold.row().isValid();"""),
                Fault.of(
                                Schedules.MODES,
                                Violation.OVERTAKEN_INSIDE,
                                "modes: a thread shares a slot although one that conflicts waits in its process")
                        .in("ticket.lock.Placement", "shared")
                        .body("return lock.first(state -> state.mayShare(request)).or(() -> joinable(request));"),
                Fault.of(
                                Schedules.MODES,
                                Violation.OVERTAKEN_INSIDE,
                                "modes: a thread joins a slot that waits before one that conflicts in its process")
                        .in("ticket.lock.Placement", "isBehindConflicting")
                        .body("return true;"),
                Fault.of(
                                Schedules.MODES,
                                Violation.TWO_HOLDERS,
                                "modes: the first thread that leaves a shared slot gives it up")
                        .in("ticket.slot.SlotHold", "end")
                        .around("right(handle); return true;"));
    }

    /** A slot is used again, in the same mode or in another one. */
    private static Stream<Fault> reuse() {
        return Stream.of(
                Fault.of(
                                Schedules.MODES,
                                Violation.TWO_HOLDERS,
                                "modes: a slot that is kept is granted in another mode")
                        .in("ticket.slot.SlotState.Kept", "isKeptFor")
                        .body("return hold.mayBeKept();"),
                Fault.of(Schedules.MODES, Violation.TWO_HOLDERS, "modes: a slot comes back in another mode")
                        .in("ticket.slot.Acquiring", "mayReticket")
                        .body("return !request.tries();"),
                Fault.of(Schedules.MODES, Violation.TWO_HOLDERS, "modes: a new attempt has the mode of the one before")
                        .in("ticket.attempt.SlotAttempt", "announce(OwnSession)")
                        .replacing(
                                "new OwnRow(context(), session, notices.id(session), claim.mode(), claim.baseNumber(), claim.permits())",
                                """
                              new OwnRow(context(), session, notices.id(session),
                                      replaced.map(before -> before.slot().mode()).orElse(claim.mode()), claim.baseNumber(), 1)"""));
    }
}
