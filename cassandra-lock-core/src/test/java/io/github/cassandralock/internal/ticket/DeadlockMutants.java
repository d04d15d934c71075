package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/** Faults of the search for deadlocks (lock modes, section 7). */
final class DeadlockMutants {

    private DeadlockMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(readings(), circles(), publications(), bounds()).flatMap(mutants -> mutants);
    }

    private static Mutant fault(Violation expected, String name, String type, String original, String planted) {
        return Mutant.of(Schedules.DEADLOCKS, expected, "deadlocks: " + name, type, original, planted);
    }

    private static Stream<Mutant> readings() {
        return Stream.of(
                fault(
                        Violation.NO_DEADLOCK,
                        "one reading is believed",
                        "deadlock.DeadlockRounds",
                        "found.forEach(suspects::found);",
                        "found.forEach(this::end);"),
                fault(
                        Violation.NO_DEADLOCK,
                        "the third reading does not look whether rows were written again",
                        "deadlock.Suspects",
                        ">= RISE",
                        ">= 0"));
    }

    private static Stream<Mutant> circles() {
        return Stream.of(
                fault(
                        Violation.TWO_VICTIMS,
                        "every call of a cycle acts",
                        "deadlock.CycleSearch",
                        "other.id().compareTo(own.id()) < 0 &&",
                        ""),
                fault(
                        Violation.NOT_SERVED,
                        "slots that are ahead are not looked through",
                        "deadlock.WaitsFor",
                        ".filter(WaitsFor::mayWait)",
                        ".filter(slot -> false)"),
                fault(
                        Violation.NOT_SERVED,
                        "calls inside a process wait for what conflicts with their own mode alone",
                        "ticket.WaitingList",
                        "action.accept(waiter, all);",
                        "action.accept(waiter, waiter.mode());"),
                fault(
                        Violation.NOT_SERVED,
                        "conversions of handles without an owner are not checked",
                        "ticket.LocalSlot",
                        ".filter(deadlocks -> grant.owned().isEmpty())",
                        ".filter(deadlocks -> false)"));
    }

    private static Stream<Mutant> publications() {
        return Stream.of(
                fault(
                                Violation.NO_DEADLOCK,
                                "a lock that is released still counts as its owner's",
                                "ticket.TicketGrant",
                                "disown(); home.released(this);",
                                "home.released(this);")
                        .and("ticket.OwnedLocks", "filter(TicketGrant::isValid)", "filter(grant -> true)"),
                fault(
                        Violation.NO_DEADLOCK,
                        "what calls once said is published again",
                        "deadlock.OwnWaits",
                        "new Known(standing, changed(known.get(number), standing))",
                        "known.getOrDefault(number, new Known(standing, rounds))"),
                fault(
                        Violation.NO_DEADLOCK,
                        "calls that have ended stay published",
                        "deadlock.OwnWaits",
                        "Map<Long, Known> now = new LinkedHashMap<>();",
                        "Map<Long, Known> now = new LinkedHashMap<>(known);"),
                fault(
                        Violation.NOT_SERVED,
                        "a process publishes one of its calls",
                        "deadlock.Publication",
                        "boolean fits = bytes <= left;",
                        "boolean fits = published.isEmpty();"));
    }

    private static Stream<Mutant> bounds() {
        return Stream.of(
                fault(
                        Violation.NOT_SERVED,
                        "the bound leaves no place for the calls that wait",
                        "deadlock.DeadlockBounds",
                        "256 << 10",
                        "100"),
                fault(
                        Violation.NOT_SERVED,
                        "the bound leaves nothing to read behind the first lock",
                        "deadlock.DeadlockBounds",
                        "32, 512",
                        "32, 2"));
    }
}
