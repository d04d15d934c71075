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
 * Of the rules of conversions and of notices, the search through all schedules finds each planted fault, or there is a reason why it
 * does not. Costs nothing.
 */
class AllSchedulesReachTest {

    private static final String HEAD = "| planted fault that the search does not find | reason |\n|---|---|\n";

    /** Why the search does not find some faults. */
    private record Reason(String text, List<String> faults) {}

    private static Stream<Reason> reasons() {
        return Stream.concat(reasonsOfConversions(), reasonsOfNotices());
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
                        "progress is not checked",
                        List.of("notices: a promised attempt is released under the number of the one before")),
                new Reason(
                        "slots that are left behind are not checked with notices",
                        List.of("notices: a lock is kept without an end")));
    }

    private static List<String> names(Stream<Fault> faults) {
        return faults.map(Fault::name).toList();
    }

    @Test
    void everyFaultOfConversionsAndNoticesIsFoundOrHasAReason() {
        List<String> covered = new ArrayList<>(names(AllSchedulesMutantsTest.all()));
        reasons().forEach(reason -> covered.addAll(reason.faults()));
        assertThat(covered).doesNotHaveDuplicates().containsAll(names(ConversionMutants.all()));
        assertThat(covered).containsAll(names(NoticeMutants.all()));
        assertThat(names(Stream.concat(ConversionMutants.all(), NoticeMutants.all())))
                .containsAll(
                        reasons().flatMap(reason -> reason.faults().stream()).toList());
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
