package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.ConsumerRemovedException;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.OvertakenException;
import io.github.cassandralock.exactlyonce.register.Registers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Four pushers, two handlers in two to four copies each, five queues and three sinks:
 *
 * <pre>
 * p1, p2 → a ┐        ┌→ c → second → e → sink-e
 * p3     → b ┴ first ─┼→ d → sink-d
 * p4 → c              └→ e     c → sink-c
 * </pre>
 *
 * The first handler is the only producer of d. Values are equal, so that only ids tell messages apart. In some schedules another
 * sink takes a queue, too, until an operator removes it.
 */
final class PipelineWorld extends World {

    private static final List<String> QUEUES = List.of("a", "b", "c", "d", "e", PipelineChecker.PARKED);

    /** A sink that an operator removes from its queue while it runs. */
    private static final String LEAVER = "leaver";

    private static final int LONGEST_HESITATION = 200;

    /** In steps of the scheduler. */
    private static final Duration SHORTEST_FAILURES = Duration.ofMillis(100);

    private final PipelineChecker checker;
    private final Map<String, SimulatedSink> sinks = new TreeMap<>();
    private final Map<String, String> sinkQueues = new TreeMap<>();
    private final List<Pusher> pushers = new ArrayList<>();
    private final boolean poisoned;
    private final int maxInputs;
    private final int maxPayloads;
    private Optional<String> left = Optional.empty();

    private PipelineWorld(long seed, Function<SplittableRandom, Faults> faultModel, PipelineChecker[] checkers) {
        super(seed, faultModel, (register, history) -> checkers[0].written(register, history));
        QUEUES.forEach(queue -> layouts.put(queue, anyLayout()));
        layouts.put(PipelineChecker.PARKED, new Layout.Keep());
        List.of("first", "second").forEach(handler -> layouts.put("again:" + handler, new Layout.Ring(1_024)));
        checker = new PipelineChecker(scheduler::step, layouts);
        checkers[0] = checker;
        poisoned = random.nextInt(4) == 0;
        maxInputs = 1 + random.nextInt(3);
        maxPayloads = 1 + random.nextInt(3);
        pusher("p1", "a", false);
        pusher("p2", "a", random.nextBoolean());
        pusher("p3", "b", false);
        pusher("p4", "c", false);
        handler("first", List.of("a", "b"), this::first);
        handler("second", List.of("c"), this::second);
        List.of("c", "d", "e").forEach(this::sink);
        if (random.nextInt(3) == 0) {
            leaving(List.of("a", "c", "d", "e").get(random.nextInt(4)));
        }
    }

    private Layout anyLayout() {
        return random.nextInt(3) == 0 ? new Layout.Keep() : new Layout.Ring(2 + random.nextInt(5));
    }

    static List<String> run(long seed, Function<SplittableRandom, Faults> faultModel) {
        PipelineWorld world = new PipelineWorld(seed, faultModel, new PipelineChecker[1]);
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
        if (!who.equals(LEAVER) || !(cause instanceof ConsumerRemovedException)) {
            super.failed(who, cause);
        }
    }

    // Pushers

    /** Pushes equal values, one after the other. */
    private final class Pusher {

        private final String queue;
        private final List<Message> messages = new ArrayList<>();
        private final Set<MessageId> pushed = new HashSet<>();

        Pusher(String name, String queue, boolean anonymous) {
            this.queue = queue;
            int count = 2 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                List<byte[]> payloads = new ArrayList<>();
                for (int payload = 0; payload <= random.nextInt(2); payload++) {
                    boolean poison = poisoned && name.equals("p1") && i == 1;
                    payloads.add((poison ? Words.POISON : "x" + i % 2).getBytes(StandardCharsets.UTF_8));
                }
                messages.add(new Message(new MessageId(name, i, anonymous), payloads));
            }
        }

