package io.github.cassandralock.exactlyonce.halftransactions;

import static io.github.cassandralock.exactlyonce.halftransactions.CrashPointSchedules.TO_CASSANDRA;
import static io.github.cassandralock.exactlyonce.halftransactions.CrashPointSchedules.TO_POSTGRES;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.seeded.ViolationKind;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults that are seen only if a process ends at the right point, planted one at a time, are caught; some seconds. */
class CrashPointMutantsTest {

    /** All is well unless a process ends. */
    private static final ViolationKind WRONG_AFTER_A_CRASH = violations -> violations.stream()
            .filter(told -> told.startsWith(CrashPointsContract.ENDED))
            .toList();

    private static Fault fault(CrashPointSchedules schedules, String name) {
        return Fault.of(schedules, WRONG_AFTER_A_CRASH, name);
    }

    static Stream<Fault> plantedFaults() {
        return Stream.of(
                fault(TO_POSTGRES, "the index is committed before the effect")
                        .in("sink.jdbc.JdbcSink", "hasTakenEffect")
                        .replacing(
                                "makeEffect(transaction, open, message);",
                                "transaction.getConnection().commit(); makeEffect(transaction, open, message);"),
                fault(TO_CASSANDRA, "the effect is committed before its row of the outbox is counted")
                        .in("sink.jdbc.JdbcSink", "hasTakenEffect")
                        .replacing(
                                "open.countOutboxRows();",
                                "transaction.getConnection().commit(); open.countOutboxRows();"),
                fault(TO_POSTGRES, "a register keeps no handler's sequence")
                        .in("sink.RegisterSink", "apply")
                        .replacing("last.map(SinkRegister.Effect::sequence).orElse(-1L)", "-1"),
                fault(TO_CASSANDRA, "a register keeps no handler's sequence, the other way")
                        .in("sink.RegisterSink", "apply")
                        .replacing("last.map(SinkRegister.Effect::sequence).orElse(-1L)", "-1"),
                fault(TO_POSTGRES, "outputs are pushed, then the state is changed")
                        .in("handler.StateRegister", "change")
                        .around("""
                              if (next.phase() instanceof Phase.Preparing preparing) {
                                  for (Output output : preparing.outputs()) {
                                      io.github.cassandralock.exactlyonce.queue.NumberedPush.push(
                                              definition.output(output.queue()),
                                              new io.github.cassandralock.exactlyonce.queue.Message(
                                                      io.github.cassandralock.exactlyonce.queue.MessageId.of(definition.name, output.sequence()),
                                                      output.payloads()));
                                  }
                                  return right(seen, next.with(new Phase.Handling()));
                              }
                              return right(seen, next);"""),
                fault(TO_POSTGRES, "a message whose cell was used again is taken for not ours")
                        .in("queue.MessageQueue", "fill")
                        .replacing("wasThere(index, message.id())", "false"),
                fault(TO_POSTGRES, "a message whose cell was used again is taken for ours")
                        .in("queue.MessageQueue", "fill")
                        .replacing("wasThere(index, message.id())", "true"),
                fault(TO_POSTGRES, "whoever raises L does not keep the last sequences")
                        .in("queue.LowWaterRegister", "withAllCellsRead")
                        .replacing("check = check.after(index, full.message().id(), mostProducers);", ""));
    }

    @ParameterizedTest(name = "{0}")
    @Tag("slow")
    @MethodSource("plantedFaults")
    void plantedFaultIsCaught(Fault fault, @TempDir Path directory) throws Exception {
        List<String> violations = fault.plantedIn(directory).apply(0);
        assertThat(fault.expected().among(violations))
                .as("what is wrong after a crash, of %s", violations)
                .isNotEmpty();
    }
}
