package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.HARD_PRODUCERS;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PIPELINE;

import io.github.cassandralock.internal.seeded.Mutant;
import java.util.stream.Stream;

/** Faults in handlers (docs/exactly-once.md, section 3). */
final class HandlerMutants {

    private static final String PROTOCOL = "handler.HandlerProtocol";
    private static final String STATE = "handler.StateRegister";
    private static final String WRITING = "handler.OutputWriting";

    private HandlerMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(
                Mutant.of(
                        PIPELINE,
                        Violation.STATE_GOES_BACK,
                        "handler: the state is written without its version",
                        STATE,
                        "listener.stepRefused(definition.name); return",
                        "definition.register.compareAndSet(outcome.present().version(), next.toBytes()); return"),
                Mutant.of(
                        PIPELINE,
                        Violation.UNREAD_OVERWRITTEN,
                        "handler: a mark is raised to the index of a state that is not committed",
                        PROTOCOL,
                        "StateRegister.Change change = committed(seen, next, taking.inputs.size());",
                        "marks.raiseAll(new Snapshot(seen.version(), next));"
                                + " StateRegister.Change change = register.change(seen, next);"),
                Mutant.of(
                        PIPELINE,
                        Violation.DOUBLE,
                        "handler: outputs are pushed, then the state is changed once",
                        PROTOCOL,
                        "StateRegister.Change change = committed(seen, next, taking.inputs.size());",
                        "if (next.phase() instanceof Phase.Preparing preparing) { for (Output output : preparing.outputs()) {"
                                + " io.github.cassandralock.exactlyonce.queue.NumberedPush.push("
                                + "definition.output(output.queue()), outputs.messageOf(output)); }"
                                + " next = next.with(new Phase.Handling()); }"
                                + " StateRegister.Change change = register.change(seen, next);"),
                Mutant.of(
                        PIPELINE,
                        Violation.MADE_UP,
                        "handler: outputs are computed again in WRITING",
                        WRITING,
                        "return new Message(MessageId.of(definition.name, output.sequence()), output.payloads());",
                        "return new Message(MessageId.of(definition.name, output.sequence()),"
                                + " List.of(String.valueOf(System.nanoTime()).getBytes()));"),
                Mutant.of(
                                PIPELINE,
                                Violation.NO_PROGRESS,
                                "handler: the state has an owner, and other copies wait for it",
                                PROTOCOL,
                                "long effects = state.effects();",
                                "long effects = System.identityHashCode(this);")
                        .and(
                                "Phase phase = seen.state().phase();",
                                "Phase phase = seen.state().phase(); if (seen.state().effects() != 0"
                                        + " && seen.state().effects() != System.identityHashCode(this)) { return idle(seen); }"),
                Mutant.of(
                        PIPELINE,
                        Violation.LOST,
                        "handler: HANDLING follows the outputs of a sole producer before they are written",
                        PROTOCOL,
                        "if (phase instanceof Phase.SoleWriting writing && !outputs.isWritten(seen, writing)) {",
                        "if (phase instanceof Phase.SoleWriting writing && false) {"),
                Mutant.of(
                        PIPELINE,
                        Violation.STATE_GOES_BACK,
                        "handler: the time is the calendar's",
                        PROTOCOL,
                        "long time = Math.max(seen.state().time(), calendar.epochMillis());",
                        "long time = calendar.epochMillis();"),
                Mutant.of(
                        PIPELINE,
                        Violation.WRONG_INPUT,
                        "handler: a reader goes past an absent cell",
                        "handler.Taking",
                        "gone |= cell instanceof Cell.Gone; return;",
                        "gone |= cell instanceof Cell.Gone;"
                                + " after.put(queue, new InputPosition(position.index() + 1, position.check()));"),
                Mutant.of(
                        PIPELINE,
                        Violation.SEQUENCE,
                        "handler: a consumer that was added while messages came knows none of their sequences",
                        "handler.Counterparts",
                        "new InputPosition(start.index(), start.check())",
                        "new InputPosition(start.index(), io.github.cassandralock.exactlyonce.queue.SequenceCheck.none())"),
                Mutant.of(
                        PIPELINE,
                        Violation.LOST,
                        "handler: an output whose index another message has is passed over",
                        WRITING,
                        ": new Phase.Preparing(writing.outputs(), writing.position());",
                        ": Phase.ofOutputs(writing.outputs(), writing.position() + 1);"),
                Mutant.of(
                        PIPELINE,
                        Violation.LOST,
                        "handler: whatever message is at the index is taken for the own",
                        WRITING,
                        "instanceof Cell.Full full && full.message().id().equals(messageOf(output).id());",
                        "instanceof Cell.Full;"),
                Mutant.of(
                        PIPELINE,
                        Violation.DOUBLE,
                        "handler: the sequences of outputs are not raised",
                        "handler.OutputGroups",
                        "sequences.put(queue, sequence + 1);",
                        ""),
                Mutant.of(
                        PIPELINE,
                        Violation.WRONG_INPUT,
                        "handler: the function's state is kept though its inputs were others",
                        PROTOCOL,
                        "next = handled(seen, userState, taking.inputs, taking.after);",
                        "next = handled(seen, userState, taking.inputs,"
                                + " Taking.read(definition, seen, hasFailedWith(seen)).after);"),
                Mutant.of(
                        HARD_PRODUCERS,
                        Violation.FAILED,
                        "handler: a copy with an old state ends since its producer was forgotten",
                        WRITING,
                        "return register.changedSince(seen).orElseThrow(() -> cause);",
                        "throw cause;"),
                Mutant.of(
                        PIPELINE,
                        Violation.FAILED,
                        "handler: it is not registered as a consumer, which it must say",
                        "handler.Counterparts",
                        "ConsumerStart start = definition.input(queue).addConsumer(definition.name);",
                        "ConsumerStart start = new ConsumerStart(0,"
                                + " io.github.cassandralock.exactlyonce.queue.SequenceCheck.none());"));
    }
}
