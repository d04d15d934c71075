package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/**
 * Faults planted into the rules of conversions (lock modes, section 4). Rules whose faults only make conversions or requests wait are
 * tested step by step by {@link ConversionSimulationTest}: in the schedules, conversions up have a time-out, because two of them may
 * wait for each other.
 */
final class ConversionMutants {

    private ConversionMutants() {}

    static Stream<Fault> all() {
        return Stream.of(up(), down(), tokens(), ends()).flatMap(faults -> faults);
    }

    private static Stream<Fault> up() {
        return Stream.of(
                Fault.of(
                                Schedules.CONVERSIONS,
                                Violation.TWO_HOLDERS,
                                "conversions: all slots are ignored, not those alone that conflict with the handle's mode")
                        .in("ticket.attempt.Claim", "ignores")
                        .body("return isConversion();"),
                Fault.of(
                                Schedules.CONVERSIONS,
                                Violation.TWO_HOLDERS,
                                "conversions: what conflicts with the new mode is ignored, not what conflicts with the present one")
                        .in("ticket.attempt.Claim", "ignores")
                        .body(
                                "return isConversion() && (isBase(other) || partition.facts().conflictedInEveryModeSeen(other, mode));"),
                Fault.of(
                                Schedules.CONVERSIONS,
                                Violation.TWO_HOLDERS,
                                "conversions: threads that share the handle's slots are not in the way")
                        .in("ticket.lock.LocalState", "areSharersGone(TicketHandle, LockMode)")
                        .body("return true;"),
                Fault.of(
                                Schedules.STALE_MODES,
                                Violation.TWO_HOLDERS,
                                "conversions: what conflicts with the mode of a slot that others share is ignored (rule 4)")
                        .in("ticket.attempt.Claim", "ignores")
                        .body("""
                              return isConversion()
                                      && (isBase(other)
                                              || partition.facts().conflictedInEveryModeSeen(
                                                      other, base.get(base.size() - 1).slot().mode()));"""),
                Fault.of(
                                Schedules.STALE_MODES,
                                Violation.TWO_HOLDERS,
                                "conversions: a slot that was seen in a weak mode is ignored if a later read shows a strong one (rule 5)")
                        .in("ticket.rows.LockFacts", "conflictedInEveryModeSeen")
                        .body("return !slot.mode().isCompatibleWith(mode);"),
                Fault.of(
                                Schedules.CONVERSIONS,
                                Violation.TWO_HOLDERS,
                                "conversions: a request draws again and reads on as if nothing had happened (rule 8)")
                        .in("ticket.attempt.SlotAttempt", "redrawTicket")
                        .body("steps.write(recordTicket(Bakery.nextTicket(read)), this::lookAtBlockersAgain);"));
    }

    private static Stream<Fault> down() {
        return Stream.of(
                Fault.of(
                                Schedules.CONVERSIONS,
                                Violation.TWO_HOLDERS,
                                "conversions: a shared slot becomes as weak as one of its handles (rule 2)")
                        .in("ticket.slot.SlotHold", "leastNeeded")
                        .body("""
                              return needs.values().stream()
                                      .reduce(LockMode.EXCLUSIVE, (one, other) -> one.covers(other) ? other : one);"""),
                Fault.of(
                                Schedules.CONVERSIONS,
                                Violation.TWO_HOLDERS,
                                "conversions: the slots below are let go, and the top one stays (rule 6)")
                        .in("ticket.lock.Conversions", "needed")
                        .body("return slots.subList(slots.size() - 1, slots.size());"),
                Fault.of(Schedules.CONVERSIONS, Violation.TWO_HOLDERS, "conversions: the lowest slot alone stays")
                        .in("ticket.lock.Conversions", "needed")
                        .body("return slots.subList(0, 1);"),
                Fault.of(
                                Schedules.SIDEWAYS,
                                Violation.TWO_HOLDERS,
                                "conversions: the present mode of a slot decides what may go (rule 7)")
                        .in("ticket.slot.SlotHold", "modesExcluded")
                        .body("return conflictingWith(mode());"),
                Fault.of(
                                Schedules.CONVERSIONS,
                                Violation.TWO_HOLDERS,
                                "conversions: a handle is weaker than it says as soon as its slot is")
                        .in("ticket.lock.Conversions", "convertDown")
                        .body("""
                              List<LocalSlot> before = lock.slots(handle);
                              List<LocalSlot> needed = needed(before, conversion.target());
                              if (conversion.takeEffect(handle.slots())) {
                                  before.stream().filter(slot -> !needed.contains(slot)).forEach(slot -> slot.decide((state, access) -> state.withdrawn(handle, access)));
                                  releaseAndLower(handle, before, needed);
                                  lock.answers().addAnswer(conversion::grant);
                              }"""));
    }

    private static Stream<Fault> tokens() {
        return Stream.of(
                Fault.of(
                                Schedules.CONVERSIONS,
                                Violation.TOKEN_ORDER,
                                "conversions: a token of the reservation before the conversion up is shown (rule 3)")
                        .in("ticket.handle.TicketHandle.Slots", "withTop")
                        .around(
                                "return new Slots(acquired.slot().mode(), right(acquired, reservation, grant).rows(), tokens, number);"),
                Fault.of(
                                Schedules.CONVERSIONS,
                                Violation.TOKEN_ORDER,
                                "conversions: a slot below a conversion serves further threads (rule 3)")
                        .in("ticket.slot.SlotHold", "isPartOfConversion")
                        .body("return excluded != null || row.slot().isConversion();"));
    }

    private static Stream<Fault> ends() {
        return Stream.of(
                Fault.of(
                                Schedules.CONVERSIONS_GIVEN_UP,
                                Violation.CONVERTED_LATE,
                                "conversions: the mode changes although the caller has given up, whose task comes later")
                        .in("ticket.handle.TicketRequest", "takeEffect")
                        .replacing("if (givenUp) { return false; }", ""),
                Fault.of(
                                Schedules.CONVERSIONS_GIVEN_UP,
                                Violation.CONVERTED_LATE,
                                "conversions: the caller is told that the conversion was given up, and the mode has changed")
                        .in("ticket.handle.TicketRequest", "giveUp")
                        .replacing("if (inEffect) { return; }", ""),
                Fault.of(
                                Schedules.CONVERSIONS,
                                Violation.LEFT_BEHIND,
                                "conversions: a handle that is released keeps its upper slots")
                        .in("ticket.lock.HandleEnds", "end")
                        .body(
                                "endConversion(handle); lock.slots(handle).get(0).decide((state, access) -> state.withdrawn(handle, access));"),
                Fault.of(
                                Schedules.FORCE_RELEASES,
                                Violation.LEFT_BEHIND,
                                "conversions: a handle that is lost by one slot keeps the others")
                        .in("ticket.lock.HandleEnds", "lost")
                        .replacing("handles.forEach(this::end);", "handles.forEach(this::endConversion);")
                        .in("ticket.lock.EffectRunner", "lose")
                        .around("""
                              right(handles, loss);
                              Runnable told = following;
                              following = () -> {
                                  told.run();
                                  slot.decide((state, access) -> state.vacated(slot.held(), access));
                              };"""));
    }
}
