package io.github.cassandralock.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.simulation.Mutant;
import io.github.cassandralock.simulation.Schedules;
import io.github.cassandralock.simulation.Seeds;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The simulation would see it if the protocol were wrong: faults that it once had (protocol, "What the simulation found"),
 * and faults that are easily made, planted one at a time.
 */
class TicketLockMutantsTest {

    private static final Logger log = LoggerFactory.getLogger(TicketLockMutantsTest.class);
    private static final Seeds SEEDS = Seeds.of("simulation.mutants", 100_000, System.getProperties());

    private static Stream<Mutant> faultsThatTheProtocolOnceHad() {
        return Stream.of(
                Mutant.of(
                        Schedules.MANY_TOKENS,
                        "1: the next W1 replaces an unacknowledged release and loses the token",
                        "ticket.SlotWrite",
                        "life, carry.value())",
                        "life, row.phase() == io.github.cassandralock.spi.SlotPhase.CHOOSING"
                                + " ? java.util.OptionalLong.empty() : carry.value())"),
                Mutant.of(
                        Schedules.MANY_TOKENS,
                        "2: a read that spans a whole tenure wins with a used token",
                        "ticket.SlotWrite",
                        "life, carry.value())",
                        "life, java.util.OptionalLong.empty())"),
                Mutant.of(
                                Schedules.MANY_TOKENS,
                                "3: the last read counts, not the highest token over all reads (and no reservation, which"
                                        + " would make up for it)",
                                "ticket.Carry",
                                "highest = Math.max(highest, token);",
                                "highest = token;")
                        .and(
                                "ticket.TokenReservation",
                                "return reserved;",
                                "return CompletableFuture.completedFuture(base);")
                        .and(
                                "ticket.TokenReservation",
                                "() -> parts.store().reserve(lockId, base + TicketTerms.TOKENS)"
                                        + ".thenAccept(WriteOutcome::requireApplied),",
                                "() -> CompletableFuture.completedFuture(null),"),
                Mutant.of(
                        Schedules.SUDDEN_DEATHS,
                        "4: a token is shown before it is reserved",
                        "ticket.TokenReservation",
                        "return reserved;",
                        "reserved.complete(base); return reserved;"),
                Mutant.of(
                                Schedules.LOST_SLOTS,
                                "5: a slot that may have expired still counts",
                                "ticket.OwnSlot",
                                "return present != null && present.hasPassed();",
                                "return false;")
                        .and(
                                "return present != null && !present.hasPassed() && session.isValid();",
                                "return present != null && session.isValid();"),
                Mutant.of(
                        Schedules.STORMS,
                        "6: every tenure's tokens begin at the calendar's floor",
                        "ticket.TokenReservation",
                        "carry.value().orElseGet(() -> floor(parts.calendar().micros()))",
                        "floor(parts.calendar().micros())"),
                Mutant.of(
                                Schedules.TRY_AT_ONCE,
                                "7: who tries looks five times at most",
                                "ticket.SoftAttempt",
                                "private @Nullable Long undecidedSince;",
                                "private int looks; private @Nullable Long undecidedSince;")
                        .and("now - undecidedSince < TicketTerms.TRY_WINDOW.toNanos()", "++looks < 5"),
                Mutant.of(
                        Schedules.LOST_RENEWALS,
                        "8: a renewal that landed though nobody said so is taken for another's",
                        "session.OwnSession",
                        "&& seen.get().beat().equals(underWay.next())) { confirmed(underWay);",
                        "&& seen.get().beat().equals(underWay.next())) { lose(\"somebody else renewed it\");"),
                Mutant.of(
                                Schedules.WRITES_SENT_AGAIN,
                                "9: a write that is sent again counts from then, although a later one hides it",
                                "ticket.SlotWrite",
                                "return Operation.begin(",
                                "long sentAt = parts.ticker().nanos(); return Operation.begin(")
                        .and("return drawnAt;", "return sentAt;"));
    }