        private void push() throws InterruptedException {
            MessageQueue to = queue(queue, registers());
            try {
                for (Message message : messages) {
                    NumberedPush.push(to, message);
                    pushed.add(message.id());
                }
            } catch (OvertakenException e) {
                // It does not push the rest; whether the present one is there is unknown.
            }
        }
    }

    private void pusher(String name, String queue, boolean anonymous) {
        Pusher pusher = new Pusher(name, queue, anonymous);
        pushers.add(pusher);
        thread(name, 1, false, pusher::push);
    }

    // Handlers

    private void handler(
            String name,
            List<String> inputs,
            io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler<Words> function) {
        role(name, 2 + random.nextInt(3), true, (threads, copy) -> {
            Registers registers = registers();
            HandlerDefinition.Builder<Words> definition = HandlerDefinition.builder(
                            name, function, registers, StateCodec.of(Words.CODEC), () -> new Words(0, 0))
                    .maxInputs(maxInputs)
                    .maxPayloads(maxPayloads)
                    .idlePauses(PAUSES)
                    .failurePauses(PAUSES)
                    .output(queue("c", registers))
                    .output(queue("e", registers));
            if (name.equals("first")) {
                definition.exclusiveOutput(queue("d", registers));
            }
            inputs.forEach(input -> definition.input(queue(input, registers)));
            if (poisoned) {
                definition.parkAfter(2, SHORTEST_FAILURES, queue(PipelineChecker.PARKED, registers));
            }
            return handler(definition.build(), threads, copy);
        });
    }

    /** Undecided: two runs with the same inputs have different outputs, or none, or fail. */
    private HandlerResult<Words> first(Words state, Inputs inputs, java.time.Instant time) {
        HandlerResult<Words> result = HandlerResult.of(after(state, inputs));
        for (int i = 0; i < inputs.all().size(); i++) {
            switch (random.nextInt(5)) {
                case 0 -> result.output("c", Codec.utf8(), nonce());
                case 1 -> result.output("d", Codec.utf8(), nonce());
                case 2 ->
                    result.output("c", Codec.utf8(), nonce())
                            .output("d", Codec.utf8(), nonce())
                            .output("c", Codec.utf8(), nonce());
                case 3 -> result.output("e", Codec.utf8(), nonce());
                default -> {}
            }
        }
        return result;
    }

    private HandlerResult<Words> second(Words state, Inputs inputs, java.time.Instant time) {
        HandlerResult<Words> result = HandlerResult.of(after(state, inputs));
        for (int i = 0; i < inputs.all().size(); i++) {
            if (random.nextInt(3) > 0) {
                result.output("e", Codec.utf8(), nonce());
            }
        }
        return result;
    }

    private String nonce() {
        return "y" + random.nextInt(4);
    }

    private Words after(Words state, Inputs inputs) {
        if (random.nextInt(40) == 0) {
            throw new IllegalStateException("now and then");
        }
        Words after = state;
        for (Inputs.Input input : inputs.all()) {
            for (byte[] payload : input.message().payloads()) {
                String word = new String(payload, StandardCharsets.UTF_8);
                if (word.equals(Words.POISON)) {
                    throw new IllegalArgumentException(word);
                }
                after = after.and(word);
            }
        }
        return after;
    }

    // Sinks

    private void sink(String queue) {
        String name = "sink-" + queue;
        SimulatedSink sink = new SimulatedSink(scheduler, random, this::faults, message -> {});
        sinks.put(name, sink);
        sinkQueues.put(name, queue);
        copies(name, queue, sink);
    }

    private void copies(String name, String queue, SimulatedSink sink) {
        checker.sink(name, sink::index);
        role(
                name,
                1 + random.nextInt(2),
                true,
                (threads, copy) -> sink(name, queue(queue, registers()), sink, threads, copy));
    }

    /** A sink that takes what it can until it is removed, and an operator who removes it at some time. */
    private void leaving(String queue) {
        left = Optional.of(queue);
        copies(LEAVER, queue, new SimulatedSink(scheduler, random, this::faults, message -> {}));
        thread("operator", 1 + random.nextInt(2), true, () -> remove(queue));
    }

    private void remove(String from) throws InterruptedException {
        MessageQueue queue = queue(from, registers());
        try {
            queue.addConsumer(LEAVER);
            for (int hesitation = random.nextInt(LONGEST_HESITATION); hesitation > 0; hesitation--) {
                scheduler.pass();
            }
            queue.removeConsumer(LEAVER);
        } catch (ConsumerRemovedException e) {
            // Another operator has done it.
        }
    }

    // The end

    @Override
    protected boolean isDone() {
        return haveEnded("p")
                && hasTakenAll("first")
                && hasTakenAll("second")
                && sinks.entrySet().stream()
                        .allMatch(sink -> sink.getValue().index()
                                == checker.contents(sinkQueues.getOrDefault(sink.getKey(), ""))
                                        .size())
                && left.stream().allMatch(queue -> checker.isRemoved(queue, LEAVER))
                && checker.allDecidedIsThere();
    }

    @Override
    protected String told() {
        return "pushers have ended: " + haveEnded("p") + ", first "
                + checker.state("first") + ", second " + checker.state("second") + ", sinks "
                + sinks.values().stream().map(SimulatedSink::index).toList() + ", layouts " + layouts + ", queues "
                + QUEUES.stream().map(queue -> checker.contents(queue).size()).toList();
    }

    private boolean hasTakenAll(String handler) {
        DecodedState state = checker.state(handler);
        return state != null
                && state.indexes().entrySet().stream()
                        .allMatch(input -> input.getValue()
                                == checker.contents(input.getKey()).size());
    }

    private void checkAtTheEnd() {
        checker.checkContents(id -> pushers.stream()
                .flatMap(pusher -> pusher.messages.stream())
                .filter(message -> message.id().equals(id))
                .count());
        for (Pusher pusher : pushers) {
            for (MessageId id : pusher.pushed) {
                if (checker.copiesOf(pusher.queue, id) == 0) {
                    violated(Violation.LOST, id + " in " + pusher.queue);
                }
            }
        }
        sinks.forEach((name, sink) -> checkEffects(name, sink, checker.contents(sinkQueues.getOrDefault(name, ""))));
    }
}
