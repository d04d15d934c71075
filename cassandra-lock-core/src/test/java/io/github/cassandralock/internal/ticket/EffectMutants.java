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
                        .in("ticket.lock.EffectRunner", "start")
                        .body("return attempt(request, replaced);"),
                Fault.of(Schedules.HAND_OVERS, Violation.NOT_SERVED, "effects: a grant does not reach its request")
                        .in("ticket.lock.EffectRunner", "grant")
                        .body("hold.nextHandle();"),
                Fault.of(Schedules.TRY_AT_ONCE, Violation.NOT_SERVED, "effects: a refusal does not reach its request")
                        .in("ticket.lock.EffectRunner", "refuse")
                        .body(""),
                Fault.of(Schedules.EVERYTHING, Violation.NOT_SERVED, "effects: a failure does not reach its request")
                        .in("ticket.lock.EffectRunner", "fail")
                        .body(""),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.LEFT_BEHIND,
                                "effects: a slot that is given up is never written")
                        .in("ticket.lock.EffectRunner", "release")
                        .body(""),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TWO_HOLDERS,
                                "effects: an attempt that nobody needs any longer continues")
                        .in("ticket.lock.EffectRunner", "cancel")
                        .body(""),
                Fault.of(Schedules.CONVERSIONS, Violation.NOT_SERVED, "effects: who converts a lock gets no answer")
                        .in("ticket.lock.EventAnswers", "give")
                        .body(""));
    }

    private static Stream<Fault> misplaced() {
        return Stream.of(
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TWO_HOLDERS,
                                "effects: a slot is released when its next use may have begun")
                        .in("ticket.lock.EffectRunner", "release")
                        .around("""
                              context().timers().after(Duration.ofMillis(50))
                                      .thenRunAsync(() -> right(releasing), partition().mailbox());"""),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.LEFT_BEHIND,
                                "effects: a slot that nobody takes stays vacant")
                        .in("ticket.lock.LocalState", "settleOne")
                        .body("return false;"));
    }
}
