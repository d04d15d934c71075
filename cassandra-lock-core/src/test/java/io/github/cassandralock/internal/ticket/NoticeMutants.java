package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.util.stream.Stream;

/**
 * Faults planted into the rules of notices (notices, sections 1 to 5). Rules whose faults cost time only have none: WAITING to a
 * changed last blocker, TICKET, the number in HELD (a try may always be refused), and which facts an OVER carries; what they save is
 * measured by {@link TicketCostSimulationTest} and {@link NoticedLockSimulationTest}. Nor has the deadline of an attempt that comes
 * back: a later one shows only if a slot expires while its write is under way, for which slots live too long here. Without the gap above the known tickets, a session that comes back goes before
 * others more often, each time once: the checker allows that.
 */
final class NoticeMutants {

    private NoticeMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(facts(), waiting(), returning(), keeping()).flatMap(mutants -> mutants);
    }

    private static Stream<Mutant> facts() {
        return Stream.of(
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: a session without an attempt is over for good",
                        "ticket.IncomingNotices",
                        "return Fact.over(new SlotId(own.id(), slot), own.nextTimestamp());",
                        "return Fact.over(new SlotId(own.id(), slot), Long.MAX_VALUE);"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: the attempt that a row shows is over",
                        "ticket.LockFacts",
                        "case CHOOSING, TICKETED -> Fact.over(slot.id(), slot.attempt());",
                        "case CHOOSING, TICKETED -> Fact.over(slot.id(), slot.attempt() + 1);"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: a slot that is missing is over",
                        "ticket.LockFacts",
                        "read.slots().forEach(slot -> {",
                        "java.util.Set<SlotId> there = new java.util.HashSet<>();"
                                + " read.slots().forEach(slot -> there.add(slot.id()));"
                                + " (bySlot == null ? List.<Fact>of() : List.copyOf(bySlot.values())).stream().filter(fact -> !there.contains(fact.slot()))"
                                + ".forEach(fact -> learn(Fact.over(fact.slot(), fact.attempt() + 1)));"
                                + " read.slots().forEach(slot -> {"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: an idle row ends the newest attempt that is known",
                        "ticket.LockFacts",
                        "learn(of(slot));",
                        "Fact known = about(slot.id());"
                                + " learn(slot.phase() == io.github.cassandralock.internal.store.SlotPhase.IDLE && known != null"
                                + " ? Fact.over(slot.id(), Math.max(known.attempt(), slot.attempt()) + 1) : of(slot));"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: a promised ticket is ignored",
                        "ticket.Blockers",
                        "fact.ticket().isEmpty() ? null",
                        "fact != null ? null"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: a fact ends later attempts, too",
                        "ticket.Blockers",
                        "entry.attempt() < fact.attempt()",
                        "fact.ticket().isEmpty()"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: a row that has come back ends all attempts of its session",
                        "ticket.LockFacts",
                        "case RETICKETED -> Fact.promised(slot.id(), slot.attempt(), slot.ticket());",
                        "case RETICKETED -> Fact.over(slot.id(), slot.attempt());"));
    }

    private static Stream<Mutant> waiting() {
        return Stream.of(
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: facts stand for the first read after the ticket was written",
                        "ticket.SlotAttempt",
                        "write(ticketed, () -> { certainOfItsTicket(); ticketDrawn(conflicting); });",
                        "write(ticketed, () -> { certainOfItsTicket(); Blockers early = new Blockers("
                                + "conflicting, own().row()); early.learn(facts());"
                                + " if (early.isEmpty()) { acquired(); } else { ticketDrawn(conflicting); } });"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: an old read ends an attempt that is known to be later",
                        "ticket.Blockers",
                        "now.attempt() < entry.attempt()) { return entry; }",
                        "now.attempt() < entry.attempt()) { return null; }"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: a session that came back in a later attempt does not block",
                        "ticket.Blockers",
                        "return now.phase() == SlotPhase.RETICKETED ? now : null;",
                        "return null;"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: the number of one fact is used with the ticket of another",
                        "ticket.LockFacts",
                        "(known, heard) -> heard.covers(known) ? heard : known",
                        "(known, heard) -> new Fact(known.slot(), Math.max(known.attempt(), heard.attempt()),"
                                + " heard.ticket())"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: the attempt is told to be over while a thread holds the lock",
                        "ticket.IncomingNotices",
                        "notices.remember(from, ticket);",
                        "notices.tellOver(isOver(slot), from.session()); notices.remember(from, ticket);"),
                Mutant.of(
                        Schedules.NOTICES,
                        Violation.GIVEN_UNHELD,
                        "notices: a lock is won by a notice without a look at the lease",
                        "ticket.SlotAttempt",
                        "noteUnblocked(told); if (foothold.isClear()) { acquired();",
                        "noteUnblocked(told); if (foothold.isClear()) { end(new AttemptOutcome.Acquired(own(), true, Duration.ZERO));"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: R1 takes a row that has come back for an idle one",
                        "ticket.SlotAttempt",
                        "conflicting.stream().allMatch(slot -> facts().isOver(slot))",
                        "conflicting.stream().allMatch(slot -> facts().isOver(slot)"
                                + " || slot.phase() == io.github.cassandralock.internal.store.SlotPhase.RETICKETED)"));
    }

    private static Stream<Mutant> returning() {
        return Stream.of(
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: another attempt is promised than is written",
                        "ticket.LocalSlot",
                        "tell(LockFacts.of(promised.row()));",
                        "tell(LockFacts.of(slot.returning(promised.row().ticket()).row()));"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: a session comes back with an attempt that was told to be over",
                        "ticket.LocalSlot",
                        "new SlotState.Over(over, false)",
                        "new SlotState.Over(over, true)"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: a session that comes back does not read first",
                        "ticket.SlotAttempt",
                        "write(returning.reticketed(), () -> { certainOfItsTicket(); lookAtBlockers(); });",
                        "write(returning.reticketed(), () -> { certainOfItsTicket(); LockSlots none = new LockSlots(List.of(returning.row()),"
                                + " java.util.OptionalLong.empty()); blockers = new Blockers(List.of(), returning.row());"
                                + " readShows(none, blockers); });"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.OVERTAKEN,
                        "notices: the ticket of a session that comes back is below those that are known",
                        "ticket.LockFacts",
                        "return 1 + GAP + highestTicket;",
                        "return 1;"),
                Mutant.of(
                                Schedules.LATE_RELEASES,
                                Violation.NOT_SERVED,
                                "notices: a promised attempt is released under the number of the one before",
                                "ticket.LocalSlot",
                                "waitForReturn(promise(hold.slot()), hold.returnWindow());",
                                "waitForReturn(promise(hold.slot()), hold.returnWindow(), hold.slot());")
                        .and(
                                "private void waitForReturn(OwnSlot promised, Duration window) {",
                                "private void waitForReturn(OwnSlot promised, Duration window, OwnSlot before) {")
                        .and("after(window, returning, promised);", "after(window, returning, before);"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: a session comes back although its slot is being released",
                        "ticket.LocalSlot",
                        "acquire(waiter, Optional.of(releasing.release().slot()));",
                        "comeBackAs(waiter, releasing.release().slot().returning(partition().facts().ticketAboveAll()));"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: another ticket is written than was promised",
                        "ticket.LocalSlot",
                        "tell(LockFacts.of(promised.row()));",
                        "tell(LockFacts.of(promised.row())); promised = slot.returning(1);"));
    }

    private static Stream<Mutant> keeping() {
        return Stream.of(
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.TWO_HOLDERS,
                        "notices: a lock that was kept is granted after others were told that it is over",
                        "ticket.IncomingNotices",
                        "notices.remember(from, ticket); local.waitedFor(); local.giveUpKept();",
                        "notices.remember(from, ticket); local.waitedFor();"
                                + " if (local.state() instanceof SlotState.Kept) { notices.over(isOver(slot)); }"),
                Mutant.of(
                        Schedules.KEPT_LOCKS,
                        Violation.GIVEN_UNHELD,
                        "notices: a kept lock is granted without a look at the lease",
                        "ticket.SlotHold",
                        "longestKept()) < 0 && slot.isValid();",
                        "longestKept()) < 0;"),
                Mutant.of(
                        Schedules.NOTICE_RACES,
                        Violation.LEFT_BEHIND,
                        "notices: a lock is kept without an end",
                        "ticket.LocalSlot",
                        "after(hold.keptFor(), kept, hold.slot());",
                        ""));
    }
}
