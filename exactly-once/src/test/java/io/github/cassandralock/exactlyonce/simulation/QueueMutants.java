package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.DEAD_PUSHER;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.HARD_PIPELINE;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.HARD_PRODUCERS;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.HELD_RING;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.OLD_RECORDS;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PIPELINE;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PRODUCERS;

import io.github.cassandralock.internal.seeded.Mutant;
import java.util.stream.Stream;

/** Faults in queues and their cleaning (docs/exactly-once.md, section 2). */
final class QueueMutants {

    private static final String CELLS = "queue.Cells";
    private static final String QUEUE = "queue.MessageQueue";
    private static final String LOW_WATER = "queue.LowWaterRegister";
    private static final String LAYOUT = "queue.Layout";
    private static final String CHECK = "queue.SequenceCheck";

    private QueueMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(
                Mutant.of(
                        PIPELINE,
                        Violation.LOST,
                        "queue: values are compared in place of ids",
                        CELLS,
                        "return idIn(index, present).equals(message.id()) ?",
                        "return present.version() == fullVersion(index) && java.util.Arrays.deepEquals("
                                + "message(index, present).payloads().toArray(), message.payloads().toArray()) ?"),
                Mutant.of(
                        PIPELINE,
                        Violation.LOST,
                        "queue: ids are compared without their sequences",
                        CELLS,
                        "return idIn(index, present).equals(message.id()) ?",
                        "return idIn(index, present).producer().equals(message.id().producer()) ?"),
                Mutant.of(
                        PIPELINE,
                        Violation.DOUBLE,
                        "queue: each copy has an id of its own",
                        CELLS,
                        "return idIn(index, present).equals(message.id()) ?",
                        "return false ?"),
                Mutant.of(
                        PIPELINE,
                        Violation.HOLE,
                        "queue: the hint is raised before the cell is written",
                        QUEUE,
                        "Filled filled = fill(index, message, onlyPush);",
                        "hint.raiseTo(index + 1); Filled filled = fill(index, message, onlyPush);"),
                Mutant.of(
                        DEAD_PUSHER,
                        Violation.NO_PROGRESS,
                        "queue: nextIndex trusts the hint",
                        QUEUE,
                        "long index = firstAbsent(from);",
                        "long index = hint.read();"),
                Mutant.of(
                        HARD_PIPELINE,
                        Violation.DOUBLE,
                        "queue: a message whose cell was used again is taken for not ours",
                        QUEUE,
                        "case USED_AGAIN -> wasThere(index, message.id());",
                        "case USED_AGAIN -> false;"),
                Mutant.of(
                        HARD_PIPELINE,
                        Violation.LOST,
                        "queue: a message whose cell was used again is taken for ours",
                        QUEUE,
                        "case USED_AGAIN -> wasThere(index, message.id());",
                        "case USED_AGAIN -> true;"),
                Mutant.of(
                        HARD_PIPELINE,
                        Violation.DOUBLE,
                        "queue: a push whose outcome is unknown and whose cell was used again is taken for not ours",
                        CELLS,
                        "onlyWrite && outcome instanceof Refused;",
                        "onlyWrite;"),
                Mutant.of(
                        OLD_RECORDS,
                        Violation.DOUBLE,
                        "queue: an old low-water record says whether a message was there",
                        LOW_WATER,
                        "while (record.index() <= index) {",
                        "while (index < 0) {"),
                Mutant.of(
                        HARD_PIPELINE,
                        Violation.DOUBLE,
                        "queue: whoever raises L passes over cells that it cannot read",
                        LOW_WATER,
                        "while (index < end && cells.get(index) instanceof Cell.Full full) {",
                        "while (index < end) { if (!(cells.get(index) instanceof Cell.Full full)) { index++;"
                                + " continue; }"),
                Mutant.of(
                        HARD_PIPELINE,
                        Violation.DOUBLE,
                        "queue: whoever raises L does not keep the last sequences",
                        LOW_WATER,
                        "check = check.after(index, full.message().id(), mostProducers);",
                        ""),
                Mutant.of(
                        PIPELINE,
                        Violation.UNREAD_OVERWRITTEN,
                        "queue: a ring is written without regard to the low-water mark",
                        LAYOUT,
                        "return index - cells < lowWater;",
                        "return true;"),
                Mutant.of(
                        PIPELINE,
                        Violation.UNREAD_OVERWRITTEN,
                        "queue: L is the mark of the consumer that raises it",
                        LOW_WATER,
                        "long end = Math.min(record.lowestMark(), index + MOST_READ_AT_ONCE);",
                        "long end = record.marks().values().stream().mapToLong(Long::longValue).max().orElse(0);"),
                Mutant.of(
                        PIPELINE,
                        Violation.LOW_WATER_FALLS,
                        "queue: the low-water record is written without its version",
                        LOW_WATER,
                        "seen = registeredIn(seen(outcome.present()), consumer);",
                        "if (register.compareAndSet(outcome.present().version(), raised.toBytes()) instanceof Applied) {"
                                + " return true; }"),
                Mutant.of(
                        PIPELINE,
                        Violation.COMES_BACK,
                        "queue: the mark of a consumer that was removed is put back",
                        LOW_WATER,
                        "seen = registeredIn(seen(outcome.present()), consumer);",
                        "seen = seen(outcome.present());"),
                Mutant.of(
                        PIPELINE,
                        Violation.COMES_BACK,
                        "queue: a consumer that was removed is forgotten, so its next copy registers it again",
                        "queue.LowWater",
                        "more.add(consumer);",
                        ""),
                Mutant.of(
                        HELD_RING,
                        Violation.NO_PROGRESS,
                        "queue: only consumers raise L, though the one that held it was removed",
                        QUEUE,
                        "record = seen(lowWater.raise());",
                        "record = lowWater();"),
                Mutant.of(
                        PIPELINE,
                        Violation.UNREAD_OVERWRITTEN,
                        "queue: removing a consumer removes the marks of all",
                        "queue.LowWater",
                        "left.remove(consumer);",
                        "left.replaceAll((name, mark) -> index + 100); left.remove(consumer);"),
                Mutant.of(
                        PIPELINE,
                        Violation.WRONG_INPUT,
                        "queue: the reader ignores the lap",
                        CELLS,
                        "if (stored.version() < fullVersion(index)) { return new Cell.Absent(); }"
                                + " if (stored.version() > fullVersion(index)) {",
                        "if (stored.version() == 0) { return new Cell.Absent(); }"
                                + " if (layout.cleansCells() && stored.version() > fullVersion(index)) {"),
                Mutant.of(
                        PIPELINE,
                        Violation.WRITTEN_INTO_THE_PAST,
                        "queue: cells expire",
                        "simulation.SimulatedStore",
                        "void tick() {",
                        "private long expiry = 400; void tick() { if (scheduler.step() > expiry) { expiry += 400;"
                                + " registers.keySet().removeIf(name -> name.contains(\"/cells/\")); }"),
                Mutant.of(
                        PRODUCERS,
                        Violation.HOLE,
                        "queue: a message is written behind a hole",
                        QUEUE,
                        "requirePredecessor(index, message.id());",
                        ""),
                Mutant.of(
                        PIPELINE,
                        Violation.FAILED,
                        "queue: an old read proves that there is no message before",
                        CELLS,
                        "|| cell.readPresent().version() >= fullVersion(index);",
                        "|| false;"),
                Mutant.of(
                        PRODUCERS,
                        Violation.LOST,
                        "queue: a sole producer takes whatever message has its number for its own",
                        QUEUE,
                        "boolean written = cells.append(index, message);",
                        "boolean written = cells.write(index, message, false).found() == Cells.Found.OURS;"),
                Mutant.of(
                                PRODUCERS,
                                Violation.DOUBLE,
                                "queue: a sole producer goes on at the next number if another message has its own",
                                "queue.SoleProducer",
                                "if (!queue.append(message)) {",
                                "if (!queue.append(message)) { next++; return push(payloads); } if (false) {")
                        .and("if (uncertain) {", "if (false) {"),
                Mutant.of(
                        PRODUCERS,
                        Violation.FAILED,
                        "queue: the last message of a kept queue is cleaned",
                        LOW_WATER,
                        "Math.min(committed.index() - 1,",
                        "Math.min(committed.index(),"),
                Mutant.of(
                        HARD_PRODUCERS,
                        Violation.DOUBLE,
                        "queue: the message of a forgotten producer is taken for not there",
                        CHECK,
                        "|| index >= forgottenBelow",
                        "|| true"),
                Mutant.of(
                        HARD_PRODUCERS,
                        Violation.LOST,
                        "queue: the message of a forgotten producer is taken for there",
                        CHECK,
                        ": Optional.empty(); }",
                        ": Optional.of(true); }"),
                Mutant.of(
                        HARD_PRODUCERS,
                        Violation.DOUBLE,
                        "queue: it is not kept up to which index producers were forgotten",
                        CHECK,
                        "below = Math.max(below, oldest.getValue().index() + 1);",
                        "below = Math.max(below, 1);"),
                Mutant.of(
                        PRODUCERS,
                        Violation.SEQUENCE,
                        "queue: a consumer takes a producer that it has forgotten for a new one",
                        CHECK,
                        "|| (expected == 0 && hasForgotten())",
                        ""));
    }
}
