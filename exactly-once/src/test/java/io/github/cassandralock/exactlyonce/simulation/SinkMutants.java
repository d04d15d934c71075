package io.github.cassandralock.exactlyonce.simulation;

import static io.github.cassandralock.exactlyonce.simulation.Schedules.HARD_MONEY;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.MONEY;
import static io.github.cassandralock.exactlyonce.simulation.Schedules.PIPELINE;

import io.github.cassandralock.internal.seeded.Mutant;
import java.util.stream.Stream;

/** Faults in sinks and half transactions (docs/exactly-once.md, sections 4 and 5). */
final class SinkMutants {

    private static final String SINK = "sink.SinkCopy";
    private static final String ACCOUNT = "sink.RegisterSink";
    private static final String STORE = "simulation.SimulatedSink";

    private SinkMutants() {}

    static Stream<Mutant> all() {
        return Stream.of(
                Mutant.of(
                        PIPELINE,
                        Violation.DOUBLE,
                        "sink: the index is updated whatever it is",
                        STORE,
                        "if (present().index() != from.index()) { return false; }",
                        ""),
                Mutant.of(
                        PIPELINE,
                        Violation.LOST,
                        "sink: the index is raised though nothing is there",
                        SINK,
                        "if (cell instanceof Cell.Full full) {",
                        "if (cell instanceof Cell.Absent) { sink.take(position, new Message(new"
                                + " io.github.cassandralock.exactlyonce.queue.MessageId(\"none\", 0, true),"
                                + " java.util.List.of()), new SinkPosition(position.index() + 1, position.check())); } if"
                                + " (cell instanceof Cell.Full full) {"),
                Mutant.of(
                        PIPELINE,
                        Violation.LOST,
                        "sink: index and effect are two transactions",
                        STORE,
                        "positions.add(to);",
                        "positions.add(to); scheduler.pass();"),
                Mutant.of(
                        MONEY,
                        Violation.WRONG_SUM,
                        "account: it keeps no handler's sequence",
                        ACCOUNT,
                        "long applied = last.map(SinkRegister.Effect::sequence).orElse(-1L);",
                        "long applied = -1;"),
                Mutant.of(
                        MONEY,
                        Violation.WRONG_SUM,
                        "account: the sequence of effects is not raised",
                        "handler.HandlerProtocol",
                        "effects++, effect.request()",
                        "effects, effect.request()"),
                Mutant.of(
                        HARD_MONEY,
                        Violation.WRONG_SUM,
                        "account: a refusal is not kept",
                        ACCOUNT,
                        "Changed change = change(key, seen, handler, birth, sequence, request);",
                        "Changed change = change(key, seen, handler, birth, sequence, request);"
                                + " if (new String(change.result().array()).equals(\"no\")) {"
                                + " return Optional.of(change.result()); }"),
                Mutant.of(
                        HARD_MONEY,
                        Violation.WRONG_SUM,
                        "account: overtaken is taken for done",
                        ACCOUNT,
                        "if (outcome instanceof Applied) { return Optional.of(change.result());",
                        "if (!(outcome instanceof CompareAndSetOutcome.Refused)) {"
                                + " return Optional.of(change.result());"),
                Mutant.of(
                        MONEY,
                        Violation.WRONG_SUM,
                        "account: a copy that is behind makes its effect again",
                        ACCOUNT,
                        "if (applied > sequence) { return Optional.empty(); }",
                        ""),
                Mutant.of(
                        MONEY,
                        Violation.WRONG_SUM,
                        "account: the effect takes place before EFFECT is committed",
                        "handler.HandlerProtocol",
                        "StateRegister.Change change = committed(seen, next, taking.inputs.size());",
                        "if (next.phase() instanceof Phase.Effect early) { definition.sink(early.sink()).apply(early.key(),"
                                + " definition.name, seen.state().birth(), seen.version() * 1000 + System.identityHashCode(this) % 1000,"
                                + " early.request()); next = afterEffect(new Snapshot(seen.version(), next), early,"
                                + " Bytes.of(\"ok\".getBytes())); }"
                                + " StateRegister.Change change = register.change(seen, next);"),
                Mutant.of(
                        MONEY,
                        Violation.WRONG_SUM,
                        "bank: index and balance are two transactions",
                        STORE,
                        "positions.add(to);",
                        "positions.add(to); scheduler.pass();"),
                Mutant.of(
                        MONEY,
                        Violation.WRONG_SUM,
                        "bank: the index is updated whatever it is",
                        STORE,
                        "if (present().index() != from.index()) { return false; }",
                        ""),
                Mutant.of(
                        MONEY,
                        Violation.WRONG_SUM,
                        "bank: no outbox, the transaction is committed and then the message is pushed",
                        "simulation.MoneyWorld",
                        "bank.merge(account(request), -amount(request), Long::sum); outbox.add(message);",
                        "bank.merge(account(request), -amount(request), Long::sum);"
                                + " try { scheduler.pass(); } catch (InterruptedException e) {"
                                + " Thread.currentThread().interrupt(); return; } outbox.add(message);"));
    }
}
