package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.FAN_OUT;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.HARD_PRODUCERS;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PIPELINE;

import io.github.cassandralock.internal.seeded.Fault;
import java.util.stream.Stream;

/** Faults in handlers (docs/exactly-once.md, section 3). */
final class HandlerMutants {

    private HandlerMutants() {}

    static Stream<Fault> all() {
        return Stream.of(
                Fault.of(PIPELINE, Violation.STATE_GOES_BACK, "handler: the state is written without its version")
                        .in("handler.StateRegister", "change")
                        .replacing(
                                "listener.onStepRefused(definition.name);",
                                "definition.register.compareAndSet(outcome.present().getVersion(), next.toBytes());"),
                Fault.of(
                                PIPELINE,
                                Violation.UNREAD_OVERWRITTEN,
                                "handler: a mark is raised to the index of a state that is not committed")
                        .in("handler.HandlerProtocol", "decide")
                        .replacing("StateRegister.Change change = committed(seen, next, taking.inputs.size());", """
                              marks.raiseAll(new Snapshot(seen.version(), next));
                              StateRegister.Change change = register.change(seen, next);"""),
                Fault.of(PIPELINE, Violation.DOUBLE, "handler: outputs are pushed, then the state is changed once")
                        .in("handler.HandlerProtocol", "decide")
                        .replacing("StateRegister.Change change = committed(seen, next, taking.inputs.size());", """
                              if (next.phase() instanceof Phase.Preparing preparing) {
                                  for (Output output : preparing.outputs()) {
                                      io.github.cassandralock.exactlyonce.queue.NumberedPush.push(
                                              definition.output(output.queue()), outputs.messageOf(output));
                                  }
                                  next = next.with(new Phase.Handling());
                              }
                              StateRegister.Change change = register.change(seen, next);"""),
                Fault.of(PIPELINE, Violation.MADE_UP, "handler: outputs are computed again in WRITING")
                        .in("handler.OutputWriting", "messageOf")
                        .body("""
                              return new Message(
                                      MessageId.of(definition.name, output.sequence()),
                                      List.of(String.valueOf(System.nanoTime()).getBytes()));"""),
                Fault.of(
                                PIPELINE,
                                Violation.NO_PROGRESS,
                                "handler: the state has an owner, and other copies wait for it")
                        .in("handler.FollowingState", "afterResult")
                        .replacing("state.effects()", "System.identityHashCode(this)")
                        .in("handler.HandlerProtocol", "doPhase")
                        .around("""
                              long owner = seen.state().effects();
                              return owner == 0 || owner == System.identityHashCode(following) ? right(seen) : idle(seen);"""),
                Fault.of(
                                PIPELINE,
                                Violation.LOST,
                                "handler: HANDLING follows the outputs of a sole producer before they are written")
                        .in("handler.HandlerProtocol", "doPhase")
                        .replacing("!outputs.isWritten(seen, writing)", "false"),
                Fault.of(PIPELINE, Violation.STATE_GOES_BACK, "handler: the time is the calendar's")
                        .in("handler.HandlerProtocol", "time")
                        .body("return calendar.readEpochMillis();"),
                Fault.of(PIPELINE, Violation.WRONG_INPUT, "handler: a reader goes past an absent cell")
                        .in("handler.Taking", "take(String, int)")
                        .replacing(
                                "return;",
                                "after.put(queue, new InputPosition(position.index() + 1, position.check()));"),
                Fault.of(
                                PIPELINE,
                                Violation.SEQUENCE,
                                "handler: a consumer that was added while messages came knows none of their sequences")
                        .in("handler.Counterparts", "startsOf")
                        .replacing("start.check()", "io.github.cassandralock.exactlyonce.queue.SequenceCheck.none()"),
                Fault.of(PIPELINE, Violation.LOST, "handler: an output whose index another message has is passed over")
                        .in("handler.OutputWriting", "write")
                        .replacing(
                                "new Phase.Preparing(writing.outputs(), writing.position())",
                                "Phase.ofOutputs(writing.outputs(), writing.position() + 1)"),
                Fault.of(PIPELINE, Violation.LOST, "handler: whatever message is at the index is taken for the own")
                        .in("handler.OutputWriting", "isThere")
                        .body("""
                              return !register.isOwn(seen)
                                      && definition.output(output.queue()).read(index) instanceof Cell.Full;"""),
                Fault.of(PIPELINE, Violation.DOUBLE, "handler: the sequences of outputs are not raised")
                        .in("handler.FollowingState", "output")
                        .replacing("sequences.put(queue, sequence + 1);", ""),
                Fault.of(
                                PIPELINE,
                                Violation.WRONG_INPUT,
                                "handler: the function's state is kept though its inputs were others")
                        .in("handler.HandlerProtocol", "decide")
                        .replacing(
                                "handled(seen, userState, taking.inputs, taking.after)",
                                "handled(seen, userState, taking.inputs, Taking.read(definition, seen, hasFailedWith(seen), false).after)"),
                Fault.of(
                                HARD_PRODUCERS,
                                Violation.FAILED,
                                "handler: a copy with an old state ends since its producer was forgotten")
                        .in("handler.HandlerProtocol", "afterOvertaken")
                        .body("throw cause;"),
                Fault.of(PIPELINE, Violation.FAILED, "handler: it is not registered as a consumer, which it must say")
                        .in("handler.Counterparts", "startsOf")
                        .replacing(
                                "definition.input(queue).addConsumer(definition.name)",
                                "new ConsumerStart(0, io.github.cassandralock.exactlyonce.queue.SequenceCheck.none())"),
                Fault.of(FAN_OUT, Violation.LOST, "handler: all queues count as written when one of them is")
                        .in("handler.OutputWriting", "missing")
                        .replacing("!written.contains(position)", "written.isEmpty()"),
                Fault.of(FAN_OUT, Violation.FAILED, "handler: the outputs to one queue are written at the same time")
                        .in("handler.OutputWriting", "branches")
                        .replacing("writing.outputs().get(position).queue()", "String.valueOf(position)"));
    }
}
