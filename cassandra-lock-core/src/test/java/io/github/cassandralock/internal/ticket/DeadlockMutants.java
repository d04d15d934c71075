package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/** Faults of the search for deadlocks (lock modes, section 7). */
final class DeadlockMutants {

    private DeadlockMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(readings(), circles(), ends()).flatMap(mutants -> mutants);
    }

    private static Stream<Mutant> readings() {
        return Stream.of(
                Mutant.of(
                        Schedules.DEADLOCKS,
                        Violation.NO_DEADLOCK,
                        "deadlocks: one reading is believed",
                        "deadlock.DeadlockCheck",
                        "? secondReading(found.get())",
                        "? decide(found.get()).<Void>thenApply(done -> null)"),
                Mutant.of(
                        Schedules.DEADLOCKS,
                        Violation.NO_DEADLOCK,
                        "deadlocks: the third reading does not look whether calls were written again",
                        "deadlock.DeadlockCheck",
                        "return third.risenSince(second) < RISE",
                        "return third.risenSince(second) < 0"));
    }

    private static Stream<Mutant> circles() {
        return Stream.of(
                Mutant.of(
                        Schedules.DEADLOCKS,
                        Violation.TWO_VICTIMS,
                        "deadlocks: every call of a circle acts",
                        "deadlock.CircleSearch",
                        "other.id().compareTo(own) < 0 &&",
                        ""),
                Mutant.of(
                        Schedules.DEADLOCKS,
                        Violation.NOT_SERVED,
                        "deadlocks: calls that are not published are not looked through",
                        "deadlock.WaitsFor",
                        ".filter(WaitsFor::mayWait)",
                        ".filter(slot -> false)"),
                Mutant.of(
                        Schedules.DEADLOCKS,
                        Violation.NOT_SERVED,
                        "deadlocks: conversions of handles without an owner are not checked",
                        "ticket.LocalSlot",
                        ".filter(deadlocks -> grant.owned().isEmpty())",
                        ".filter(deadlocks -> false)"));
    }

    private static Stream<Mutant> ends() {
        return Stream.of(Mutant.of(
                        Schedules.DEADLOCKS,
                        Violation.NO_DEADLOCK,
                        "deadlocks: a lock that is released still counts as its owner's",
                        "ticket.TicketGrant",
                        "finished(); home.released(this);",
                        "home.released(this);")
                .and("ticket.OwnedLocks", "filter(TicketGrant::isValid)", "filter(grant -> true)"));
    }
}
