package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.HARD_PIPELINE;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PIPELINE;

import io.github.cassandralock.internal.seeded.Mutant;
import java.util.stream.Stream;

/** Faults in how outcomes are settled (docs/exactly-once.md, section 1). */
final class RegisterMutants {

    private static final String REGISTER = "register.VersionedRegister";
    private static final String CELLS = "queue.Cells";

    private RegisterMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(
                Mutant.of(
                                PIPELINE,
                                Violation.DOUBLE,
                                "register: an unknown outcome is taken for a refusal",
                                REGISTER,
                                "unknown = e; pauseBeforeSendingAgain(e); return Optional.empty();",
                                "return Optional.of(new CompareAndSetOutcome.Refused(read()));")
                        .and(
                                CELLS,
                                "return idIn(index, present)",
                                "if (present.version() < fullVersion(index)) { return Found.ANOTHERS; }"
                                        + " return idIn(index, present)"),
                Mutant.of(
                        PIPELINE,
                        Violation.LOST,
                        "register: an unknown outcome is taken for applied",
                        REGISTER,
                        "unknown = e; pauseBeforeSendingAgain(e); return Optional.empty();",
                        "return Optional.of(new CompareAndSetOutcome.Applied(StoredValue.of(expected + 1, writeId, value)));"),
                Mutant.of(
                        PIPELINE,
                        Violation.MADE_UP,
                        "register: overtaken is taken for applied",
                        "handler.StateRegister",
                        "if (outcome instanceof Applied) { resetPauses();",
                        "if (!(outcome instanceof CompareAndSetOutcome.Refused)) { resetPauses();"),
                Mutant.of(
                                PIPELINE,
                                Violation.DOUBLE,
                                "register: an own write that is found at expected + 1 is taken for another's",
                                REGISTER,
                                "present.isWrittenBy(writeId) ? new CompareAndSetOutcome.Applied(present)",
                                "false ? new CompareAndSetOutcome.Applied(present)")
                        .and(CELLS, "return idIn(index, present).equals(message.id()) ?", "return false ?"),
                Mutant.of(
                                PIPELINE,
                                Violation.HOLE,
                                "register: a write that is still open is given up",
                                REGISTER,
                                "if (present.version() == expected) { pauseBeforeSendingAgain(null); return Optional.empty(); }",
                                "if (present.version() == expected) {"
                                        + " return Optional.of(new CompareAndSetOutcome.Refused(present)); }")
                        .and(
                                REGISTER,
                                "unknown = e; pauseBeforeSendingAgain(e); return Optional.empty();",
                                "return settle(read());")
                        .and(
                                CELLS,
                                "return idIn(index, present)",
                                "if (present.version() < fullVersion(index)) { return Found.ANOTHERS; }"
                                        + " return idIn(index, present)")
                        .and(
                                "handler.OutputWriting",
                                ": new Phase.Preparing(writing.outputs(), writing.position());",
                                ": new Phase.Writing(writing.outputs(), writing.position(), writing.index() + 1);"),
                Mutant.of(
                                HARD_PIPELINE,
                                Violation.DOUBLE,
                                "register: a refusal is judged by a read made afterwards",
                                CELLS,
                                "StoredValue present = outcome.present();",
                                "StoredValue present = cell(index).read();")
                        .and(
                                "return idIn(index, present)",
                                "if (present.version() < fullVersion(index)) { return Found.ANOTHERS; }"
                                        + " return idIn(index, present)"));
    }
}
