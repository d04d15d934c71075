package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.BENEATH;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.FORMER_QUEUES;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.RENAMES;

import io.github.cassandralock.internal.seeded.Fault;
import java.util.stream.Stream;

/** Faults in how parts find out that they do not belong together (docs/exactly-once.md, section 4). */
final class RenameMutants {

    private RenameMutants() {}

    static Stream<Fault> all() {
        return Stream.of(
                Fault.of(RENAMES, Violation.LOST, "rename: a sink goes on with its index in whatever queue it is given")
                        .in("sink.SinkCopy", "attach")
                        .replacing("""
                              {
                                  requireThisQueue(origin.get());
                                  return Optional.of(queue.attachConsumer(name, origin.get().birth()));
                              }""", "{ queue.addConsumer(name); return Optional.of(0L); }"),
                Fault.of(RENAMES, Violation.LOST, "rename: a position that was restored from a backup goes on")
                        .in("sink.SinkCopy", "takeAll")
                        .replacing("position.index() < markAtStart", "false"),
                Fault.of(RENAMES, Violation.DOUBLE, "rename: an outbox is pumped to whatever queue its pump is given")
                        .in("sink.OutboxPump", "isAttached")
                        .replacing("requireThisQueue(target);", ""),
                Fault.of(RENAMES, Violation.LOST, "rename: a queue lets another state or position go on under a name")
                        .in("queue.LowWaterRegister", "attach")
                        .replacing("birth.equals(births.apply(seen.record()).get(name))", "true"),
                Fault.of(RENAMES, Violation.FAILED, "rename: the mark that shows a restored position is an old one")
                        .in("queue.LowWaterRegister", "attachConsumer")
                        .replacing("register.readPresent()", "register.read()"),
                Fault.of(RENAMES, Violation.SEQUENCE, "rename: a handler does not compare the births of its queues")
                        .in("handler.Counterparts", "requireSame")
                        .replacing("!counted.equals(present.getValue())", "false"),
                Fault.of(RENAMES, Violation.NO_PROGRESS, "rename: the state at rest names the queue of a sole producer")
                        .in("handler.HandlerProtocol", "idle")
                        .replacing("seen.version() == idleVersion && !isAtRest(seen)", "false"),
                Fault.of(
                                BENEATH,
                                Violation.NO_PROGRESS,
                                "rename: a copy that waits does not look whether its queue was emptied")
                        .in("queue.ConsumerMark", "raiseIfHigher")
                        .replacing("queue.requireReached(consumer, committed);", ""),
                Fault.of(
                                BENEATH,
                                Violation.LOST,
                                "rename: a pump that waits does not look whether its outbox was restored")
                        .in("sink.OutboxPump", "requireItsOutbox")
                        .replacing("requireRowsOf(origin.get(), new Pushed(true, number));", ""),
                Fault.of(
                                BENEATH,
                                Violation.NO_PROGRESS,
                                "rename: a handler takes messages before it checks that its exclusive output is its own")
                        .in("handler.Counterparts", "startsOf")
                        .replacing("requireSoleProducer();", ""),
                Fault.of(
                                BENEATH,
                                Violation.DOUBLE,
                                "rename: a handler does not compare its restored state with its outputs")
                        .in("handler.Counterparts", "attach")
                        .replacing("old |= isBeforeLastOf(queue, state);", ""),
                Fault.of(
                                BENEATH,
                                Violation.DOUBLE,
                                "rename: a restored state is compared with the last message of a shared output alone")
                        .in("handler.Counterparts", "lastOwnIn")
                        .replacing("Math.max(0, end - MOST_LOOKED_BACK)", "end - 1"),
                Fault.of(
                                BENEATH,
                                Violation.DOUBLE,
                                "rename: outputs whose cells others have used again do not show a restored state")
                        .in("handler.Counterparts", "lastOwnIn")
                        .replacing("lastRemembered(output, index)", "Optional.empty()"),
                Fault.of(
                                BENEATH,
                                Violation.SEQUENCE,
                                "rename: an old low-water record hides the last output of a restored state")
                        .in("handler.Counterparts", "lastRemembered")
                        .replacing("record.index() <= gone", "false"),
                Fault.of(
                                BENEATH,
                                Violation.FAILED,
                                "rename: an output that was decided as exclusive stays so when others push to it")
                        .in("handler.OutputWriting", "requireOrdinary")
                        .replacing("definition.soleProducerOf.contains(output.queue())", "true"),
                Fault.of(BENEATH, Violation.DOUBLE, "rename: an old read of the end of an output counts")
                        .in("handler.Counterparts", "endOf")
                        .replacing("!(output.readConfirmed(next) instanceof Cell.Absent)", "next < 0"),
                Fault.of(
                                BENEATH,
                                Violation.DOUBLE,
                                "rename: a restored state writes an output that it had decided at another index")
                        .in("handler.HandlerState", "mayHaveWritten")
                        .replacing("phase.mayHaveWritten(queue, sequence, index)", "true"),
                Fault.of(
                                FORMER_QUEUES,
                                Violation.NO_PROGRESS,
                                "rename: the state keeps the producers of queues that are not taken any more")
                        .in("handler.HandlerState", "forgettingProducersExceptOf")
                        .body("return this;"));
    }
}
