package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.exhaustive.ResultFile;
import io.github.cassandralock.internal.exhaustive.Scope;
import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.seeded.FaultSearch;
import io.github.cassandralock.internal.simulation.Violation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The search through all schedules finds planted faults by itself, without a seed that is known to show them. The log has the
 * shortest story of each. Costs three minutes on two cores.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AllSchedulesMutantsTest {

    private static final Logger log = LoggerFactory.getLogger(AllSchedulesMutantsTest.class);

    private final List<String> rows = new ArrayList<>();

    private final StringBuilder stories = new StringBuilder("# How each planted fault shows\n");

    private static Stream<Fault> plantedFaults() {
        return FaultSearch.ofThisRun(all());
    }

    static Stream<Fault> all() {
        return Stream.of(
                        faultsOfAttempts(),
                        faultsOfSessions(),
                        faultsOfExpiry(),
                        faultsOfEnds(),
                        faultsOfConversions(),
                        faultsOfReturns(),
                        faultsOfFacts(),
                        faultsOfKeeping())
                .flatMap(faults -> faults);
    }

    private static Stream<Fault> faultsOfAttempts() {
        return Stream.of(
                simulated(Scope.TWO_PROCESSES, "rows that have yet to choose are ignored"),
                simulated(Scope.TWO_PROCESSES, "R1 begins before W1 is acknowledged"),
                simulated(Scope.THREE_PROCESSES, "a slot that R1 did not show is not a blocker"),
                Fault.of(Scope.TWO_PROCESSES, Violation.TWO_HOLDERS, "R begins before W2 is acknowledged")
                        .in("ticket.attempt.SlotAttempt", "drawTicket")
                        .around(
                                "partition.write(recordTicket(ticket)); ticketed = true; ticketAcknowledged(conflicting);"),
                Fault.of(Scope.TWO_PROCESSES, Violation.TWO_HOLDERS, "all tickets are 1")
                        .in("ticket.rows.Bakery", "nextTicket")
                        .body("return 1;"),
                Fault.of(Scope.TWO_PROCESSES, Violation.TWO_HOLDERS, "equal tickets are not ordered by sessions")
                        .in("ticket.rows.Bakery", "isAhead")
                        .body("return other.phase() == SlotPhase.CHOOSING || other.ticket() < own.ticket();"),
                Fault.of(Scope.TWO_PROCESSES, Violation.TWO_HOLDERS, "slots with a ticket do not conflict")
                        .in("ticket.rows.Bakery", "conflicting(LockSlots, SlotId, LockMode)")
                        .around("return right(read, own, mode).stream().filter(slot -> slot.phase() !="
                                + " SlotPhase.TICKETED).toList();"),
                Fault.of(Scope.TIME_OUTS, Violation.TWO_HOLDERS, "a write without an answer counts as acknowledged")
                        .in("ticket.table.LockPartition", "write")
                        .replacing("WriteOutcome.requireApplied(outcome);", ""),
                Fault.of(Scope.TWO_PROCESSES, Violation.NOT_SERVED, "a waiting attempt does not read again")
                        .in("ticket.attempt.WaitingAttempt", "blockedBy")
                        .body(""),
                simulated(Scope.TWICE, "effects: a slot is released when its next use may have begun"));
    }

    private static Stream<Fault> faultsOfSessions() {
        return Stream.of(
                simulated(Scope.LONG_HOLD, "the watch keeps an old time for a new beat"),
                simulated(Scope.SHORTER_LEASE, "a watcher uses its own lease for the session of another process"),
                simulated(Scope.CUT_OFF, "epsilon is zero although clocks drift"),
                simulated(Scope.PAUSE, "a slot is evicted although its session lives"),
                simulated(Scope.PAUSE, "the watch counts from the beginning of its read"),
                simulated(Scope.PAUSE, "the lease is not looked at after the winning read"));
    }

    private static Stream<Fault> faultsOfExpiry() {
        return Stream.of(
                simulated(Scope.EXPIRY, "5: a slot that may have expired still counts"),
                simulated(Scope.EXPIRY, "a slot that a thread saw expire is prolonged by a late acknowledgement"),
                Fault.of(Scope.EXPIRY, Violation.TWO_HOLDERS, "the life of a slot has no margin for clocks of servers")
                        .in("ticket.process.TicketSettings", "certain")
                        .body("return Duration.ofNanos((long) (slotLife.toNanos() * (1 - clockDrift)));"),
                Fault.of(Scope.EXPIRY, Violation.TWO_HOLDERS, "epsilon is zero for the life of a slot")
                        .in("ticket.process.TicketSettings", "certain")
                        .body("return slotLife.minus(expiryMargin);"));
    }

    /** Faults that leave a slot in the way of others. */
    private static Stream<Fault> faultsOfEnds() {
        return Stream.of(
                simulated(Scope.ONE_CONVERTS, "giving up leaves the slot as it is"),
                simulated(Scope.ONE_CONVERTS, "effects: a slot that is given up is never written"),
                simulated(Scope.ONE_CONVERTS, "effects: a slot that nobody takes stays vacant"),
                simulated(Scope.ONE_CONVERTS, "conversions: a handle that is released keeps its upper slots"));
    }

    private static Stream<Fault> faultsOfConversions() {
        return Stream.of(
                simulated(
                        Scope.ONE_CONVERTS,
                        "conversions: all slots are ignored, not those alone that conflict with the handle's mode"),
                simulated(
                        Scope.ONE_CONVERTS,
                        "conversions: what conflicts with the new mode is ignored, not what conflicts with the present"
                                + " one"),
                simulated(
                        Scope.DOWN_AND_UP,
                        "conversions: a slot that was seen in a weak mode is ignored if a later read shows a strong"
                                + " one (rule 5)"),
                simulated(Scope.UP_AND_DOWN, "conversions: the slots below are let go, and the top one stays (rule 6)"),
                simulated(Scope.PARTLY_DOWN, "conversions: the lowest slot alone stays"),
                simulated(Scope.SIDEWAYS, "conversions: the present mode of a slot decides what may go (rule 7)"),
                simulated(Scope.PARTLY_DOWN, "conversions: a handle is weaker than it says as soon as its slot is"));
    }

    /** Faults of RETICKET. */
    private static Stream<Fault> faultsOfReturns() {
        return Stream.of(
                simulated(Scope.COMES_BACK, "notices: a session that comes back does not read first"),
                simulated(Scope.COMES_BACK, "notices: another ticket is written than was promised"),
                simulated(Scope.BOTH_COME_BACK, "notices: another attempt is promised than is written"),
                simulated(Scope.BOTH_COME_BACK, "notices: a promised ticket is ignored"),
                simulated(Scope.BOTH_COME_BACK, "notices: a row that has come back ends all attempts of its session"),
                simulated(Scope.BOTH_COME_BACK, "notices: R1 takes a row that has come back for an idle one"),
                simulated(Scope.BOTH_COME_BACK, "notices: a session comes back although its slot is being released"));
    }

    private static Stream<Fault> faultsOfFacts() {
        return Stream.of(
                simulated(Scope.COMES_BACK, "notices: a fact ends later attempts, too"),
                simulated(Scope.COMES_BACK, "notices: the attempt is told to be over while a thread holds the lock"),
                simulated(Scope.COMES_BACK, "notices: the attempt that a row shows is over"),
                simulated(Scope.BOTH_COME_BACK, "notices: a session without an attempt is over for good"),
                simulated(Scope.BOTH_COME_BACK, "notices: the number of one fact is used with the ticket of another"));
    }

    private static Stream<Fault> faultsOfKeeping() {
        return Stream.of(
                simulated(
                        Scope.KEEPS, "notices: a lock that was kept is granted after others were told that it is over"),
                simulated(Scope.KEEPS, "notices: the end of the time for which a slot was kept ends its next use"),
                simulated(Scope.KEEPS, "notices: a slot that is missing is over"));
    }

    /** A fault that random schedules find. The search finds it as well. */
    private static Fault simulated(Scope scope, String name) {
        return TicketLockMutantsTest.all()
                .filter(fault -> fault.name().equals(name))
                .findFirst()
                .orElseThrow()
                .in(scope);
    }

    @ParameterizedTest
    @MethodSource("plantedFaults")
    void searchFindsThePlantedFault(Fault fault, @TempDir Path directory) throws Exception {
        List<String> story = fault.plantedIn(directory).apply(0);
        assertThat(fault.expected().among(story))
                .as("%s, which the fault '%s' should cause", fault.expected(), fault)
                .isNotEmpty();
        log.info("Found '{}':\n{}", fault, String.join("\n", story));
        stories.append(String.format("%n## %s%n%n```text%n%s%n```%n", fault, String.join("\n", story)));
        rows.add(String.format("| %s | %s | %d |%n", fault, ((Scope) fault.schedules()).text(), Scope.steps(story)));
    }

    @AfterAll
    void writeTheFiguresOfThePage() throws IOException {
        ResultFile.writeText("planted-faults", "stories.md", stories.toString());
        ResultFile.write("planted-faults", "| planted fault | what happens | steps |\n|---|---|---|\n", rows);
    }
}
