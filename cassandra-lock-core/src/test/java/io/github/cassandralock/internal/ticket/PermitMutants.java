package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/** Faults of locks with permits (lock modes, section 8), for {@link TicketLockMutantsTest}. */
final class PermitMutants {

    private PermitMutants() {}

    static Stream<Fault> all() {
        return Stream.of(counting(), comingBack(), insideTheProcess(), unused()).flatMap(faults -> faults);
    }

    private static Stream<Fault> counting() {
        return Stream.of(
                Fault.of(
                                Schedules.PERMITS,
                                Violation.TWO_HOLDERS,
                                "permits: slots that have yet to choose are not counted")
                        .in("ticket.rows.Bakery", "isAhead")
                        .around("return other.phase() != SlotPhase.CHOOSING && right(other, own);"),
                Fault.of(Schedules.PERMITS, Violation.TWO_HOLDERS, "permits: one more holds the lock")
                        .in("ticket.rows.Blockers", "isOwnTurn")
                        .body("return permits() == 1 ? bySlot.isEmpty() : bySlot.size() <= permits();"),
                Fault.of(Schedules.PERMITS, Violation.TWO_HOLDERS, "permits: R1 grants one more")
                        .in("ticket.rows.Bakery", "hasRoomBeside")
                        .body(
                                "return conflicting.size() <= (permits == 1 ? 0 : permits(permits, conflicting.stream()));"),
                Fault.of(
                                Schedules.PERMITS,
                                Violation.TWO_HOLDERS,
                                "permits: a request counts by its own number, whatever others have")
                        .in("ticket.rows.Bakery", "permits")
                        .body("return own;"),
                Fault.of(
                                Schedules.PERMITS_OF_A_NEW_VERSION,
                                Violation.TWO_HOLDERS,
                                "permits: a slot of a version without permits leaves room as others do")
                        .in("ticket.rows.Bakery", "permits")
                        .body("return own;"),
                Fault.of(
                                Schedules.PERMITS,
                                Violation.TWO_HOLDERS,
                                "permits: a request of one permit holds the lock beside others")
                        .in("ticket.rows.Bakery", "permits")
                        .body("return conflicting.mapToInt(Slot::permits).reduce(own, Math::max);"));
    }

    private static Stream<Fault> comingBack() {
        return Stream.of(
                Fault.of(
                                Schedules.PERMITS_COME_BACK,
                                Violation.TWO_HOLDERS,
                                "permits: a read that is late ends an attempt that is known to be later")
                        .in("ticket.rows.Blockers", "after")
                        .around("return now != null && now.attempt() < entry.attempt() ? null : right(entry, now);"),
                Fault.of(
                                Schedules.PERMITS_COME_BACK,
                                Violation.TWO_HOLDERS,
                                "permits: a session that came back in a later attempt is not counted")
                        .in("ticket.rows.Blockers", "laterAttempt")
                        .body("return null;"),
                Fault.of(
                                Schedules.PERMITS_COME_BACK,
                                Violation.TWO_HOLDERS,
                                "permits: R1 does not count an attempt that is over and promised another one")
                        .in("ticket.attempt.Claim", "isOverForR1")
                        .body("return partition.facts().isOver(slot);"),
                Fault.of(
                                Schedules.PERMITS,
                                Violation.TWO_HOLDERS,
                                "permits: a slot that comes back is written with another number")
                        .in("ticket.table.OwnRow", "promised")
                        .replacing(
                                "row.permits()",
                                "row.permits() == 1 ? 1 : io.github.cassandralock.LockRequest.MAX_PERMITS"));
    }

    private static Stream<Fault> insideTheProcess() {
        return Stream.of(
                Fault.of(Schedules.PERMITS, Violation.TWO_HOLDERS, "permits: a slot serves requests of another number")
                        .in("ticket.handle.TicketRequest", "isFor")
                        .body("return mode() == slotMode;"),
                Fault.of(
                                Schedules.PERMITS,
                                Violation.OVERTAKEN_INSIDE,
                                "permits: a slot is handed over past requests that wait with slots")
                        .in("ticket.lock.LocalState", "next")
                        .body("return waiting.first(mode, permits);"));
    }

    private static Stream<Fault> unused() {
        return Stream.of(
                Fault.of(
                                Schedules.DEAD_HOLDER_OF_A_PERMIT,
                                Violation.PERMIT_UNUSED,
                                "permits: a holder does not watch those that hold other permits")
                        .in("ticket.attempt.SlotAttempt", "acquired")
                        .replacing("!ahead.isEmpty()", "false"),
                Fault.of(
                                Schedules.DEAD_HOLDER_BESIDE_WAITERS,
                                Violation.PERMIT_UNUSED,
                                "permits: sessions that have died are not evicted, however long others wait")
                        .in("ticket.attempt.BackgroundEviction", "dead")
                        .body("")
                        .in("ticket.attempt.WaitingAttempt", "isStuck")
                        .body("return false;"),
                Fault.of(
                                Schedules.PERMITS_IN_TURN,
                                Violation.PERMIT_UNUSED,
                                "permits: a waiter asks the last slot alone for its end")
                        .in("ticket.rows.Bakery", "last")
                        .body("return inOrder.subList(Math.max(0, inOrder.size() - 1), inOrder.size());"),
                Fault.of(
                                Schedules.TRY_PERMITS_AT_ONCE,
                                Violation.PERMIT_UNUSED,
                                "permits: a request that tries does not wait for those that have yet to choose")
                        .in("ticket.attempt.TryAttempt", "isWithinWindow")
                        .body("return false;"));
    }
}
