package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/** Faults of calls for several locks (protocol, section 12). */
final class GroupMutants {

    private GroupMutants() {}

    static Stream<Fault> all() {
        return Stream.concat(ofCalls(), ofReports());
    }

    private static Fault fault(Violation expected, String name) {
        return Fault.of(Schedules.GROUPS, expected, "groups: " + name);
    }

    private static Stream<Fault> ofCalls() {
        return Stream.of(
                fault(Violation.NOT_SERVED, "later locks are kept while the call waits for an earlier one")
                        .in("locker.call.CallsInOrder", "endEarly")
                        .body(""),
                fault(Violation.LEFT_BEHIND, "an early call ends, and its lock is not released")
                        .in("locker.call.CallsInOrder", "endEarly")
                        .body(
                                "removeEarly(waiting).forEach(call -> call.end(new IllegalStateException(\"planted\")));"),
                fault(Violation.LEFT_BEHIND, "early calls go on when the call ends")
                        .in("locker.call.CallsInOrder", "cancel")
                        .body("first().ifPresent(AcquireCall::cancel);"));
    }

    /** The algorithm does not report that a request may have to wait. */
    private static Stream<Fault> ofReports() {
        return Stream.of(
                fault(Violation.NOT_SERVED, "a wait for a lower ticket is not reported")
                        .in("ticket.lock.LocalSlot", "reportWaits")
                        .body(""),
                fault(Violation.NOT_SERVED, "a wait for a thread of the same process is not reported")
                        .in("ticket.lock.LocalState", "addWaiting")
                        .replacing("request.reportWait();", ""),
                fault(Violation.NOT_SERVED, "a wait together with another request is not reported")
                        .in("ticket.lock.Placement", "join")
                        .body("shared.decide((state, access) -> state.joined(request, access));"),
                fault(Violation.NOT_SERVED, "a wait with a promised ticket is not reported")
                        .in("ticket.lock.EffectRunner", "startWithReticket")
                        .replacing("request.reportWait();", ""));
    }
}
