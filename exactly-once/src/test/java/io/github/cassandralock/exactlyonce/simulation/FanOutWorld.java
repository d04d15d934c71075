package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.register.Registers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * One handler is the only producer of three queues, which it writes at the same time:
 *
 * <pre>
 *              ┌→ x → sink-x
 * p → in → fan ┼→ y → sink-y
 *              └→ z → sink-z
 * </pre>
 *
 * For each input it has some outputs to each of them, always the same ones.
 */
final class FanOutWorld extends World {

    private static final List<String> OUTPUTS = List.of("x", "y", "z");
    private static final int MOST_OUTPUTS = 3;

    private final List<String> violations = new ArrayList<>();
    private final Map<String, SimulatedSink> sinks = new TreeMap<>();
    private final Map<String, List<String>> expected = new TreeMap<>();

    private FanOutWorld(long seed, Function<SplittableRandom, Faults> faultModel) {
        super(seed, faultModel, (register, history) -> {});
        layouts.put("in", new Layout.Keep());
        OUTPUTS.forEach(queue -> layouts.put(queue, new Layout.Ring(2 + random.nextInt(5))));
        int inputs = 2 + random.nextInt(6);
        for (String queue : OUTPUTS) {
            expected.put(
                    queue,
                    IntStream.range(0, inputs)
                            .boxed()
                            .flatMap(input -> outputs(queue, Integer.toString(input)).stream())
                            .toList());
        }
        List<String> rows =
                IntStream.range(0, inputs).mapToObj(Integer::toString).toList();
        thread("push-in", 1, true, () -> importRows(queue("in", registers()), rows, 1));
        int maxInputs = 1 + random.nextInt(2);
        int maxPayloads = 1 + random.nextInt(3);
        role("fan", 2 + random.nextInt(2), true, (threads, copy) -> {
            Registers registers = registers();
            HandlerDefinition.Builder<String> definition = HandlerDefinition.builder(
                            "fan", FanOutWorld::fan, registers, StateCodec.of(Codec.utf8()), () -> "")
                    .maxInputs(maxInputs)
                    .maxPayloads(maxPayloads)
                    .idlePauses(PAUSES)
                    .failurePauses(PAUSES)
                    .input(queue("in", registers));
            OUTPUTS.forEach(queue -> definition.exclusiveOutput(queue(queue, registers)));
            return handler(definition.build(), threads, copy);
        });
        for (String queue : OUTPUTS) {
            SimulatedSink sink = new SimulatedSink(scheduler, random, this::faults, message -> {});
            sinks.put(queue, sink);
            role(
                    "sink-" + queue,
                    1,
                    true,
                    (threads, copy) -> sink("sink-" + queue, queue(queue, registers()), sink, threads, copy));
        }
    }

    private static HandlerResult<String> fan(String state, Inputs inputs, Instant time) {
        HandlerResult<String> result = HandlerResult.of(state);
        for (Inputs.Input input : inputs.all()) {
            String text = new String(input.message().payloads().get(0), StandardCharsets.UTF_8);
            OUTPUTS.forEach(
                    queue -> outputs(queue, text).forEach(output -> result.output(queue, Codec.utf8(), output)));
        }
        return result;
    }

    private static List<String> outputs(String queue, String input) {
        List<String> outputs = new ArrayList<>();
        for (int number = 0; number < (queue + input).hashCode() % MOST_OUTPUTS; number++) {
            outputs.add(input + "." + number);
        }
        return outputs;
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        FanOutWorld world = new FanOutWorld(seed, faultModel);
        world.runToTheEnd();
        world.check();
        SimulationTotals.add(world);
        return world.violations;
    }

    @Override
    protected void violated(Violation violation, String what) {
        violations.add(violation.at(scheduler.step(), what));
    }

    private List<String> taken(String queue) {
        return Optional.ofNullable(sinks.get(queue)).orElseThrow().taken.stream()
                .flatMap(message -> message.payloads().stream())
                .map(payload -> new String(payload, StandardCharsets.UTF_8))
                .toList();
    }

    @Override
    protected boolean isDone() {
        return expected.entrySet().stream()
                .allMatch(queue ->
                        taken(queue.getKey()).size() >= queue.getValue().size());
    }

    @Override
    protected String told() {
        Map<String, List<String>> taken = new TreeMap<>();
        OUTPUTS.forEach(queue -> taken.put(queue, taken(queue)));
        return "taken " + taken + " of " + expected;
    }

    private void check() {
        expected.forEach((queue, all) -> {
            List<String> taken = taken(queue);
            if (taken.stream().distinct().count() < taken.size()) {
                violated(Violation.DOUBLE, queue + ": " + taken);
            }
            if (!taken.containsAll(all)) {
                violated(Violation.LOST, queue + ": " + taken + " of " + all);
            } else if (!taken.equals(all)) {
                violated(Violation.SEQUENCE, queue + ": " + taken + " instead of " + all);
            }
        });
    }
}
