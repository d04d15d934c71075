package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MissingPredecessorException;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.OvertakenException;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.register.Registers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Producers of every kind:
 *
 * <pre>
 * p → in → first, second, third → shared → sink      the queue remembers one or two producers
 *        two importers of the same rows → rows → sink     SoleProducer
 *   two producers that skip numbers → numbers → sink     pushAsSoleProducer
 * </pre>
 *
 * A handler that stood still for so long that its queue has forgotten it may end in doubt, but only then.
 */
final class ProducersWorld extends World {

    private static final List<String> HANDLERS = List.of("first", "second", "third");
    private static final List<String> ENDS = List.of("shared", "rows", "numbers");
    private static final int LARGEST_GROUP = 3;

    private final PipelineChecker checker;
    private final Map<String, SimulatedSink> sinks = new TreeMap<>();
    private final int remembered;
    private final int inputs;
    private final int numbers;

    /** What the importers import: ids that do not begin at 0, and have gaps. */
    private final List<String> rows = new ArrayList<>();

    private ProducersWorld(long seed, Function<SplittableRandom, Faults> faultModel, PipelineChecker[] checkers) {
        super(seed, faultModel, (register, history) -> checkers[0].written(register, history));
        layouts.put("in", new Layout.Keep());
        layouts.put("shared", new Layout.Ring(2 + random.nextInt(2)));
        layouts.put("rows", random.nextInt(3) == 0 ? new Layout.Keep() : new Layout.Ring(2 + random.nextInt(3)));
        layouts.put("numbers", new Layout.Ring(2 + random.nextInt(3)));
        checker = new PipelineChecker(scheduler::step, layouts);
        checkers[0] = checker;
        remembered = 1 + random.nextInt(2);
        inputs = 2 + random.nextInt(4);
        numbers = 3 + random.nextInt(6);
        int id = random.nextInt(100);
        for (int row = 0; row < 4 + random.nextInt(6); row++) {
            id += 1 + random.nextInt(9);
            rows.add("row " + id);
        }
        thread("p", 1, false, this::pushInputs);
        HANDLERS.forEach(this::handler);
        thread("importer", 2, true, () -> importRows(queue("rows", registers()), rows, LARGEST_GROUP));
        thread("numbering", 2, true, this::pushNumbers);
        ENDS.forEach(this::sink);
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        ProducersWorld world = new ProducersWorld(seed, faultModel, new PipelineChecker[1]);
        world.runToTheEnd();
        world.checkAtTheEnd();
        SimulationTotals.add(world);
        return world.checker.violations();
    }

    @Override
    protected void violated(Violation violation, String what) {
        checker.violated(violation, what);
    }

    @Override
    protected void failed(String who, Throwable cause) {
        if (HANDLERS.contains(who) && cause instanceof OvertakenException) {
            checker.endedInDoubt(who);
        } else {
            super.failed(who, cause);
        }
    }

    @Override
    protected MessageQueue queue(String name, Registers registers) {
        return new MessageQueue(name, layoutOf(name), registers, remembered);
    }

    // Producers

    private void pushInputs() throws InterruptedException {
        MessageQueue to = queue("in", registers());
        for (int i = 0; i < inputs; i++) {
            NumberedPush.push(to, Message.of(MessageId.of("p", i), bytes("x")));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] payload) {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** Begins anywhere, and skips the numbers for which the ring has no room: it is refused, and goes back. */
    private void pushNumbers() throws InterruptedException {
        MessageQueue to = queue("numbers", registers());
        long number = random.nextInt(numbers);
        boolean pushed = false;
        while (!pushed) {
            try {
                PushAnswer answer =
                        to.pushAsSoleProducer(Message.of(MessageId.of("numbering", number), bytes("n" + number)));
                pushed = answer instanceof PushAnswer.Pushed && number == numbers - 1;
                number = Math.min(number + 1, numbers - 1);
            } catch (MissingPredecessorException e) {
                number--;
            }
        }
    }

    private void handler(String name) {
        role(name, 2, true, (threads, copy) -> {
            Registers registers = registers();
            HandlerDefinition<Words> definition = HandlerDefinition.builder(
                            name, this::handle, registers, StateCodec.of(Words.CODEC), () -> new Words(0, 0))
                    .idlePauses(PAUSES)
                    .failurePauses(PAUSES)
                    .input(queue("in", registers))
                    .output(queue("shared", registers))
                    .build();
            return handler(definition, threads, copy);
        });
    }

    private HandlerResult<Words> handle(Words state, Inputs taken, java.time.Instant time) {
        Words after = state;
        for (Inputs.Input input : taken.all()) {
            after = after.and(input.message());
        }
        HandlerResult<Words> result = HandlerResult.of(after);
        return random.nextInt(4) == 0 ? result : result.output("shared", Codec.utf8(), "y");
    }

    private void sink(String queue) {
        String name = "sink-" + queue;
        SimulatedSink sink = new SimulatedSink(scheduler, random, this::faults, message -> {});
        sinks.put(queue, sink);
        checker.sink(name, sink::index);
        role(
                name,
                1 + random.nextInt(2),
                true,
                (threads, copy) -> sink(name, queue(queue, registers()), sink, threads, copy));
    }

    // The end

    @Override
    protected boolean isDone() {
        return haveEnded("p")
                && HANDLERS.stream().allMatch(this::hasEndedItsWork)
                && checker.allDecidedIsThere()
                && imported().equals(rows)
                && checker.contents("numbers").size() == numbers
                && sinks.entrySet().stream()
                        .allMatch(sink -> sink.getValue().index()
                                == checker.contents(sink.getKey()).size());
    }

    private boolean hasEndedItsWork(String handler) {
        DecodedState state = checker.state(handler);
        return checker.isInDoubt(handler)
                || (state != null
                        && Optional.ofNullable(state.indexes().get("in")).equals(Optional.of((long)
                                checker.contents("in").size())));
    }

    private List<String> imported() {
        return checker.contents("rows").values().stream()
                .flatMap(message -> message.payloads().stream())
                .map(ProducersWorld::text)
                .toList();
    }

    @Override
    protected String told() {
        return "handlers " + HANDLERS.stream().map(checker::state).toList() + ", rows " + imported() + " of " + rows
                + ", numbers " + checker.contents("numbers").size() + " of " + numbers + ", sinks "
                + sinks.values().stream().map(SimulatedSink::index).toList() + ", layouts " + layouts;
    }

    private void checkAtTheEnd() {
        checker.checkContents(id -> List.of("p", "importer", "numbering").contains(id.producer()) ? 1 : 0);
        List<String> imported = imported();
        if (new HashSet<>(imported).size() < imported.size()) {
            violated(Violation.DOUBLE, "rows " + imported + " of " + rows);
        }
        if (!new HashSet<>(imported).containsAll(rows)) {
            violated(Violation.LOST, "rows " + imported + " of " + rows);
        }
    }
}
