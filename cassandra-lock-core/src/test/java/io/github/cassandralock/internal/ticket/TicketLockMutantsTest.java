package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.KnownSeeds;
import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.seeded.MutantSearch;
import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The simulation finds faults of the protocol: faults that earlier versions had (docs/decisions/0021), and faults that are easily
 * made, are planted one at a time. Costs half a minute; two minutes with {@code -Dsimulation.mutants.known=false}, which searches
 * from the first seed.
 */
class TicketLockMutantsTest {

    private static final Logger log = LoggerFactory.getLogger(TicketLockMutantsTest.class);
    private static final Seeds SEEDS = Seeds.of("simulation.mutants", 100_000, System.getProperties());

    private static final MutantSearch SEARCH = new MutantSearch(KnownSeeds.beside(Schedules.class), SEEDS);

    private static Stream<Mutant> faultsThatTheProtocolOnceHad() {
        return Stream.of(
                Mutant.of(
                        Schedules.SUDDEN_DEATHS,
                        Violation.TOKEN_ORDER,
                        "4: a token is shown before it is reserved",
                        "ticket.TokenReservation",
                        "steps.step(() -> partition.reserve(",
                        "acknowledged.complete(base); steps.step(() -> partition.reserve("),
                Mutant.of(
                                Schedules.LOST_SLOTS,
                                Violation.TWO_HOLDERS,
                                "5: a slot that may have expired still counts",
                                "ticket.OwnSlot",
                                "return present != null && present.hasPassed();",
                                "return false;")
                        .and(
                                "return present != null && !present.hasPassed() && session.isValid();",
                                "return present != null && session.isValid();"),
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.TOKEN_ORDER,
                        "6: the tokens of every hold begin at the floor of the wall clock",
                        "ticket.TokenReservation",
                        "return read.lastToken() .orElseGet(() -> floor(partition.context().wallClock().micros()));",
                        "return floor(partition.context().wallClock().micros());"),
                Mutant.of(
                                Schedules.TRY_AT_ONCE,
                                Violation.NOT_SERVED,
                                "7: a soft attempt reads five times at most",
                                "ticket.SoftAttempt",
                                "private @Nullable Long undecidedSince;",
                                "private int looks; private @Nullable Long undecidedSince;")
                        .and("&& isWithinWindow(undecidedSince)", "&& ++looks < 5"),
                Mutant.of(
                        Schedules.LOST_RENEWALS,
                        Violation.LOST_IN_VAIN,
                        "8: an own renewal that was applied without an answer counts as another process's",
                        "session.OwnSession",
                        "&& seen.get().beat().equals(underWay.next())) { confirmed(underWay);",
                        "&& seen.get().beat().equals(underWay.next())) { lose(\"another process renewed it\");"),
                Mutant.of(
                                Schedules.WRITES_SENT_AGAIN,
                                Violation.TWO_HOLDERS,
                                "9: a write that is sent again counts from then, although a later one hides it",
                                "ticket.LockPartition",
                                "return Operation.begin(() -> context.store().write(",
                                "long sentAt = context.ticker().nanos(); return Operation.begin(() -> context.store().write(")
                        .and("return write.drawnAt();", "return sentAt;"),
                Mutant.of(
                                Schedules.MANY_TOKENS,
                                Violation.TOKEN_ORDER,
                                "10: tokens are counted from the last token that the winning read showed",
                                "ticket.TokenReservation",
                                "partition::read, read ->",
                                "() -> CompletableFuture.completedFuture(partition.lastRead), read ->")
                        .and(
                                "ticket.LockPartition",
                                "return Operation.begin(() -> context.store().read(lockId));",
                                "return Operation.begin(() -> context.store().read(lockId)).thenApply(read -> lastRead = read);")
                        .and(
                                "ticket.LockPartition",
                                "private final String lockId;",
                                "private final String lockId;"
                                        + " volatile LockSlots lastRead = new LockSlots(List.of(), java.util.OptionalLong.empty());"));
    }

    /** Faults of the section about locks that are broken by force (protocol, section 11). */
    private static Stream<Mutant> faultsOfBreaking() {
        return Stream.of(
                Mutant.of(
                        Schedules.BREAKS,
                        Violation.TWO_HOLDERS,
                        "breaking: the slot is given up, and the holder is not told",
                        "ticket.LocalSlot",
                        "== attempt) { lose(held.hold(), reason);",
                        "== attempt) { passOn(Optional.of(held.hold().slot()));"),
                Mutant.of(
                        Schedules.BREAKS,
                        Violation.NOT_SERVED,
                        "breaking: the holder is told, and the slot stays",
                        "ticket.LocalSlot",
                        "== attempt) { lose(held.hold(), reason);",
                        "== attempt) { held.hold().lose(reason);"),
                Mutant.of(
                        Schedules.BREAKS,
                        Violation.LOST_IN_VAIN,
                        "breaking: a request that comes late breaks a later attempt",
                        "ticket.LocalSlot",
                        "&& held.hold().slot().row().attempt() == attempt",
                        "&& held.hold().slot().row().attempt() >= attempt"),
                Mutant.of(
                        Schedules.BREAKS,
                        Violation.LOST_IN_VAIN,
                        "breaking: a request breaks a hold of another session",
                        "ticket.TicketAlgorithm",
                        "context.sessions().own(session).ifPresent(own -> queue.breakHold(",
                        "context.sessions().present().ifPresent(own -> queue.breakHold("));
    }

    private static Stream<Mutant> faultsThatAreEasilyMade() {
        return Stream.of(
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.TWO_HOLDERS,
                        "rows that have yet to choose are ignored",
                        "ticket.Bakery",
                        "other.phase() == SlotPhase.CHOOSING || TICKET_ORDER.compare(other, own) < 0",
                        "other.phase() != SlotPhase.CHOOSING && TICKET_ORDER.compare(other, own) < 0"),
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.TWO_HOLDERS,
                        "R1 begins before W1 is acknowledged",
                        "ticket.SlotAttempt",
                        "write(own.choosing(), this::lookForOthers);",
                        "partition.write(own.choosing()); own.acknowledged(context().ticker().nanos()); lookForOthers();"),
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.TWO_HOLDERS,
                        "slots are read at ONE",
                        "simulation.SimulatedSlots",
                        "SimulatedQuorum.QUORUM, replica -> toShow(replica, lockId),",
                        "1, replica -> toShow(replica, lockId),"),
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.TWO_HOLDERS,
                        "a slot is evicted although its session lives",
                        "session.RemoteSession",
                        "kill(last);",
                        "dead(last.owner());"),
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.TWO_HOLDERS,
                        "the watch keeps an old time for a new beat",
                        "session.RemoteSession",
                        "observation = new Observation(beat, settings, row.owner(), context.ticker().nanos());",
                        "observation = new Observation(beat, settings, row.owner(),"
                                + " observation == null ? context.ticker().nanos() : observation.seenAt());"),
                Mutant.of(
                                Schedules.LOST_RENEWALS,
                                Violation.TWO_HOLDERS,
                                "the watch counts from the beginning of its read",
                                "session.RemoteSession",
                                "private boolean running;",
                                "private boolean running; private long lookedAt;")
                        .and(
                                "Operation.begin(() -> context.store().read(session))",
                                "lookedAt = context.ticker().nanos(); Operation.begin(() -> context.store().read(session))")
                        .and(
                                "new Observation(beat, settings, row.owner(), context.ticker().nanos());",
                                "new Observation(beat, settings, row.owner(), lookedAt);"),
                Mutant.of(
                        Schedules.LOST_RENEWALS,
                        Violation.LOST_IN_VAIN,
                        "answers to earlier renewals are not listened to",
                        "session.OwnSession",
                        "if (!isStillOpen()) {",
                        "if (!isStillOpen() || !renewal.equals(underWay)) {"),
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.TWO_HOLDERS,
                        "a session whose insert had no answer is used",
                        "session.OwnSession",
                        "if (outcome instanceof CasOutcome.Applied) { OwnSession session",
                        "if (!(outcome instanceof CasOutcome.Refused)) { OwnSession session"),
                Mutant.of(
                        Schedules.RENEWALS_SENT_AGAIN,
                        Violation.TWO_HOLDERS,
                        "a renewal's validity counts from its end",
                        "session.OwnSession",
                        "validUntil(context, renewal.firstSentAt())",
                        "validUntil(context, context.ticker().nanos())"),
                Mutant.of(
                                Schedules.CRASHES_AND_PARTITIONS,
                                Violation.TWO_HOLDERS,
                                "epsilon is zero although clocks drift",
                                "session.SessionSettings",
                                "lease.toNanos() * (1 - clockDrift)",
                                "lease.toNanos()")
                        .and("Math.ceil(lease.toNanos() * (1 + clockDrift))", "lease.toNanos()"),
                Mutant.of(
                        Schedules.MANY_TOKENS,
                        Violation.TOKEN_ORDER,
                        "the last token is a plain write",
                        "simulation.SimulatedSlots",
                        "new SimulatedCell(lastToken, false,",
                        "new SimulatedCell(time.now(), false,"),
                Mutant.of(
                        Schedules.HAND_OVERS,
                        Violation.GIVEN_UNHELD,
                        "a slot is handed over without a look at the lease",
                        "ticket.LocalSlot",
                        "hold.mayBeHandedOver() && hold.slot().isValid() ?",
                        "hold.mayBeHandedOver() ?"),
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.GIVEN_UNHELD,
                        "the lease is not looked at after the winning read",
                        "ticket.SlotAttempt",
                        "own().isValid() ?",
                        "own().row() != null ?"),
                Mutant.of(
                        Schedules.HAND_OVERS,
                        Violation.TOKEN_OF_LOST_LOCK,
                        "a token is shown without another look at the lease",
                        "ticket.TicketGrant",
                        "} else if (!isValid()) {",
                        "} else if (base == null) {"),
                Mutant.of(
                        Schedules.LOST_SLOTS,
                        Violation.LOST_IN_VAIN,
                        "a refresh draws its counter after the release",
                        "ticket.SlotRefresh",
                        "send(); } } private void send() {",
                        "var row = slot.row(); var context = partition.context();"
                                + " context.timers().after(java.time.Duration.ofMillis(50)).thenRun(() ->"
                                + " context.store().write(partition.lockId(), row, slot.session().nextTimestamp(),"
                                + " context.settings().slotLife())); } }"
                                + " private void send() {"),
                Mutant.of(
                                Schedules.MANY_TOKENS,
                                Violation.TWO_HOLDERS,
                                "a slot that R1 did not show is not a blocker",
                                "ticket.MandatoryAttempt",
                                "pollInterval().beforeFirstLook(), this::lookAtBlockers);",
                                "pollInterval().beforeFirstLook(), this::lookAgain);")
                        .and(
                                "ticket.SlotAttempt",
                                "write(ticketed, () -> { certainOfItsTicket();",
                                "blockers = new Blockers(conflicting, own().row()); write(ticketed, () -> { certainOfItsTicket();"),
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.LEFT_BEHIND,
                        "a release that was not acknowledged is forgotten",
                        "ticket.SlotRelease",
                        "if (failure == null || !slot.session().isValid()) {",
                        "if (failure == null || failure != null) {"),
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.OVERTAKEN_INSIDE,
                        "threads of one process are served last come, first",
                        "ticket.WaitingList",
                        "} else { waiters().add(waiter); }",
                        "} else { waiters().addFirst(waiter); }"),
                Mutant.of(
                        Schedules.CRASHES_AND_PARTITIONS,
                        Violation.LEFT_BEHIND,
                        "giving up leaves the slot as it is",
                        "ticket.LocalSlot",
                        "present.attempt().giveUp(); passOn(present.attempt().toClean());",
                        "present.attempt().giveUp(); passOn(Optional.empty());"),
                Mutant.of(
                        Schedules.IMPATIENCE,
                        Violation.NOT_SERVED,
                        "a call that gives up does not watch the sessions ahead",
                        "ticket.LocalSlot",
                        "present.attempt().giveUp(); passOn(present.attempt().toClean());",
                        "present.attempt().abandon(); passOn(present.attempt().toClean());"),
                Mutant.of(
                        Schedules.MIXED_SETTINGS,
                        Violation.TWO_HOLDERS,
                        "a watcher uses its own lease for the session of another process",
                        "session.RemoteSession",
                        "row.lease(),",
                        "context.settings().lease(),"),
                Mutant.of(
                        Schedules.LOST_SLOTS,
                        Violation.HELD_AGAIN,
                        "a slot that a thread saw expire is prolonged by a late acknowledgement",
                        "ticket.OwnSlot",
                        "present.extendTo(until);",
                        "certain = new Deadline(context.ticker(), until);"),
                Mutant.of(
                        Schedules.EVERYTHING,
                        Violation.NOT_SERVED,
                        "a session that cannot be opened because the store throws is waited for",
                        "steps.Operation",
                        "return CompletableFuture.failedFuture(e);",
                        "throw e;"),
                Mutant.of(
                        Schedules.EVERYTHING,
                        Violation.NOT_SERVED,
                        "an attempt whose timers have ended goes on waiting",
                        "steps.Steps",
                        "end(causeOf(failure)); } else { next.run(); }",
                        "pause = new CompletableFuture<>(); } else { next.run(); }"),
                Mutant.of(
                        Schedules.EVERYTHING,
                        Violation.NEVER_TOLD,
                        "a holder is not told that its lock is lost",
                        "ticket.TicketGrant",
                        "lost.complete(reason);",
                        ""),
                Mutant.of(
                        Schedules.EVERYTHING,
                        Violation.NOT_SERVED,
                        "a grant that comes before its caller gives up is kept",
                        "locker.call.AcquireCall",
                        "answer().thenAccept(lock -> lock.ifPresent(GrantedLock::discard));",
                        ""),
                Mutant.of(
                                Schedules.CLOSINGS,
                                Violation.GIVEN_UNHELD,
                                "a lock that was granted while the locker closed is handed out",
                                "locker.held.GrantedLocks",
                                "if (!lock.isHeld()) {",
                                "if (!lock.isHeld() && !closed.get()) {")
                        .and("if (closed.get()) { lock.discard(); throw", "if (false) { lock.discard(); throw"),
                Mutant.of(
                        Schedules.EVERYTHING,
                        Violation.TWO_HOLDERS,
                        "locks stay held after the locker's end",
                        "locker.LockerShutdown",
                        "return locks.releaseAll(\"the application is shutting down\");",
                        "return CompletableFuture.completedFuture(null);"),
                Mutant.of(
                        Schedules.MINIMUM_TIMES,
                        Violation.TAKEN_TOO_EARLY,
                        "a lock is free when it is closed, whatever its minimum time",
                        "locker.held.MinimumHold",
                        "boolean remains = remains() && grant.isValid();",
                        "boolean remains = false;"),
                Mutant.of(
                        Schedules.MINIMUM_TIMES,
                        Violation.TAKEN_TOO_EARLY,
                        "locks with a minimum time are not left behind when the locker closes",
                        "locker.held.MinimumHold",
                        "remaining.compareTo(Duration.ZERO) > 0 ? grant.leave(remaining) : grant.release();",
                        "grant.release();"),
                Mutant.of(
                        Schedules.MINIMUM_TIMES,
                        Violation.TAKEN_TOO_EARLY,
                        "the slot of a lock that is left behind is said to be over",
                        "ticket.LocalSlot",
                        "state = new SlotState.Left(slot, context().ticker().nanos() + atLeast.toNanos());",
                        "state = FREE;"),
                Mutant.of(
                        Schedules.MINIMUM_TIMES,
                        Violation.TAKEN_TOO_EARLY,
                        "a session whose slots are left behind is declared dead",
                        "session.OwnSession",
                        "left.compareTo(Duration.ZERO) > 0",
                        "left.isNegative()"),
                Mutant.of(
                        Schedules.MINIMUM_TIMES,
                        Violation.TAKEN_TOO_EARLY,
                        "the lease of a session is always that of the first renewal seen",
                        "session.RemoteSession",
                        "SessionSettings settings = settingsOf(row);",
                        "Observation first = observation;"
                                + " SessionSettings settings = first == null ? settingsOf(row) : first.settings();"));
    }

    /** All mutants, or those whose names begin with the value of {@code -Dsimulation.mutants}. */
    static Stream<Mutant> plantedFaults() {
        return Stream.of(
                        faultsThatTheProtocolOnceHad(),
                        faultsThatAreEasilyMade(),
                        faultsOfBreaking(),
                        NoticeMutants.all(),
                        ModeMutants.all(),
                        ConversionMutants.all(),
                        PathMutants.all(),
                        ValueMutants.all(),
                        DeadlockMutants.all())
                .flatMap(mutants -> mutants)
                .filter(mutant -> mutant.name().startsWith(System.getProperty("simulation.mutants", "")));
    }

    @ParameterizedTest
    @MethodSource("plantedFaults")
    void plantedFaultIsCaught(Mutant mutant, @TempDir Path directory) throws Exception {
        Optional<Seeds.Finding> caught = SEARCH.in(mutant, directory);
        assertThat(caught)
                .as(
                        "%s, which %d schedules should show of the mutant '%s'; if not, the simulation has lost its teeth",
                        mutant.expected(), SEEDS.count(), mutant)
                .isPresent();
        caught.ifPresent(finding -> log.info(
                "Caught '{}' with seed {}: {}",
                mutant,
                finding.seed(),
                finding.violations().get(0)));
    }
}
