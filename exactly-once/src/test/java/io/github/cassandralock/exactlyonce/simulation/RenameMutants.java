package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.RENAMES;

import io.github.cassandralock.internal.seeded.Mutant;
import java.util.stream.Stream;

/** Faults in how parts find out that they do not belong together (docs/exactly-once.md, section 4). */
final class RenameMutants {

    private static final String SINK = "sink.SinkCopy";
    private static final String PUMP = "sink.OutboxPump";
    private static final String COUNTERPARTS = "handler.Counterparts";

    private RenameMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(
                Mutant.of(
                        RENAMES,
                        Violation.LOST,
                        "rename: a sink goes on with its index in whatever queue it is given",
                        SINK,
                        "requireThisQueue(origin.get()); return Optional.of(queue.attachConsumer(name, origin.get().birth()));",
                        "queue.addConsumer(name); return Optional.of(0L);"),
                Mutant.of(
                        RENAMES,
                        Violation.LOST,
                        "rename: a position that was restored from a backup goes on",
                        SINK,
                        "if (position.index() < markAtStart) {",
                        "if (false) {"),
                Mutant.of(
                        RENAMES,
                        Violation.DOUBLE,
                        "rename: an outbox is pumped to whatever queue its pump is given",
                        PUMP,
                        "requireThisQueue(target);",
                        ""),
                Mutant.of(
                        RENAMES,
                        Violation.LOST,
                        "rename: a queue lets another state or position go on under a name",
                        "queue.LowWaterRegister",
                        "boolean same = birth.equals(births.apply(seen.record()).get(name))",
                        "boolean same = true || birth.equals(births.apply(seen.record()).get(name))"),
                Mutant.of(
                        RENAMES,
                        Violation.FAILED,
                        "rename: the mark that shows a restored position is an old one",
                        "queue.LowWaterRegister",
                        "born(register.readPresent())",
                        "born(register.read())"),
                Mutant.of(
                        RENAMES,
                        Violation.SEQUENCE,
                        "rename: a handler does not compare the births of its queues",
                        COUNTERPARTS,
                        "if (!counted.equals(present.getValue())) {",
                        "if (false) {"),
                Mutant.of(
                        RENAMES,
                        Violation.NO_PROGRESS,
                        "rename: the state at rest names the queue of a sole producer",
                        "handler.HandlerProtocol",
                        "if (seen.version() == idleVersion && !isAtRest(seen)) {",
                        "if (false) {"));
    }
}
