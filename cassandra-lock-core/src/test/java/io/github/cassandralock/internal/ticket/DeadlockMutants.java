package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/** Faults of the search for deadlocks (lock modes, section 7). */
final class DeadlockMutants {

    private DeadlockMutants() {}

    static Stream<Fault> all() {
        return Stream.of(readings(), cycles(), publications(), bounds(), permits())
                .flatMap(faults -> faults);
    }

    private static Fault fault(Violation expected, String name) {
        return Fault.of(Schedules.DEADLOCKS, expected, "deadlocks: " + name);
    }

    private static Stream<Fault> readings() {
        return Stream.of(
                fault(Violation.NO_DEADLOCK, "one reading is believed")
                        .in("deadlock.DeadlockRounds", "noted")
                        .replacing("found.forEach(suspects::found);", "found.forEach(this::end);"),
                fault(Violation.NO_DEADLOCK, "the third reading does not look whether rows were written again")
                        .in("deadlock.Suspects", "hasRisen")
                        .replacing("RISE", "0"),
                fault(Violation.NO_DEADLOCK, "a request of a dead process is passed through")
                        .in("deadlock.DeadlockCycle", "passedThrough")
                        .body("return java.util.Set.of();"));
    }

    private static Stream<Fault> cycles() {
        return Stream.of(
                fault(Violation.TWO_VICTIMS, "every call of a cycle acts")
                        .in("deadlock.CycleSearch", "from")
                        .replacing("other.id().compareTo(own.id()) < 0", "true"),
                fault(Violation.NOT_SERVED, "slots that are ahead are not looked through")
                        .in("deadlock.WaitsFor", "ahead")
                        .body("return List.of();"),
                fault(Violation.NOT_SERVED, "calls inside a process wait for what conflicts with their own mode alone")
                        .in("ticket.lock.WaitingList", "forEachBehind")
                        .body("stream().forEach(waiter -> action.accept(waiter, Need.of(waiter)));"),
                fault(Violation.NOT_SERVED, "conversions of handles without an owner are not checked")
                        .in("ticket.lock.Conversions", "requireOwner")
                        .replacing("handle.owned().isEmpty()", "false"));
    }

    private static Stream<Fault> publications() {
        return Stream.of(
                fault(Violation.NO_DEADLOCK, "a lock that is released still counts as its owner's")
                        .in("ticket.handle.TicketHandle", "release")
                        .replacing("removeOwner();", "")
                        .in("ticket.handle.OwnedLocks.Entry", "held")
                        .replacing("TicketHandle::isValid", "other -> true"),
                fault(Violation.NO_DEADLOCK, "what calls once said is published again")
                        .in("deadlock.OwnWaits", "asked")
                        .replacing(
                                "new Known(standing, changed(known.get(number), standing))",
                                "known.getOrDefault(number, new Known(standing, rounds))"),
                fault(Violation.NO_DEADLOCK, "calls that have ended stay published")
                        .in("deadlock.OwnWaits", "asked")
                        .replacing("new LinkedHashMap<>()", "new LinkedHashMap<>(known)"),
                fault(Violation.NOT_SERVED, "a process publishes one of its calls")
                        .in("deadlock.Publication", "of")
                        .replacing("bytes <= left", "published.isEmpty()"));
    }

    private static Fault faultOfPermits(Violation expected, String name) {
        return Fault.of(Schedules.DEADLOCKS_OF_PERMITS, expected, "deadlocks of permits: " + name);
    }

    private static Stream<Fault> permits() {
        return Stream.of(
                faultOfPermits(Violation.NO_DEADLOCK, "one holder that waits suffices")
                        .in("deadlock.Obstacles", "areInUse")
                        .body("return some.stream().anyMatch(other -> WaitsFor.holdsOf(other, one).count() > 0);"),
                Fault.of(
                                Schedules.DEADLOCKS_OF_TWO_VERSIONS,
                                Violation.NO_DEADLOCK,
                                "deadlocks of permits: holders whose calls cannot be read count as stuck")
                        .in("deadlock.Obstacles", "areInUse")
                        .body("return some.stream().anyMatch(other -> WaitsFor.holdsOf(other, one).count() > 0);"),
                faultOfPermits(Violation.NO_DEADLOCK, "those beside the cycle are read once")
                        .in("deadlock.DeadlockCycle", "members")
                        .replacing("all()", "waits")
                        .in("deadlock.DeadlockCycle", "unchangedIn")
                        .body("""
                                   var now = new ArrayList<PublishedWait>();
                                   for (var wait : waits) {
                                       later.wait(wait.id()).filter(same -> same.isUnchangedSince(wait)).ifPresent(now::add);
                                   }
                                   return now.size() == waits.size()
                                           ? Optional.of(new DeadlockCycle(now, beside))
                                           : Optional.empty();""")
                        .in("deadlock.DeadlockCycle", "isIn")
                        .replacing(
                                "together().allMatch(wait -> Obstacles.of(wait, picture).suffice(this::includes))",
                                "true"),
                faultOfPermits(Violation.NOT_SERVED, "requests for permits are not checked")
                        .in("ticket.lock.LockActor", "checkForDeadlocks")
                        .replacing("!request.tries()", "!request.tries() && request.permits() == 1"),
                faultOfPermits(Violation.NOT_SERVED, "several holders together are not looked for")
                        .in("deadlock.CycleSearch", "from")
                        .replacing("wait.call().permits() > 1", "false"),
                faultOfPermits(Violation.NOT_SERVED, "a request that is ahead with fewer permits is passed over")
                        .in("deadlock.WaitsFor", "fewerPermitsAhead")
                        .body("return Optional.empty();"),
                faultOfPermits(Violation.NOT_SERVED, "calls inside a process wait for permits of their own number")
                        .in("ticket.lock.WaitingList.Need", "and")
                        .replacing("Math.min(permits, ahead.permits)", "permits"),
                faultOfPermits(Violation.TWO_VICTIMS, "every call of a deadlock acts")
                        .in("deadlock.CycleSearch", "reachable")
                        .replacing("wait.id().compareTo(own.id()) <= 0", "true"));
    }

    private static Stream<Fault> bounds() {
        return Stream.of(
                fault(Violation.NOT_SERVED, "the bound leaves no place for the calls that wait")
                        .in("deadlock.DeadlockBounds", "USUAL")
                        .body("new DeadlockBounds(100, 32, 512)"),
                fault(Violation.NOT_SERVED, "the bound leaves nothing to read behind the first lock")
                        .in("deadlock.DeadlockBounds", "USUAL")
                        .body("new DeadlockBounds(256 << 10, 32, 2)"));
    }
}