    private static Stream<Mutant> faultsThatAreEasilyMade() {
        return Stream.of(
                Mutant.of(
                        Schedules.STORMS,
                        "rows that have yet to choose are ignored",
                        "ticket.Bakery",
                        "slot.phase() == SlotPhase.CHOOSING || TICKET_ORDER.compare(slot, own) < 0",
                        "slot.phase() != SlotPhase.CHOOSING && TICKET_ORDER.compare(slot, own) < 0"),
                Mutant.of(
                        Schedules.STORMS,
                        "R1 begins before W1 is acknowledged",
                        "ticket.SlotAttempt",
                        "write(own.choosing(), this::lookForOthers);",
                        "own.choosing().send(); own.acknowledged(parts.ticker().nanos()); lookForOthers();"),
                Mutant.of(
                        Schedules.STORMS,
                        "slots are read at ONE",
                        "simulation.SimulatedSlots",
                        "SimulatedQuorum.QUORUM, replica -> partition(replica, lockId).copy(),",
                        "1, replica -> partition(replica, lockId).copy(),"),
                Mutant.of(
                        Schedules.STORMS,
                        "a slot is evicted although its session lives",
                        "session.Watched",
                        "kill(last);",
                        "dead();"),
                Mutant.of(
                        Schedules.STORMS,
                        "the watch keeps an old time for a new beat",
                        "session.Watched",
                        "observation = new Observation(beat, terms, owner, parts.ticker().nanos());",
                        "observation = new Observation(beat, terms, owner,"
                                + " observation == null ? parts.ticker().nanos() : observation.seenAt());"),
                Mutant.of(
                                Schedules.LOST_RENEWALS,
                                "the watch counts from the beginning of its read",
                                "session.Watched",
                                "private boolean running;",
                                "private boolean running; private long lookedAt;")
                        .and(
                                "Operation.begin(() -> parts.store().read(session))",
                                "lookedAt = parts.ticker().nanos(); Operation.begin(() -> parts.store().read(session))")
                        .and(
                                "new Observation(beat, terms, owner, parts.ticker().nanos());",
                                "new Observation(beat, terms, owner, lookedAt);"),
                Mutant.of(
                        Schedules.LOST_RENEWALS,
                        "answers to earlier renewals are not listened to",
                        "session.OwnSession",
                        "if (!isStillOpen()) {",
                        "if (!isStillOpen() || !renewal.equals(underWay)) {"),
                Mutant.of(
                        Schedules.LOST_RENEWALS,
                        "a renewal's validity counts from its end",
                        "session.OwnSession",
                        "validUntil(parts, renewal.firstSentAt())",
                        "validUntil(parts, parts.ticker().nanos())"),
                Mutant.of(
                                Schedules.STORMS,
                                "epsilon is zero although clocks drift",
                                "session.SessionTerms",
                                "lease.toNanos() * (1 - clockDrift)",
                                "lease.toNanos()")
                        .and("Math.ceil(lease.toNanos() * (1 + clockDrift))", "lease.toNanos()"),
                Mutant.of(
                        Schedules.MANY_TOKENS,
                        "the last token is a plain write",
                        "simulation.SimulatedSlots",
                        "? new SimulatedCell( token.getAsLong(), false,",
                        "? new SimulatedCell(time.now(), false,"),
                Mutant.of(
                        Schedules.HAND_OVERS,
                        "a slot is handed over without a look at the lease",
                        "ticket.LocalQueue",
                        "&& tenure.isValid()) {",
                        ") {"),
                Mutant.of(
                        Schedules.STORMS,
                        "the lease is not looked at after the winning read",
                        "ticket.SlotAttempt",
                        "own().isValid() ?",
                        "own().row() != null ?"),
                Mutant.of(
                        Schedules.HAND_OVERS,
                        "a token is shown without another look at the lease",
                        "ticket.TicketGrant",
                        "} else if (isValid()) {",
                        "} else if (base != null) {"),
                Mutant.of(
                        Schedules.LOST_SLOTS,
                        "a refresh draws its counter after the release",
                        "ticket.SlotRefresh",
                        "send(); } } private void send() {",
                        "var row = slot.row(); parts.timers().after(java.time.Duration.ofMillis(50)).thenRun(() ->"
                                + " new SlotWrite(parts, lockId, row, slot.session().nextTimestamp(), parts.ticker().nanos(),"
                                + " parts.terms().slotLife(), new Carry()).send()); } } private void send() {"),
                Mutant.of(
                        Schedules.MANY_TOKENS,
                        "an idle slot does not carry the token",
                        "ticket.SlotWrite",
                        "life, carry.value())",
                        "life, row.phase() == io.github.cassandralock.spi.SlotPhase.IDLE"
                                + " ? java.util.OptionalLong.empty() : carry.value())"),
                Mutant.of(
                        Schedules.MANY_TOKENS,
                        "whoever was not there at R1 is no blocker",
                        "ticket.MandatoryAttempt",
                        "this::lookAtBlockers)",
                        "() -> lookAgainAt(known))"),
                Mutant.of(
                        Schedules.STORMS,
                        "a release that was not acknowledged is forgotten",
                        "ticket.SlotRelease",
                        "if (failure == null || !slot.session().isValid()) {",
                        "if (failure == null || failure != null) {"),
                Mutant.of(
                        Schedules.STORMS,
                        "threads of one process are served last come, first",
                        "ticket.LocalQueue",
                        "waiters.add(waiter);",
                        "waiters.addFirst(waiter);"),
                Mutant.of(
                        Schedules.STORMS,
                        "giving up leaves the slot as it is",
                        "ticket.LocalQueue",
                        "acquiring.attempt().abandon(); passOn(acquiring.attempt().toClean());",
                        "acquiring.attempt().abandon(); passOn(Optional.empty());"));
    }

    /** All, unless {@code -Dsimulation.mutants} names the beginning of one. */
    static Stream<Mutant> plantedFaults() {
        return Stream.concat(faultsThatTheProtocolOnceHad(), faultsThatAreEasilyMade())
                .filter(mutant -> mutant.name().startsWith(System.getProperty("simulation.mutants", "")));
    }

    @ParameterizedTest
    @MethodSource("plantedFaults")
    void plantedFaultIsCaught(Mutant mutant, @TempDir Path directory) throws Exception {
        LongFunction<List<String>> schedules = mutant.in(directory);
        Optional<Seeds.Finding> caught = SEEDS.firstFinding(schedules);
        assertThat(caught)
                .as(
                        "what %d schedules show of the mutant '%s'; if nothing, the simulation has lost its teeth",
                        SEEDS.count(), mutant)
                .isPresent();
        caught.ifPresent(finding -> log.info(
                "Caught '{}' with seed {}: {}",
                mutant,
                finding.seed(),
                finding.violations().get(0)));
    }
}
