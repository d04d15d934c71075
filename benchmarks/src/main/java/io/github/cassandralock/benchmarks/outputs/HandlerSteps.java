package io.github.cassandralock.benchmarks.outputs;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.testing.statistics.Median;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Steps of a handler in Cassandra that is the only producer of its outputs, with different numbers of them, in turns. */
public final class HandlerSteps {

    private static final CassandraStoreSettings STORE =
            CassandraStoreSettings.inKeyspace(CassandraAddress.KEYSPACE).withTimeout(Duration.ofSeconds(10));
    private static final Duration DDL_TIMEOUT = Duration.ofSeconds(60);
    private static final GrowingPauses IDLE = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(1));
    private static final Codec<String> TEXT = Codec.utf8();
    private static final int LONGEST_MINUTES = 10;

    private final Registers registers;
    private final long oneWayMillis;
    private final int steps;
    private int passes;

    /**
     * Creates the table of registers if it is missing.
     *
     * @param session of a keyspace for the registers
     * @param oneWayMillis from this process to the node
     * @param steps of a pass
     */
    public HandlerSteps(CqlSession session, long oneWayMillis, int steps) {
        session.execute(SimpleStatement.newInstance(CassandraRegisterStore.createStatement(STORE))
                .setTimeout(DDL_TIMEOUT));
        this.registers = Registers.of(CassandraRegisterStore.open(session, STORE));
        this.oneWayMillis = oneWayMillis;
        this.steps = steps;
    }

    /**
     * Measures. As many passes before those that count are a warm-up, for the compilers of this process and of the node.
     *
     * @param outputs numbers of outputs; the first is what the others are compared with
     * @param runs of which medians are taken
     * @return a row for each number of outputs
     */
    public List<OutputsRow> measure(List<Integer> outputs, int runs) throws InterruptedException {
        Map<Integer, List<Double>> times = new TreeMap<>();
        for (int run = 0; run < 2 * runs; run++) {
            for (int some : outputs) {
                double time = pass(some);
                if (run >= runs) {
                    times.computeIfAbsent(some, number -> new ArrayList<>()).add(time);
                }
            }
        }
        double one = Median.of(times.getOrDefault(outputs.get(0), List.of()));
        return outputs.stream()
                .map(some -> row(some, Median.of(times.getOrDefault(some, List.of())), one))
                .toList();
    }

    private OutputsRow row(int outputs, double stepMs, double one) {
        return new OutputsRow(oneWayMillis, outputs, stepMs, stepMs / one);
    }

    /** Milliseconds of a step. */
    private double pass(int outputs) throws InterruptedException {
        passes++;
        MessageQueue inputs = queue("inputs");
        for (int step = 0; step < steps; step++) {
            byte[] payload = Integer.toString(step).getBytes(StandardCharsets.UTF_8);
            Message message = new Message(MessageId.of("producer-" + name(), step), List.of(payload));
            if (!(inputs.pushAsSoleProducer(message) instanceof PushAnswer.Pushed)) {
                throw new IllegalStateException(message + " is not in " + inputs);
            }
        }
        CountDownLatch idle = new CountDownLatch(1);
        HandlerListener listener = new HandlerListener() {
            @Override
            public void onIdle(String handler) {
                idle.countDown();
            }
        };
        try (HandlerCopy copy =
                new HandlerCopy(definition(inputs, outputs), "1", listener, CopyEnvironment.ofThisMachine())) {
            long began = System.nanoTime();
            copy.start();
            if (!idle.await(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("After " + LONGEST_MINUTES + " minutes the handler is not through");
            }
            return (System.nanoTime() - began) / 1e6 / steps;
        }
    }

    /** Names are never used again. */
    private String name() {
        return oneWayMillis + "-" + passes;
    }

    private MessageQueue queue(String name) {
        return new MessageQueue(name + "-" + name(), new Layout.Ring(2 * steps), registers);
    }

    private HandlerDefinition<String> definition(MessageQueue inputs, int outputs) {
        List<MessageQueue> queues = IntStream.range(0, outputs)
                .mapToObj(number -> queue("output-" + number))
                .toList();
        HandlerDefinition.Builder<String> builder = HandlerDefinition.builder(
                        "handler-" + name(),
                        (state, taken, time) -> {
                            HandlerResult<String> result = HandlerResult.of(state);
                            queues.forEach(queue -> result.output(queue.getName(), TEXT, "done"));
                            return result;
                        },
                        registers,
                        StateCodec.of(TEXT),
                        () -> "")
                .input(inputs)
                .maxInputs(1)
                .idlePauses(IDLE);
        queues.forEach(builder::exclusiveOutput);
        return builder.build();
    }
}
