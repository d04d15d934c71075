package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.HARD_PIPELINE;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PIPELINE;

import io.github.cassandralock.internal.seeded.Fault;
import java.util.stream.Stream;

/** Faults in how outcomes are settled (docs/exactly-once.md, section 1). */
final class RegisterMutants {

    private RegisterMutants() {}

    static Stream<Fault> all() {
        return Stream.of(
                Fault.of(PIPELINE, Violation.DOUBLE, "register: an unknown outcome is taken for a refusal")
                        .in("register.VersionedRegister.Sending", "sendOnce")
                        .replacing(
                                "{ unknown = e; pauseBeforeSendingAgain(e); return Optional.empty(); }",
                                "{ return Optional.of(new CompareAndSetOutcome.Refused(read())); }")
                        .in("queue.Cells", "found")
                        .around(
                                "return present.getVersion() < fullVersion(index) ? Found.ANOTHERS : right(index, message, present);"),
                Fault.of(PIPELINE, Violation.LOST, "register: an unknown outcome is taken for applied")
                        .in("register.VersionedRegister.Sending", "sendOnce")
                        .replacing("{ unknown = e; pauseBeforeSendingAgain(e); return Optional.empty(); }", """
                              {
                                  return Optional.of(new CompareAndSetOutcome.Applied(StoredValue.of(expected + 1, writeId, value)));
                              }"""),
                Fault.of(PIPELINE, Violation.MADE_UP, "register: overtaken is taken for applied")
                        .in("handler.StateRegister", "change")
                        .replacing("outcome instanceof Applied", "!(outcome instanceof CompareAndSetOutcome.Refused)"),
                Fault.of(
                                PIPELINE,
                                Violation.DOUBLE,
                                "register: an own write that is found at expected + 1 is taken for another's")
                        .in("register.VersionedRegister.Sending", "settle")
                        .replacing("present.isWrittenBy(writeId)", "false")
                        .in("queue.Cells", "found")
                        .replacing("idIn(index, present).equals(message.id())", "false"),
                Fault.of(PIPELINE, Violation.HOLE, "register: a write that is still open is given up")
                        .in("register.VersionedRegister.Sending", "settle")
                        .around("""
                              return present.getVersion() == expected
                                      ? Optional.of(new CompareAndSetOutcome.Refused(present))
                                      : right(present);""")
                        .in("register.VersionedRegister.Sending", "sendOnce")
                        .replacing(
                                "{ unknown = e; pauseBeforeSendingAgain(e); return Optional.empty(); }",
                                "{ return settle(read()); }")
                        .in("queue.Cells", "found")
                        .around(
                                "return present.getVersion() < fullVersion(index) ? Found.ANOTHERS : right(index, message, present);")
                        .in("handler.OutputWriting", "write")
                        .replacing(
                                "new Phase.Preparing(writing.outputs(), writing.position())",
                                "new Phase.Writing(writing.outputs(), writing.position(), writing.index() + 1)"),
                Fault.of(HARD_PIPELINE, Violation.DOUBLE, "register: a refusal is judged by a read made afterwards")
                        .in("queue.Cells", "write")
                        .replacing("outcome.present()", "cell(index).read()")
                        .in("queue.Cells", "found")
                        .around(
                                "return present.getVersion() < fullVersion(index) ? Found.ANOTHERS : right(index, message, present);"));
    }
}
