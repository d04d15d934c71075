package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.exhaustive.ResultFile;
import io.github.cassandralock.internal.seeded.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The search through all schedules finds each planted fault of attempts, sessions, conversions and notices, or there is a reason why
 * it does not. Costs nothing.
 */
class AllSchedulesReachTest {

    private static final String HEAD = "| planted fault that the search does not find | reason |\n|---|---|\n";

    /** Why the search does not find some faults. */
    private record Reason(String text, List<String> faults) {}

    private static Stream<Reason> reasons() {
        return Stream.of(reasonsOfAttemptsAndSessions(), reasonsOfConversions(), reasonsOfNotices())
                .flatMap(reasons -> reasons);
    }

    private static Stream<Reason> reasonsOfAttemptsAndSessions() {
        return Stream.of(
                new Reason(
                        "no slot expires in a scope in which a write has no answer",
                        List.of("9: a write that is sent again counts from then, although a later one hides it")),
                new Reason(
                        "an answer that comes late and a holder that is cut off later: in no scope",
                        List.of("a renewal's validity counts from its end")),
                new Reason(
                        "fencing tokens",
                        List.of(
                                "4: a token is shown before it is reserved",
                                "6: the tokens of every hold begin at the floor of the wall clock",
                                "10: tokens are counted from the last token that the winning read showed",
                                "the last token is a plain write")),
                new Reason("attempts that only try", List.of("7: an attempt that only tries reads five times at most")),
                new Reason(
                        "locks that are lost in vain are not checked",
                        List.of(
                                "8: an own renewal that was applied without an answer counts as another process's",
                                "a refresh draws its counter after the release",
                                "answers to earlier renewals are not listened to")),
                new Reason("a fault of the simulated tables of random schedules", List.of("slots are read at ONE")),
                new Reason(
                        "slots that are left behind are not checked where operations have no answer",
                        List.of("a release that was not acknowledged is forgotten")),
                new Reason(
                        "sessions are open at the beginning",
                        List.of(
                                "a session that cannot be opened because the store throws is waited for",
                                "a session whose insert had no answer is used")),
                new Reason("timers fail in no scope", List.of("an attempt whose timers have ended goes on waiting")),
                new Reason(
                        "nine processes",
                        List.of("the sessions of a lock with a dead session are watched eight at a time")));
    }

    private static Stream<Reason> reasonsOfConversions() {
        return Stream.of(
                new Reason(
                        "several threads of one process",
                        List.of(
                                "conversions: threads that share the handle's slots are not in the way",
                                "conversions: what conflicts with the mode of a slot that others share is ignored"
                                        + " (rule 4)",
                                "conversions: a shared slot becomes as weak as one of its handles (rule 2)")),
                new Reason(
                        "two conversions and a third request: in no scope",
                        List.of("conversions: a request draws again and reads on as if nothing had happened (rule 8)")),
                new Reason(
                        "fencing tokens",
                        List.of(
                                "conversions: a token of the reservation before the conversion up is shown (rule 3)",
                                "conversions: a slot below a conversion serves further threads (rule 3)")),
                new Reason(
                        "the answer to a caller that gives up is not checked",
                        List.of(
                                "conversions: the mode changes although the caller has given up, whose task comes"
                                        + " later",
                                "conversions: the caller is told that the conversion was given up, and the mode has"
                                        + " changed")),
                new Reason(
                        "slots of lost locks are not checked",
                        List.of("conversions: a handle that is lost by one slot keeps the others")));
    }

    private static Stream<Reason> reasonsOfNotices() {
        return Stream.of(
                new Reason(
                        "not within the bounds of the scopes with notices",
                        List.of(
                                "notices: an idle row ends the newest attempt that is known",
                                "notices: facts stand for the first read after the ticket was written",
                                "notices: an old read ends an attempt that is known to be later",
                                "notices: a session that came back in a later attempt does not block",
                                "notices: a session comes back with an attempt that was told to be over")),
                new Reason(
                        "leases: clocks stand still in scopes with notices",
                        List.of(
                                "notices: a lock is won by a notice without a look at the lease",
                                "notices: a kept lock is granted without a look at the lease")),
                new Reason(
                        "the order of grants is not checked",
                        List.of("notices: the ticket of a session that comes back is below those that are known")),
                new Reason(
                        "reads that are repeated for ever are no violation",
                        List.of("notices: a promised attempt is released under the number of the one before")),
                new Reason(
                        "slots that are left behind are not checked with notices",
                        List.of("notices: a lock is kept without an end")));
    }

    private static List<String> names(Stream<Fault> faults) {
        return faults.map(Fault::name).toList();
    }

    /** The faults of the steps that the search takes. */
    private static Stream<Fault> faultsInReach() {
        return Stream.of(
                        TicketLockMutantsTest.faultsThatTheProtocolOnceHad(),
                        TicketLockMutantsTest.faultsOfAttempts(),
                        TicketLockMutantsTest.faultsOfSessions(),
                        ConversionMutants.all(),
                        NoticeMutants.all())
                .flatMap(faults -> faults);
    }

    @Test
    void everyFaultInReachIsFoundOrHasAReason() {
        List<String> covered = new ArrayList<>(names(AllSchedulesMutantsTest.all()));
        List<String> notFound =
                reasons().flatMap(reason -> reason.faults().stream()).toList();
        covered.addAll(notFound);
        assertThat(covered).doesNotHaveDuplicates().containsAll(names(faultsInReach()));
        assertThat(names(faultsInReach())).containsAll(notFound);
    }

    @Test
    void tableOfThePageHasTheseReasons() throws IOException {
        List<String> rows = reasons()
                .flatMap(reason -> reason.faults().stream().map(fault -> "| " + fault + " | " + reason.text() + " |\n"))
                .toList();
        ResultFile.write("planted-faults-not-found", HEAD, rows);
        assertThat(Path.of("..", "benchmarks", "results", "planted-faults-not-found", "tables.md"))
                .hasContent(HEAD + String.join("", rows));
    }
}
