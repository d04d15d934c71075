package io.github.cassandralock.exactlyonce.simulation;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
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
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
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
import java.util.concurrent.ThreadFactory;
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
    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(2));

    /** A sink that an operator removes from its queue while it runs. */
    private static final String LEAVER = "leaver";

    private static final int LONGEST_HESITATION = 200;

    /** In steps of the scheduler. */
    private static final Duration SHORTEST_FAILURES = Duration.ofMillis(100);

    private final Map<String, Layout> layouts = new TreeMap<>();
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

    private MessageQueue queue(String name, Registers registers) {
        return new MessageQueue(name, layoutOf(name), registers);
    }

    private Layout layoutOf(String queue) {
        Layout layout = layouts.get(queue);
        if (layout == null) {
            throw new IllegalArgumentException("no queue " + queue);
        }
        return layout;
    }

    // Pushers

    /** Pushes equal values, one after the other. */
    private final class Pusher implements Running {

        private final String queue;
        private final Thread thread;
        private final List<Message> messages = new ArrayList<>();
        private final Set<MessageId> pushed = new HashSet<>();

        Pusher(String name, String queue, boolean anonymous, ThreadFactory threads) {
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
            thread = threads.newThread(this::push);
        }

        @SuppressWarnings("CatchAndPrintStackTrace")
        private void push() {
            try {
                MessageQueue to = queue(queue, registers());
                for (Message message : messages) {
                    NumberedPush.push(to, message);
                    pushed.add(message.id());
                }
            } catch (Scheduler.Crash | InterruptedException | OvertakenException e) {
                // It does not push the rest; nobody knows of the present one.
            } catch (RuntimeException e) {
                failed("pusher", e);
            }
        }

        @Override
        public void start() {
            thread.start();
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }

    private void pusher(String name, String queue, boolean anonymous) {
        role(name, 1, false, (threads, copy) -> {
            Pusher pusher = new Pusher(name, queue, anonymous, threads);
            pushers.add(pusher);
            return pusher;
        });
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
                    .exclusiveOutput(queue("d", registers))
                    .output(queue("e", registers));
            inputs.forEach(input -> definition.input(queue(input, registers)));
            if (poisoned) {
                definition.parkAfter(2, SHORTEST_FAILURES, queue(PipelineChecker.PARKED, registers));
            }
            HandlerCopy made = new HandlerCopy(definition.build(), "" + copy, listener(), environment(threads));
            return new Running() {
                @Override
                public void start() {
                    made.start();
                }

                @Override
                public void close() {
                    closeWithoutWaiting(made::close);
                }
            };
        });
    }

    private interface Closing {
        boolean close(Duration longest) throws InterruptedException;
    }

    private static void closeWithoutWaiting(Closing closing) {
        try {
            closing.close(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HandlerListener listener() {
        return new HandlerListener() {
            @Override
            public void failed(String handler, Throwable cause) {
                PipelineWorld.this.failed(handler, cause);
            }

            @Override
            public void sequenceViolated(String handler, SequenceViolation violation) {
                violated(Violation.SEQUENCE, handler + ": " + violation);
            }
        };
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
        role(name, 1 + random.nextInt(2), true, (threads, copy) -> {
            SinkCopy made = new SinkCopy(
                    name, queue(queue, registers()), sink, PAUSES, "" + copy, sinkListener(), environment(threads));
            return new Running() {
                @Override
                public void start() {
                    made.start();
                }

                @Override
                public void close() {
                    closeWithoutWaiting(made::close);
                }
            };
        });
    }

    /** A sink that takes what it can until it is removed, and an operator who removes it at some time. */
    private void leaving(String queue) {
        left = Optional.of(queue);
        copies(LEAVER, queue, new SimulatedSink(scheduler, random, this::faults, message -> {}));
        role("operator", 1 + random.nextInt(2), true, (threads, copy) -> {
            Thread thread = threads.newThread(() -> remove(queue));
            return new Running() {
                @Override
                public void start() {
                    thread.start();
                }

                @Override
                public void close() {
                    thread.interrupt();
                }
            };
        });
    }

    private void remove(String from) {
        MessageQueue queue = queue(from, registers());
        try {
            queue.addConsumer(LEAVER);
            for (int hesitation = random.nextInt(LONGEST_HESITATION); hesitation > 0; hesitation--) {
                scheduler.pass();
            }
            queue.removeConsumer(LEAVER);
        } catch (Scheduler.Crash | InterruptedException | ConsumerRemovedException e) {
            // Another one does it, or has done it.
        } catch (RuntimeException e) {
            failed("operator", e);
        }
    }

    private SinkListener sinkListener() {
        return new SinkListener() {
            @Override
            public void failed(String sink, Throwable cause) {
                if (sink.equals(LEAVER) && cause instanceof ConsumerRemovedException) {
                    return;
                }
                PipelineWorld.this.failed(sink, cause);
            }

            @Override
            public void sequenceViolated(String sink, SequenceViolation violation) {
                violated(Violation.SEQUENCE, sink + ": " + violation);
            }
        };
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
        sinks.forEach(this::checkEffects);
    }

    private void checkEffects(String sink, SimulatedSink taking) {
        List<MessageId> effects = taking.taken.stream().map(Message::id).toList();
        List<MessageId> there =
                checker.contents(sinkQueues.getOrDefault(sink, "")).tailMap(taking.firstIndex()).values().stream()
                        .map(Message::id)
                        .toList();
        if (new HashSet<>(effects).size() < effects.size()) {
            violated(Violation.DOUBLE, "effects of " + sink + ": " + effects);
        }
        if (!new HashSet<>(effects).containsAll(there)) {
            violated(Violation.LOST, "effects of " + sink + ": " + effects + " of " + there);
        }
    }
}
