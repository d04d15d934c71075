package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.DEAD_PUSHER;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.HARD_PIPELINE;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.HARD_PRODUCERS;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.HELD_RING;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.OLD_RECORDS;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PIPELINE;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PRODUCERS;

import io.github.cassandralock.internal.seeded.Fault;
import java.util.stream.Stream;

/** Faults in queues and their cleaning (docs/exactly-once.md, section 2). */
final class QueueMutants {

    private QueueMutants() {}

    static Stream<Fault> all() {
        return Stream.of(
                Fault.of(PIPELINE, Violation.LOST, "queue: values are compared in place of ids")
                        .in("queue.Cells", "found")
                        .replacing("idIn(index, present).equals(message.id())", """
                              present.getVersion() == fullVersion(index)
                                      && java.util.Arrays.deepEquals(
                                              message(index, present).payloads().toArray(), message.payloads().toArray())"""),
                Fault.of(PIPELINE, Violation.LOST, "queue: ids are compared without their sequences")
                        .in("queue.Cells", "found")
                        .replacing(
                                "idIn(index, present).equals(message.id())",
                                "idIn(index, present).producer().equals(message.id().producer())"),
                Fault.of(PIPELINE, Violation.DOUBLE, "queue: each copy has an id of its own")
                        .in("queue.Cells", "found")
                        .replacing("idIn(index, present).equals(message.id())", "false"),
                Fault.of(PIPELINE, Violation.HOLE, "queue: the hint is raised before the cell is written")
                        .in("queue.MessageQueue", "pushAt(long, Message, boolean)")
                        .around("hint.raiseTo(index + 1); return right(index, message, onlyPush);"),
                Fault.of(DEAD_PUSHER, Violation.NO_PROGRESS, "queue: nextIndex trusts the hint")
                        .in("queue.MessageQueue", "readNextIndex")
                        .replacing("cells.firstAbsent(from)", "hint.read()"),
                Fault.of(
                                HARD_PIPELINE,
                                Violation.DOUBLE,
                                "queue: a message whose cell was used again is taken for not ours")
                        .in("queue.MessageQueue", "fill")
                        .replacing("wasThere(index, message.id())", "false"),
                Fault.of(HARD_PIPELINE, Violation.LOST, "queue: a message whose cell was used again is taken for ours")
                        .in("queue.MessageQueue", "fill")
                        .replacing("wasThere(index, message.id())", "true"),
                Fault.of(
                                HARD_PIPELINE,
                                Violation.DOUBLE,
                                "queue: a push whose outcome is unknown and whose cell was used again is taken for not ours")
                        .in("queue.Cells", "write")
                        .replacing("onlyWrite && outcome instanceof Refused", "onlyWrite"),
                Fault.of(
                                OLD_RECORDS,
                                Violation.DOUBLE,
                                "queue: an old low-water record says whether a message was there")
                        .in("queue.LowWaterRegister", "wasThere")
                        .body("return read().check().wasThere(index, id);"),
                Fault.of(
                                HARD_PIPELINE,
                                Violation.DOUBLE,
                                "queue: whoever raises L passes over cells that it cannot read")
                        .in("queue.LowWaterRegister", "withAllCellsRead")
                        .body("""
                              SequenceCheck check = record.check();
                              long index = record.index();
                              long end = Math.min(record.lowestMark(), index + MOST_READ_AT_ONCE);
                              for (; index < end; index++) {
                                  if (cells.get(index) instanceof Cell.Full full) {
                                      check = check.after(index, full.message().id(), mostProducers);
                                  }
                              }
                              return record.raisedTo(index, check);"""),
                Fault.of(HARD_PIPELINE, Violation.DOUBLE, "queue: whoever raises L does not keep the last sequences")
                        .in("queue.LowWaterRegister", "withAllCellsRead")
                        .replacing("check = check.after(index, full.message().id(), mostProducers);", ""),
                Fault.of(
                                PIPELINE,
                                Violation.UNREAD_OVERWRITTEN,
                                "queue: a ring is written without regard to the low-water mark")
                        .in("queue.Layout.Ring", "mayWrite")
                        .body("return true;"),
                Fault.of(PIPELINE, Violation.UNREAD_OVERWRITTEN, "queue: L is the mark of the consumer that raises it")
                        .in("queue.LowWaterRegister", "withAllCellsRead")
                        .replacing(
                                "Math.min(record.lowestMark(), index + MOST_READ_AT_ONCE)",
                                "record.marks().values().stream().mapToLong(Long::longValue).max().orElse(0)"),
                Fault.of(
                                PIPELINE,
                                Violation.LOW_WATER_FALLS,
                                "queue: the low-water record is written without its version")
                        .in("queue.LowWaterRegister", "raiseMark")
                        .replacing("seen = registeredIn(seen(outcome.present()), consumer);", """
                              if (register.compareAndSet(outcome.present().getVersion(), raised.toBytes()) instanceof Applied) {
                                  return true;
                              }"""),
                Fault.of(PIPELINE, Violation.COMES_BACK, "queue: the mark of a consumer that was removed is put back")
                        .in("queue.LowWaterRegister", "raiseMark")
                        .replacing("registeredIn(seen(outcome.present()), consumer)", "seen(outcome.present())"),
                Fault.of(
                                PIPELINE,
                                Violation.COMES_BACK,
                                "queue: a consumer that was removed is forgotten, so its next copy registers it again")
                        .in("queue.LowWater", "without")
                        .replacing("more.add(consumer);", ""),
                Fault.of(
                                HELD_RING,
                                Violation.NO_PROGRESS,
                                "queue: only consumers raise L, though the one that held it was removed")
                        .in("queue.RingRoom", "whyFull")
                        .replacing("seen(lowWater.raise())", "readLowWater()"),
                Fault.of(PIPELINE, Violation.UNREAD_OVERWRITTEN, "queue: removing a consumer removes the marks of all")
                        .in("queue.LowWater", "without")
                        .replacing(
                                "left.remove(consumer);",
                                "left.replaceAll((name, mark) -> index + 100); left.remove(consumer);"),
                Fault.of(PIPELINE, Violation.WRONG_INPUT, "queue: the reader ignores the lap")
                        .in("queue.Cells", "get")
                        .body("""
                              StoredValue stored = cell(index).read();
                              if (stored.getVersion() == 0) {
                                  return new Cell.Absent();
                              }
                              return layout.isCleaningCells() && stored.getVersion() > fullVersion(index)
                                      ? new Cell.Gone()
                                      : new Cell.Full(message(index, stored));"""),
                Fault.of(PIPELINE, Violation.WRITTEN_INTO_THE_PAST, "queue: cells expire")
                        .in("simulation.SimulatedStore", "tick")
                        .around("""
                              if (scheduler.step() > expiry) {
                                  expiry += 400;
                                  registers.keySet().removeIf(name -> name.contains("/cells/"));
                              }
                              right();""")
                        .with("private long expiry = 400;"),
                Fault.of(PRODUCERS, Violation.HOLE, "queue: a message is written behind a hole")
                        .in("queue.MessageQueue", "fill")
                        .replacing("requirePredecessor(index, message.id());", ""),
                Fault.of(PIPELINE, Violation.FAILED, "queue: an old read proves that there is no message before")
                        .in("queue.Cells", "isFilled")
                        .body("return cell(index).read().getVersion() >= fullVersion(index);"),
                Fault.of(
                                PRODUCERS,
                                Violation.LOST,
                                "queue: a sole producer takes whatever message has its number for its own")
                        .in("queue.MessageQueue", "append")
                        .replacing(
                                "cells.append(index, message)",
                                "cells.write(index, message, false).found() == Cells.Found.OURS"),
                Fault.of(
                                PRODUCERS,
                                Violation.DOUBLE,
                                "queue: a sole producer goes on at the next number if another message has its own")
                        .in("queue.SoleProducer", "push(List<byte[]>)")
                        .body("""
                              Message message = new Message(MessageId.of(name, next), payloads);
                              if (!queue.append(message)) {
                                  next++;
                                  return push(payloads);
                              }
                              last = Optional.of(message);
                              return next++;"""),
                Fault.of(PRODUCERS, Violation.FAILED, "queue: the last message of a kept queue is cleaned")
                        .in("queue.LowWaterRegister", "withCellsBuried")
                        .replacing("committed.index() - 1", "committed.index()"),
                Fault.of(
                                HARD_PRODUCERS,
                                Violation.DOUBLE,
                                "queue: the message of a forgotten producer is taken for not there")
                        .in("queue.SequenceCheck", "wasThere")
                        .replacing("index >= forgottenBelow", "true"),
                Fault.of(
                                HARD_PRODUCERS,
                                Violation.LOST,
                                "queue: the message of a forgotten producer is taken for there")
                        .in("queue.SequenceCheck", "wasThere")
                        .replacing("Optional.empty()", "Optional.of(true)"),
                Fault.of(
                                HARD_PRODUCERS,
                                Violation.DOUBLE,
                                "queue: it is not kept up to which index producers were forgotten")
                        .in("queue.SequenceCheck", "after")
                        .replacing("Math.max(below, oldest.getValue().index() + 1)", "Math.max(below, 1)"),
                Fault.of(
                                PRODUCERS,
                                Violation.SEQUENCE,
                                "queue: a consumer takes a producer that it has forgotten for a new one")
                        .in("queue.SequenceCheck", "violation")
                        .replacing("(expected == 0 && hasForgotten())", "false"));
    }
}
