package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.TABLE;

import io.github.cassandralock.internal.seeded.Fault;
import java.util.stream.Stream;

/** Faults with messages in a table (docs/exactly-once.md, "Messages in a table"). */
final class TableMutants {

    private TableMutants() {}

    static Stream<Fault> all() {
        return Stream.of(
                Fault.of(TABLE, Violation.DOUBLE, "table: a message is not deleted")
                        .in("table.TableCopy", "step")
                        .replacing("transaction.delete(messages);", ""),
                Fault.of(TABLE, Violation.DOUBLE, "table: effect and deletion are two transactions")
                        .in("simulation.SimulatedTable", "change")
                        .replacing("effects.addAll(made);", "effects.addAll(made); scheduler.pass();"),
                Fault.of(TABLE, Violation.DOUBLE, "table: a message that another transaction has locked is taken")
                        .in("simulation.SimulatedTable", "isDue")
                        .replacing(
                                "row.notBefore <= scheduler.step() && isFree(row)",
                                "row.notBefore <= scheduler.step()"),
                Fault.of(TABLE, Violation.LOST, "table: a message whose effect failed is deleted")
                        .in("table.TableCopy", "step")
                        .replacing("transaction.apply(messages);", """
                              try {
                                  transaction.apply(messages);
                              } catch (MessageFailedException e) {
                                  log.debug("a failure that is passed over", e);
                              }"""),
                Fault.of(TABLE, Violation.NO_PROGRESS, "table: a group that failed is tried again as a group")
                        .in("table.TableCopy", "failed")
                        .replacing("alone.put(step.kind(), messages.size());", ""),
                Fault.of(
                                TABLE,
                                Violation.NO_PROGRESS,
                                "table: the oldest message that has failed is tried first every time")
                        .in("simulation.SimulatedTable", "unordered")
                        .replacing("failed ? row.notBefore : row.id", "row.id"),
                Fault.of(
                                TABLE,
                                Violation.SEQUENCE,
                                "table: a message with a key overtakes one that waits or that came meanwhile")
                        .in("simulation.SimulatedTable", "lane")
                        .replacing("!isHead(head)", "head.lane.isEmpty()"),
                Fault.of(
                                TABLE,
                                Violation.NO_PROGRESS,
                                "table: a lane whose first message has failed is taken like others")
                        .in("simulation.SimulatedTable", "head")
                        .replacing("isFree(lane.get(0)) && lane.get(0).failures == 0", "isDue(lane.get(0))"),
                Fault.of(TABLE, Violation.NO_PROGRESS, "table: messages with a key are not looked for")
                        .in("table.MessageKind", "next")
                        .replacing("case NEW -> ORDERED;", "case NEW -> FAILED;"));
    }
}
