package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/** Faults between what is decided and what is done: an effect is dropped, or done at the wrong time. */
final class EffectMutants {

    private EffectMutants() {}

    static Stream<Fault> all() {
        return Stream.of(dropped(), misplaced()).flatMap(faults -> faults);
    }

    private static Stream<Fault> dropped() {
        return Stream.of(
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.NOT_SERVED,
                                "effects: an attempt is decided and never started")
                        .in("ticket.EffectRunner", "start")
                        .body("return attempt(request, replaced);"),
                Fault.of(Schedules.HAND_OVERS, Violation.NOT_SERVED, "effects: a grant does not reach its request")
                        .in("ticket.EffectRunner", "grant")
                        .body("hold.nextHandle();"),
                Fault.of(Schedules.TRY_AT_ONCE, Violation.NOT_SERVED, "effects: a refusal does not reach its request")
                        .in("ticket.EffectRunner", "refuse")
                        .body(""),
                Fault.of(Schedules.EVERYTHING, Violation.NOT_SERVED, "effects: a failure does not reach its request")
                        .in("ticket.EffectRunner", "fail")
                        .body(""),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.LEFT_BEHIND,
                                "effects: a slot that is given up is never written")
                        .in("ticket.EffectRunner", "release")
                        .body(""),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TWO_HOLDERS,
                                "effects: an attempt that nobody needs any longer continues")
                        .in("ticket.EffectRunner", "cancel")
                        .body(""),
                Fault.of(Schedules.HAND_OVERS, Violation.NOT_SERVED, "effects: who releases a lock gets no answer")
                        .in("ticket.EventAnswers", "give")
                        .body(""));
    }

    private static Stream<Fault> misplaced() {
        return Stream.of(
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TWO_HOLDERS,
                                "effects: a slot that is taken is released after the write that takes it")
                        .in("ticket.Vacant", "taken")
                        .around("""
                              SlotState next = right(request, by);
                              by.release(new Releasing(row));
                              return next;"""),
                Fault.of(
                                Schedules.MODES,
                                Violation.NOT_SERVED,
                                "effects: the other attempts receive a change before the slot has its next state")
                        .in("ticket.LocalState", "changed")
                        .body("event.run();"),
                Fault.of(Schedules.HAND_OVERS, Violation.NOT_SERVED, "effects: a slot that nobody takes stays vacant")
                        .in("ticket.LocalState", "settleOne")
                        .body("return false;"));
    }
}
