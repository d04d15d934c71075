package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.seeded.Fault;
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

    static Stream<Fault> all() {
        return Stream.of(facts(), waiting(), returning(), keeping()).flatMap(faults -> faults);
    }

    private static Stream<Fault> facts() {
        return Stream.of(
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: a session without an attempt is over for good")
                        .in("ticket.lock.IncomingNotices", "noPresentAttempt")
                        .body("return Fact.over(new SlotId(own.id(), slot), Long.MAX_VALUE);"),
                Fault.of(Schedules.NOTICE_RACES, Violation.TWO_HOLDERS, "notices: the attempt that a row shows is over")
                        .in("ticket.rows.LockFacts", "of")
                        .replacing("Fact.over(slot.id(), slot.attempt())", "Fact.over(slot.id(), slot.attempt() + 1)"),
                Fault.of(Schedules.NOTICE_RACES, Violation.TWO_HOLDERS, "notices: a slot that is missing is over")
                        .in("ticket.rows.LockFacts", "addRows")
                        .around("""
                              List<Fact> known = bySlot == null ? List.of() : List.copyOf(bySlot.values());
                              known.stream()
                                      .filter(fact -> read.slots().stream().noneMatch(slot -> slot.id().equals(fact.slot())))
                                      .forEach(fact -> add(Fact.over(fact.slot(), fact.attempt() + 1)));
                              right(read);"""),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: an idle row ends the newest attempt that is known")
                        .in("ticket.rows.LockFacts", "addRows")
                        .replacing("add(of(slot));", """
                              Fact known = about(slot.id());
                              add(slot.phase() == SlotPhase.IDLE && known != null
                                      ? Fact.over(slot.id(), Math.max(known.attempt(), slot.attempt()) + 1)
                                      : of(slot));"""),
                Fault.of(Schedules.NOTICE_RACES, Violation.TWO_HOLDERS, "notices: a promised ticket is ignored")
                        .in("ticket.rows.Blockers", "promised")
                        .body("return null;"),
                Fault.of(Schedules.NOTICE_RACES, Violation.TWO_HOLDERS, "notices: a fact ends later attempts, too")
                        .in("ticket.rows.Blockers", "apply")
                        .replacing("entry.attempt() < fact.attempt()", "fact.ticket().isEmpty()"),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: a row that has come back ends all attempts of its session")
                        .in("ticket.rows.LockFacts", "of")
                        .replacing(
                                "Fact.promised(slot.id(), slot.attempt(), slot.ticket())",
                                "Fact.over(slot.id(), slot.attempt())"));
    }

    private static Stream<Fault> waiting() {
        return Stream.of(
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: facts stand for the first read after the ticket was written")
                        .in("ticket.attempt.SlotAttempt", "drawTicket")
                        .replacing("ticketAcknowledged(conflicting);", """
                              Blockers early = new Blockers(conflicting, own().slot());
                              early.apply(facts());
                              if (early.isOwnTurn()) {
                                  end(acquired(early.inOrder()));
                              } else {
                                  ticketAcknowledged(conflicting);
                              }"""),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: an old read ends an attempt that is known to be later")
                        .in("ticket.rows.Blockers", "after")
                        .around("return now != null && now.attempt() < entry.attempt() ? null : right(entry, now);"),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: a session that came back in a later attempt does not block")
                        .in("ticket.rows.Blockers", "laterAttempt")
                        .body("return null;"),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: the number of one fact is used with the ticket of another")
                        .in("ticket.rows.LockFacts", "add")
                        .replacing(
                                "added.covers(recorded) ? added : recorded",
                                "new Fact(recorded.slot(), Math.max(recorded.attempt(), added.attempt()), added.ticket())"),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: the attempt is told to be over while a thread holds the lock")
                        .in("ticket.lock.IncomingNotices", "noteWaitingOrAnswerTicket")
                        .replacing(
                                "notices.noteWaiting(from, ticket);",
                                "notices.answerOver(LockFacts.attemptOver(live.slot()), from.session()); notices.noteWaiting(from, ticket);"),
                Fault.of(
                                Schedules.NOTICES,
                                Violation.GIVEN_UNHELD,
                                "notices: a lock is won by a notice without a look at the lease")
                        .in("ticket.attempt.SlotAttempt", "blockersChanged")
                        .replacing("acquired(blockers.inOrder())", "new Outcome.Acquired(own(), true, Duration.ZERO)"),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: R1 takes a row that has come back for an idle one")
                        .in("ticket.attempt.Claim", "isOverForR1")
                        .replacing(
                                "partition.facts().isOver(slot)",
                                "(partition.facts().isOver(slot) || slot.phase() == io.github.cassandralock.internal.store.SlotPhase.RETICKETED)"));
    }

    private static Stream<Fault> returning() {
        return Stream.of(
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: another attempt is promised than is written")
                        .in("ticket.lock.EffectRunner", "promise")
                        .body("""
                              OwnRow promised = over.promised(lock.facts().nextPromisedTicket());
                              lock.facts().ticketSeen(promised.slot().ticket());
                              sendOver(LockFacts.of(over.promised(promised.slot().ticket()).slot()));
                              return promised;"""),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: a session comes back with an attempt that was told to be over")
                        .in("ticket.slot.Vacant", "mayReticket")
                        .body(
                                "return access.context().exchangesNotices() && row.isValid() && Acquiring.mayReticket(request, row);"),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: a session that comes back does not read first")
                        .in("ticket.attempt.SlotAttempt", "startWithReticket")
                        .replacing("lookAtBlockers();", """
                              LockSlots none = new LockSlots(List.of(promised.slot()), java.util.OptionalLong.empty());
                              blockers = new Blockers(List.of(), promised.slot());
                              decideByRead(none, blockers);"""),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.OVERTAKEN,
                                "notices: the ticket of a session that comes back is below those that are known")
                        .in("ticket.rows.LockFacts", "nextPromisedTicket")
                        .body("return 1;"),
                Fault.of(
                                Schedules.LATE_RELEASES,
                                Violation.NOT_SERVED,
                                "notices: a promised attempt is released under the number of the one before")
                        .in("ticket.lock.EffectRunner", "promise")
                        .around("slot.before = over; return right(over);")
                        .in("ticket.lock.LocalSlot", "timeUp")
                        .body("if (state == since) { decide((promised, access) -> released(access)); }")
                        .with("""
                              OwnRow before;

                              private SlotState released(LockAccess access) {
                                  SlotState.Releasing over = new SlotState.Releasing(before);
                                  access.sendOver(before);
                                  access.release(over);
                                  return over;
                              }"""),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: a session comes back although its slot is being released")
                        .in("ticket.slot.SlotState.Releasing", "taken")
                        .body("""
                              return Acquiring.startWithReticket(request, row.promised(1_000_000), access);"""),
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: another ticket is written than was promised")
                        .in("ticket.lock.EffectRunner", "promise")
                        .around("right(over); return over.promised(1);"));
    }

    private static Stream<Fault> keeping() {
        return Stream.of(
                Fault.of(
                                Schedules.NOTICE_RACES,
                                Violation.TWO_HOLDERS,
                                "notices: a lock that was kept is granted after others were told that it is over")
                        .in("ticket.lock.IncomingNotices", "noteWaitingOrAnswerTicket")
                        .replacing(
                                "local.decide(SlotState::requestedElsewhere);",
                                "if (local.state() instanceof SlotState.Kept) { notices.sendOver(LockFacts.attemptOver(live.slot())); }"),
                Fault.of(
                                Schedules.KEPT_LOCKS,
                                Violation.GIVEN_UNHELD,
                                "notices: a kept lock is granted without a look at the lease")
                        .in("ticket.slot.SlotHold", "mayBeKept")
                        .body("""
                              return grants < TicketSettings.TOKENS
                                      && age().compareTo(settings().longestKept()) < 0;"""),
                Fault.of(Schedules.NOTICE_RACES, Violation.LEFT_BEHIND, "notices: a lock is kept without an end")
                        .in("ticket.slot.Vacant", "kept")
                        .body("return new SlotState.Kept(over);"),
                Fault.of(
                                Schedules.KEPT_LOCKS,
                                Violation.TWO_HOLDERS,
                                "notices: the end of the time for which a slot was kept ends its next use")
                        .in("ticket.lock.LocalSlot", "timeUp")
                        .body("decide((used, access) -> since.reservationEnded(access));"));
    }
}
