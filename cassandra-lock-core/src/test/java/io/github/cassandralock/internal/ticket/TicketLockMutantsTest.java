package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.seeded.FaultSearch;
import io.github.cassandralock.internal.seeded.KnownSeeds;
import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation finds faults of the protocol: faults that earlier versions had (docs/decisions/0021), and faults that are easily
 * made, are planted one at a time. Costs a minute; several minutes with {@code -Dsimulation.mutants.known=false}, which searches
 * from the first seed.
 */
class TicketLockMutantsTest {

    private static final Seeds SEEDS = Seeds.of("simulation.mutants", 100_000, System.getProperties());

    private static final FaultSearch SEARCH = new FaultSearch(KnownSeeds.beside(Schedules.class), SEEDS);

    static Stream<Fault> faultsThatTheProtocolOnceHad() {
        return Stream.of(
                Fault.of(Schedules.SUDDEN_DEATHS, Violation.TOKEN_ORDER, "4: a token is shown before it is reserved")
                        .in("ticket.handle.TokenReservation", "reserveAbove")
                        .around("acknowledged.complete(base); right(base, steps, acknowledged);"),
                Fault.of(Schedules.LOST_SLOTS, Violation.TWO_HOLDERS, "5: a slot that may have expired still counts")
                        .in("ticket.table.OwnRow", "isExpired")
                        .body("return false;")
                        .in("ticket.table.OwnRow", "isValid")
                        .body("return certain != null && session.isValid();"),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TOKEN_ORDER,
                                "6: the tokens of every hold begin at the floor of the wall clock")
                        .in("ticket.handle.TokenReservation", "base(LockSlots)")
                        .body("return LockSlots.tokenFloor(partition.context().wallClock().readMicros());"),
                Fault.of(
                                Schedules.TRY_AT_ONCE,
                                Violation.NOT_SERVED,
                                "7: an attempt that only tries reads five times at most")
                        .in("ticket.attempt.TryAttempt", "isWithinWindow")
                        .body("return ++looks < 5;")
                        .with("private int looks;"),
                Fault.of(
                                Schedules.LOST_RENEWALS,
                                Violation.LOST_IN_VAIN,
                                "8: an own renewal that was applied without an answer counts as another process's")
                        .in("session.OwnSession", "settle")
                        .replacing(
                                "confirmed(underWay);",
                                "lose(new LockLoss(Reason.RESTORED, \"another process renewed it\"));"),
                Fault.of(
                                Schedules.WRITES_SENT_AGAIN,
                                Violation.TWO_HOLDERS,
                                "9: a write that is sent again counts from then, although a later one hides it")
                        .in("ticket.table.LockPartition", "write")
                        .around(
                                "long sentAt = context.ticker().nanos(); return right(write).thenApply(drawnAt -> sentAt);"),
                Fault.of(
                                Schedules.MANY_TOKENS,
                                Violation.TOKEN_ORDER,
                                "10: tokens are counted from the last token that the winning read showed")
                        .in("ticket.handle.TokenReservation", "reserve")
                        .replacing("partition::read", "() -> CompletableFuture.completedFuture(partition.lastRead)")
                        .in("ticket.table.LockPartition", "read")
                        .around("return right().thenApply(read -> lastRead = read);")
                        .with(
                                "public volatile LockSlots lastRead = new LockSlots(List.of(), java.util.OptionalLong.empty());"));
    }

    /** Faults of the section about locks that are force-released (protocol, section 11). */
    private static Stream<Fault> faultsOfForceRelease() {
        return Stream.of(
                Fault.of(
                                Schedules.FORCE_RELEASES,
                                Violation.TWO_HOLDERS,
                                "force-release: the slot is given up, and the holder is not told")
                        .in("ticket.slot.Held", "forceReleased")
                        .body("""
                              return hold.row().belongsTo(session) && hold.row().slot().attempt() == attempt
                                      ? vacated(hold, access)
                                      : this;"""),
                Fault.of(
                                Schedules.FORCE_RELEASES,
                                Violation.NOT_SERVED,
                                "force-release: the holder is told, and the slot stays")
                        .in("ticket.lock.HandleEnds", "lost")
                        .replacing("handles.forEach(this::end);", ""),
                Fault.of(
                                Schedules.FORCE_RELEASES,
                                Violation.LOST_IN_VAIN,
                                "force-release: a request that comes late breaks a later attempt")
                        .in("ticket.slot.Held", "forceReleased")
                        .around("return right(session, Math.max(attempt, hold.row().slot().attempt()), loss, access);"),
                Fault.of(
                                Schedules.FORCE_RELEASES,
                                Violation.LOST_IN_VAIN,
                                "force-release: a request breaks a hold of another session")
                        .in("ticket.TicketAlgorithm", "forceRelease")
                        .replacing("context.sessions().own(session)", "context.sessions().present()"));
    }

    private static Stream<Fault> faultsThatAreEasilyMade() {
        return Stream.of(faultsOfAttempts(), faultsOfSessions(), faultsInsideTheProcess(), faultsOfMinimumTimes())
                .flatMap(faults -> faults);
    }

    static Stream<Fault> faultsOfAttempts() {
        return Stream.of(
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TWO_HOLDERS,
                                "rows that have yet to choose are ignored")
                        .in("ticket.rows.Bakery", "isAhead")
                        .around("return other.phase() != SlotPhase.CHOOSING && right(other, own);"),
                Fault.of(Schedules.CRASHES_AND_PARTITIONS, Violation.TWO_HOLDERS, "R1 begins before W1 is acknowledged")
                        .in("ticket.attempt.SlotAttempt", "announce(OwnSession)")
                        .replacing(
                                "steps.write(own.firstWrite(), this::lookForOthers);",
                                "partition.write(own.firstWrite()); own.acknowledged(context().ticker().nanos()); lookForOthers();"),
                Fault.of(Schedules.CRASHES_AND_PARTITIONS, Violation.TWO_HOLDERS, "slots are read at ONE")
                        .in("simulation.SimulatedSlots", "read(String, Function<Partition, T>)")
                        .replacing("SimulatedQuorum.QUORUM", "1"),
                Fault.of(Schedules.MANY_TOKENS, Violation.TOKEN_ORDER, "the last token is a plain write")
                        .in("simulation.SimulatedSlots", "reserve")
                        .body(
                                "return apply(lockId, partition -> partition.raise("
                                        + "new SimulatedCell(time.now(), false, time.now() + LAST_TOKEN_LIFE.toNanos(), lastToken)));"),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.GIVEN_UNHELD,
                                "the lease is not looked at after the winning read")
                        .in("ticket.attempt.SlotAttempt", "acquired")
                        .replacing("own().isValid()", "true"),
                Fault.of(Schedules.LOST_SLOTS, Violation.LOST_IN_VAIN, "a refresh draws its counter after the release")
                        .in("ticket.table.RowWriter", "refresh")
                        .body("""
                                   var written = row.slot();
                                   var context = partition.context();
                                   context.timers().after(java.time.Duration.ofMillis(50)).thenRun(() -> context.store().write(
                                           partition.lockId(), written, row.session().nextTimestamp(), context.settings().slotLife()));"""),
                Fault.of(Schedules.MANY_TOKENS, Violation.TWO_HOLDERS, "a slot that R1 did not show is not a blocker")
                        .in("ticket.attempt.WaitingAttempt", "ticketAcknowledged")
                        .replacing("this::lookAtBlockers", "this::lookAtBlockersAgain")
                        .in("ticket.attempt.SlotAttempt", "drawTicket")
                        .replacing(
                                "OwnRow.Write write = recordTicket(ticket);",
                                "OwnRow.Write write = recordTicket(ticket); blockers = new Blockers(conflicting, own().slot());"),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.LEFT_BEHIND,
                                "a release that was not acknowledged is forgotten")
                        .in("ticket.table.RowWriter", "release(OwnRow.Write, Runnable)")
                        .replacing("failure == null || !row.session().isValid()", "true"),
                Fault.of(
                                Schedules.LOST_SLOTS,
                                Violation.HELD_AGAIN,
                                "a slot that a thread saw expire is prolonged by a late acknowledgement")
                        .in("ticket.table.OwnRow", "acknowledged")
                        .body("certain = new Deadline(context.ticker(), drawnAt + context.certain().toNanos());"),
                Fault.of(
                                Schedules.EVERYTHING,
                                Violation.NOT_SERVED,
                                "a session that cannot be opened because the store throws is waited for")
                        .in("steps.Operation", "begin")
                        .body("return operation.get();"),
                Fault.of(
                                Schedules.EVERYTHING,
                                Violation.NOT_SERVED,
                                "an attempt whose timers have ended goes on waiting")
                        .in("steps.Steps", "pauseThen")
                        .replacing("end(Operation.causeOf(failure));", "pause = new CompletableFuture<>();"));
    }

    static Stream<Fault> faultsOfSessions() {
        return Stream.of(
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TWO_HOLDERS,
                                "a slot is evicted although its session lives")
                        .in("session.RemoteSession", "readOrDeclareDead")
                        .replacing("declareDeadOrRepeat(last);", "dead(last.owner());"),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TWO_HOLDERS,
                                "the watch keeps an old time for a new beat")
                        .in("session.RemoteSession", "observed")
                        .replacing(
                                "context.ticker().nanos()",
                                "observation == null ? context.ticker().nanos() : observation.seenAt()"),
                Fault.of(
                                Schedules.LOST_RENEWALS,
                                Violation.TWO_HOLDERS,
                                "the watch counts from the beginning of its read")
                        .in("session.RemoteSession", "readRow")
                        .around("lookedAt = context.ticker().nanos(); right();")
                        .with("private long lookedAt;")
                        .in("session.RemoteSession", "observed")
                        .replacing("context.ticker().nanos()", "lookedAt"),
                Fault.of(
                                Schedules.LOST_RENEWALS,
                                Violation.LOST_IN_VAIN,
                                "answers to earlier renewals are not listened to")
                        .in("session.OwnSession", "answered")
                        .around("if (renewal.equals(underWay)) { right(renewal, outcome, failure); }"),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TWO_HOLDERS,
                                "a session whose insert had no answer is used")
                        .in("session.OwnSession", "opened")
                        .replacing("outcome instanceof CasOutcome.Applied", "!(outcome instanceof CasOutcome.Refused)"),
                Fault.of(
                                Schedules.RENEWALS_SENT_AGAIN,
                                Violation.TWO_HOLDERS,
                                "a renewal's validity counts from its end")
                        .in("session.OwnSession", "confirmed")
                        .replacing(
                                "validUntil(context, renewal.firstSentAt())",
                                "validUntil(context, context.ticker().nanos())"),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TWO_HOLDERS,
                                "epsilon is zero although clocks drift")
                        .in("session.SessionSettings", "validity")
                        .body("return lease;")
                        .in("session.SessionSettings", "suspicion")
                        .body("return lease;"),
                Fault.of(
                                Schedules.MIXED_SETTINGS,
                                Violation.TWO_HOLDERS,
                                "a watcher uses its own lease for the session of another process")
                        .in("session.RemoteSession", "settingsOf")
                        .replacing("row.lease()", "context.settings().lease()"),
                Fault.of(
                                Schedules.MANY_DEATHS,
                                Violation.NOT_SERVED,
                                "the sessions of a lock with a dead session are watched eight at a time")
                        .in("ticket.attempt.BackgroundEviction", "watchOthers")
                        .body(""));
    }

    private static Stream<Fault> faultsInsideTheProcess() {
        return Stream.of(
                Fault.of(
                                Schedules.HAND_OVERS,
                                Violation.NOT_SERVED,
                                "requests that wait are not asked at the end of an event")
                        .in("ticket.lock.Placement", "assignWaiting")
                        .body(""),
                Fault.of(
                                Schedules.HAND_OVERS,
                                Violation.GIVEN_UNHELD,
                                "a slot is handed over without a look at the lease")
                        .in("ticket.slot.Vacant", "mayHandOver")
                        .body("return hold != null && hold.mayServeNext();"),
                Fault.of(
                                Schedules.HAND_OVERS,
                                Violation.TOKEN_OF_LOST_LOCK,
                                "a token is shown without another look at the lease")
                        .in("ticket.handle.TicketHandle", "fencingToken")
                        .replacing("requireHeld(\"its fencing token was reserved\");", ""),
                Fault.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.OVERTAKEN_INSIDE,
                                "threads of one process are served last come, first")
                        .in("ticket.lock.WaitingList", "add")
                        .body("requests.addFirst(request);"),
                Fault.of(Schedules.CRASHES_AND_PARTITIONS, Violation.LEFT_BEHIND, "giving up leaves the slot as it is")
                        .in("ticket.slot.Acquiring", "cancelled(LockAccess)")
                        .body("access.cancel(attempt); return Free.INSTANCE;"),
                Fault.of(
                                Schedules.IMPATIENCE,
                                Violation.NOT_SERVED,
                                "a call that gives up does not watch the sessions ahead")
                        .in("ticket.slot.Acquiring", "cancelled(LockAccess)")
                        .body("access.abandon(attempt); return vacated(access);"),
                Fault.of(Schedules.EVERYTHING, Violation.NEVER_TOLD, "a holder is not told that its lock is lost")
                        .in("ticket.handle.TicketHandle", "lose")
                        .replacing("lost.complete(loss);", ""),
                Fault.of(
                                Schedules.EVERYTHING,
                                Violation.NOT_SERVED,
                                "a grant that comes before its caller gives up is kept")
                        .in("locker.call.AcquireCall", "cancel(RuntimeException)")
                        .body("end(reason);"),
                Fault.of(
                                Schedules.CLOSINGS,
                                Violation.GIVEN_UNHELD,
                                "a lock that was granted while the locker closed is handed out")
                        .in("locker.held.GrantedLocks", "deliver")
                        .replacing("!lock.isHeld()", "!lock.isHeld() && !closed.get()")
                        .in("locker.held.GrantedLocks", "granted")
                        .replacing(
                                "if (closed.get()) { lock.discard(); throw closedWhile(\"waiting for\", lock.lockId()); }",
                                ""),
                Fault.of(Schedules.EVERYTHING, Violation.TWO_HOLDERS, "locks stay held after the locker's end")
                        .in("locker.LockerShutdown", "releaseAll")
                        .replacing(
                                "locks.releaseAll(new LockLoss(Reason.CLOSED, \"the application is shutting down\"), LIMIT)",
                                "CompletableFuture.completedFuture(null)"));
    }

    private static Stream<Fault> faultsOfMinimumTimes() {
        return Stream.of(
                Fault.of(
                                Schedules.MINIMUM_TIMES,
                                Violation.TAKEN_TOO_EARLY,
                                "a lock is free when it is closed, whatever its minimum time")
                        .in("locker.held.MinimumHold", "release(Throttle)")
                        .replacing("remains() && grant.isValid()", "false"),
                Fault.of(
                                Schedules.MINIMUM_TIMES,
                                Violation.TAKEN_TOO_EARLY,
                                "locks with a minimum time are not left behind when the locker closes")
                        .in("locker.held.MinimumHold", "leaveGrant")
                        .replacing("remaining.compareTo(Duration.ZERO) > 0", "false"),
                Fault.of(
                                Schedules.MINIMUM_TIMES,
                                Violation.TAKEN_TOO_EARLY,
                                "the slot of a lock that is left behind is said to be over")
                        .in("ticket.slot.Held", "leftBehind")
                        .around("return right(row, handle, atLeast, access) == this ? this : Free.INSTANCE;"),
                Fault.of(
                                Schedules.MINIMUM_TIMES,
                                Violation.TAKEN_TOO_EARLY,
                                "a session whose slots are left behind is declared dead")
                        .in("session.OwnSession", "end")
                        .replacing("left.compareTo(Duration.ZERO) > 0", "left.isNegative()"),
                Fault.of(
                                Schedules.MINIMUM_TIMES,
                                Violation.TAKEN_TOO_EARLY,
                                "the lease of a session is always that of the first renewal seen")
                        .in("session.RemoteSession", "observed")
                        .replacing(
                                "settingsOf(row)", "observation == null ? settingsOf(row) : observation.settings()"));
    }

    static Stream<Fault> plantedFaults() {
        return FaultSearch.ofThisRun(all());
    }

    static Stream<Fault> all() {
        return Stream.of(
                        faultsThatTheProtocolOnceHad(),
                        faultsThatAreEasilyMade(),
                        faultsOfForceRelease(),
                        NoticeMutants.all(),
                        EffectMutants.all(),
                        ModeMutants.all(),
                        PermitMutants.all(),
                        ConversionMutants.all(),
                        PathMutants.all(),
                        GroupMutants.all(),
                        ValueMutants.all(),
                        DeadlockMutants.all())
                .flatMap(faults -> faults);
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("plantedFaults")
    void plantedFaultIsCaught(Fault fault, @TempDir Path directory) throws Exception {
        assertThat(SEARCH.in(fault, directory))
                .as(
                        "%s, which %d schedules should show of the fault '%s'; if not, the simulation has lost its teeth",
                        fault.expected(), SEEDS.count(), fault)
                .isPresent();
    }
}
