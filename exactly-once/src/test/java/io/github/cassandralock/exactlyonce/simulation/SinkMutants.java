package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.HARD_MONEY;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.MONEY;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PIPELINE;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.RESTORED_STATES;

import io.github.cassandralock.internal.seeded.Fault;
import java.util.stream.Stream;

/** Faults in sinks and half transactions (docs/exactly-once.md, sections 4 and 5). */
final class SinkMutants {

    private SinkMutants() {}

    static Stream<Fault> all() {
        return Stream.of(
                Fault.of(PIPELINE, Violation.DOUBLE, "sink: the index is updated whatever it is")
                        .in("simulation.SimulatedSink", "commit")
                        .replacing("if (present().index() != from.index()) { return false; }", ""),
                Fault.of(PIPELINE, Violation.LOST, "sink: the index is raised though nothing is there")
                        .in("sink.SinkCopy", "takeAll")
                        .replacing("Cell cell = queue.read(position.index());", """
                              Cell cell = queue.read(position.index());
                              if (cell instanceof Cell.Absent) {
                                  sink.take(
                                          position,
                                          new Message(
                                                  new io.github.cassandralock.exactlyonce.queue.MessageId("none", 0, true),
                                                  java.util.List.of()),
                                          new SinkPosition(position.index() + 1, position.check()));
                              }"""),
                Fault.of(PIPELINE, Violation.LOST, "sink: index and effect are two transactions")
                        .in("simulation.SimulatedSink", "commit")
                        .replacing("positions.add(to);", "positions.add(to); scheduler.pass();"),
                Fault.of(MONEY, Violation.WRONG_SUM, "account: it keeps no handler's sequence")
                        .in("sink.RegisterSink", "apply")
                        .replacing("last.map(SinkRegister.Effect::sequence).orElse(-1L)", "-1"),
                Fault.of(MONEY, Violation.WRONG_SUM, "account: the sequence of effects is not raised")
                        .in("handler.FollowingState", "afterResult")
                        .replacing("effects++", "effects"),
                Fault.of(HARD_MONEY, Violation.WRONG_SUM, "account: a refusal is not kept")
                        .in("sink.RegisterSink", "apply")
                        .replacing("Changed change = change(key, seen, handler, birth, sequence, request);", """
                              Changed change = change(key, seen, handler, birth, sequence, request);
                              if (new String(change.result().toArray()).equals("no")) {
                                  return Optional.of(change.result());
                              }"""),
                Fault.of(HARD_MONEY, Violation.WRONG_SUM, "account: overtaken is taken for done")
                        .in("sink.RegisterSink", "apply")
                        .replacing("outcome instanceof Applied", "!(outcome instanceof CompareAndSetOutcome.Refused)"),
                Fault.of(MONEY, Violation.WRONG_SUM, "account: a copy that is behind makes its effect again")
                        .in("sink.RegisterSink", "apply")
                        .replacing("if (applied > sequence) { return Optional.empty(); }", ""),
                Fault.of(RESTORED_STATES, Violation.LOST, "account: it does not keep which request it was")
                        .in("sink.RegisterSink", "apply")
                        .replacing("last.isPresent() && last.get().isOfAnother(sequence, request)", "false"),
                Fault.of(MONEY, Violation.WRONG_SUM, "account: the effect takes place before EFFECT is committed")
                        .in("handler.HandlerProtocol", "decide")
                        .replacing("StateRegister.Change change = committed(seen, next, taking.inputs.size());", """
                              if (next.phase() instanceof Phase.Effect early) {
                                  long sequence = seen.version() * 1000 + System.identityHashCode(this) % 1000;
                                  definition.sink(early.sink()).apply(
                                          early.key(), definition.name, seen.state().birth(), sequence, early.request());
                                  try {
                                      next = afterEffect(
                                              new Snapshot(seen.version(), next),
                                              following.userState(next),
                                              early,
                                              Bytes.of("ok".getBytes()));
                                  } catch (Exception e) {
                                      throw new IllegalStateException(e);
                                  }
                              }
                              StateRegister.Change change = register.change(seen, next);"""),
                Fault.of(MONEY, Violation.WRONG_SUM, "bank: index and balance are two transactions")
                        .in("simulation.SimulatedSink", "commit")
                        .replacing("positions.add(to);", "positions.add(to); scheduler.pass();"),
                Fault.of(MONEY, Violation.WRONG_SUM, "bank: the index is updated whatever it is")
                        .in("simulation.SimulatedSink", "commit")
                        .replacing("if (present().index() != from.index()) { return false; }", ""),
                Fault.of(
                                MONEY,
                                Violation.WRONG_SUM,
                                "bank: no outbox, the transaction is committed and then the message is pushed")
                        .in("simulation.MoneyWorld", "order")
                        .replacing("outbox.add(message);", """
                              try {
                                  scheduler.pass();
                              } catch (InterruptedException e) {
                                  Thread.currentThread().interrupt();
                                  return;
                              }
                              outbox.add(message);"""));
    }
}
