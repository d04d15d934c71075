package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.VersionedRegister;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.sink.RegisterSink;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The name, function, queues and limits of a handler. All copies, in all processes, use equal definitions. Immutable and
 * thread-safe.
 *
 * @param <S> the state
 */
public final class HandlerDefinition<S> {

    /**
     * The longest state in bytes, with the outputs of a step: the size of a register, less 256. The index of an output adds 8
     * bytes. A pushed message has up to 120 bytes more than its part of the state, since it names its producer.
     */
    public static final int MAX_STATE_BYTES = RegisterLimits.MAX_VALUE_BYTES - 256;

    /** The prefix of the queues for parked messages that are sent again. */
    private static final String AGAIN = "again:";

    private static final int MOST_SENT_AGAIN = 1_024;

    private static final int LONGEST_NAME_THAT_PARKS = Names.MAX_LENGTH - AGAIN.length();

    private static final Duration DEFAULT_MIN_DURATION = Duration.ofSeconds(10);
    private static final Duration SHORTEST_MIN_DURATION = Duration.ofMillis(1);
    private static final Duration LONGEST_MIN_DURATION = Duration.ofDays(1);

    /** What happens if a message does not follow the last message of its producer, because a store has forgotten something. */
    public enum OnViolation {
        /** The violation is logged and reported to the listener, and the message is handled. */
        REPORT,
        /** The copy ends with {@link SequenceViolationException}, before the message takes effect. */
        STOP
    }

    /**
     * Where messages go that the function cannot handle.
     *
     * @param attempts how often a message fails at least
     * @param minDuration from its first to its last failure, at least
     */
    record Parking(String queue, int attempts, Duration minDuration) {}

    final String name;
    final ExactlyOnceHandler<S> handler;
    final StateCodec<S> codec;
    final Supplier<S> initialState;
    final VersionedRegister register;

    /** The register for a copy that ends: an unanswered request is not sent again. */
    final VersionedRegister registerOfOneRequest;

    /** The input queue of parked messages that were sent again; empty if the handler parks none. */
    final Optional<MessageQueue> again;

    /** Which parked messages were sent again. */
    final VersionedRegister sentAgain;

    /** Shows which copies live, if messages are parked. */
    final VersionedRegister copies;

    final WriteIds copyIds;

    final Map<String, MessageQueue> inputs;
    final Map<String, MessageQueue> outputs;
    final SortedSet<String> soleProducerOf;
    final Map<String, RegisterSink> effects;
    final int maxInputs;
    final int maxPayloads;
    final int maxStateBytes;
    final Optional<Parking> parking;
    final OnViolation onViolation;
    final GrowingPauses idlePauses;
    final GrowingPauses failurePauses;

    private HandlerDefinition(Builder<S> builder) {
        name = builder.name;
        handler = builder.handler;
        codec = builder.codec;
        initialState = builder.initialState;
        register = builder.registers.named("handler/" + name + "/state");
        registerOfOneRequest = ofOneRequest(builder.registers).named("handler/" + name + "/state");
        copies = builder.registers.named("handler/" + name + "/copies");
        copyIds = builder.registers.writeIds();
        again = builder.parking.map(
                parking -> new MessageQueue(AGAIN + name, new Layout.Ring(builder.mostSentAgain), builder.registers));
        sentAgain = builder.registers.named("handler/" + name + "/sent-again");
        Map<String, MessageQueue> allInputs = new LinkedHashMap<>(builder.inputs);
        again.ifPresent(queue -> allInputs.put(queue.getName(), queue));
        inputs = Collections.unmodifiableMap(allInputs);
        outputs = Collections.unmodifiableMap(new LinkedHashMap<>(builder.outputs));
        soleProducerOf = new TreeSet<>(builder.soleProducerOf);
        effects = Collections.unmodifiableMap(new LinkedHashMap<>(builder.effects));
        maxInputs = builder.maxInputs;
        maxPayloads = builder.maxPayloads;
        maxStateBytes = builder.maxStateBytes;
        parking = builder.parking;
        onViolation = builder.onViolation;
        idlePauses = builder.idlePauses;
        failurePauses = builder.failurePauses;
    }

    private static Registers ofOneRequest(Registers registers) {
        Pauser none = length -> {
            throw new InterruptedException("The copy is closed, and the store does not answer");
        };
        return new Registers(registers.store(), registers.writeIds(), none, registers.pauses());
    }

    /**
     * Begins a definition.
     *
     * @param name of the handler, unique, and of the producer of its messages. A name is never used again. A handler that is to
     *     begin again needs a new name, for instance with the number of its incarnation
     * @param handler the function
     * @param registers the store of the handler's state
     * @param codec of the state
     * @param initialState the state before the first input
     * @return a builder
     * @throws IllegalArgumentException if the name is not allowed
     */
    public static <S> Builder<S> builder(
            String name,
            ExactlyOnceHandler<S> handler,
            Registers registers,
            StateCodec<S> codec,
            Supplier<S> initialState) {
        return new Builder<>(Names.checked("handler", name), handler, registers, codec, initialState);
    }

    public String getName() {
        return name;
    }

    /** The input queues, in the order in which they were added. */
    public List<MessageQueue> getInputQueues() {
        return inputs.values().stream()
                .filter(queue -> !isNameOfAgain(queue.getName()))
                .toList();
    }

    /** Whether a queue with this name is for parked messages that are sent again. */
    static boolean isNameOfAgain(String queue) {
        return queue.startsWith(AGAIN);
    }

    /** Whether messages are parked. */
    public boolean isParking() {
        return parking.isPresent();
    }

    MessageQueue input(String queue) {
        return named(inputs, queue, "input queue");
    }

    MessageQueue output(String queue) {
        return named(outputs, queue, "output queue");
    }

    RegisterSink sink(String sink) {
        return named(effects, sink, "sink");
    }

    private <T> T named(Map<String, T> all, String asked, String what) {
        T found = all.get(asked);
        if (found == null) {
            throw new IllegalStateException("Handler " + name + " has no " + what + " named " + asked
                    + " in this copy: configure the same in all copies");
        }
        return found;
    }

    /** Collects the parts of a definition. Not thread-safe. */
    public static final class Builder<S> {

        private final String name;
        private final ExactlyOnceHandler<S> handler;
        private final Registers registers;
        private final StateCodec<S> codec;
        private final Supplier<S> initialState;
        private final Map<String, MessageQueue> inputs = new LinkedHashMap<>();
        private final Map<String, MessageQueue> outputs = new LinkedHashMap<>();
        private final SortedSet<String> soleProducerOf = new TreeSet<>();
        private final Map<String, RegisterSink> effects = new LinkedHashMap<>();
        private int maxInputs = 1;
        private int maxPayloads = 1_000;
        private int maxStateBytes = 1_000_000;
        private Optional<Parking> parking = Optional.empty();
        private int mostSentAgain = MOST_SENT_AGAIN;
        private OnViolation onViolation = OnViolation.REPORT;
        private GrowingPauses idlePauses = new GrowingPauses(Duration.ofMillis(2), Duration.ofMillis(500));
        private GrowingPauses failurePauses = new GrowingPauses(Duration.ofMillis(50), Duration.ofSeconds(30));

        private Builder(
                String name,
                ExactlyOnceHandler<S> handler,
                Registers registers,
                StateCodec<S> codec,
                Supplier<S> initialState) {
            this.name = name;
            this.handler = handler;
            this.registers = registers;
            this.codec = codec;
            this.initialState = initialState;
        }

        /**
         * Adds a queue from which the handler takes messages. The handler becomes its consumer, with the handler's name.
         *
         * @throws IllegalArgumentException if another input queue has this name, or it begins with {@code again:}
         */
        public Builder<S> input(MessageQueue queue) {
            if (isNameOfAgain(queue.getName())) {
                throw new IllegalArgumentException("Handler " + name + " cannot take the queue " + queue.getName()
                        + ". Names that begin with '" + AGAIN
                        + "' belong to queues of parked messages that are sent again");
            }
            putOnce(inputs, "input queues", queue.getName(), queue);
            return this;
        }

        /**
         * Adds a queue to which others may push as well.
         *
         * @throws IllegalArgumentException if another output queue has this name
         */
        public Builder<S> output(MessageQueue queue) {
            putOnce(outputs, "output queues", queue.getName(), queue);
            return this;
        }

        /**
         * Adds a queue to which <b>only</b> this handler pushes, ever. A step with one output then costs two compare-and-sets
         * (state, message) instead of five. If another producer pushes to the queue, the copies end with {@link
         * io.github.cassandralock.exactlyonce.queue.TwoProducersException}.
         *
         * @throws IllegalArgumentException if another output queue has this name
         */
        public Builder<S> exclusiveOutput(MessageQueue queue) {
            soleProducerOf.add(queue.getName());
            return output(queue);
        }

        /**
         * Adds a sink for {@link HandlerResult#effect}.
         *
         * @throws IllegalArgumentException if another sink has this name
         */
        public Builder<S> effects(RegisterSink sink) {
            putOnce(effects, "sinks", sink.getName(), sink);
            return this;
        }

        /**
         * Sets how many messages of each input queue a step takes at most; by default 1.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder<S> maxInputs(int messages) {
            maxInputs = positive("The number of inputs of a step", messages);
            return this;
        }

        /**
         * Sets how many payloads a message has at most; by default 1,000. More outputs of a step become several messages.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder<S> maxPayloads(int payloads) {
            maxPayloads = positive("The number of payloads of a message", payloads);
            return this;
        }

        /**
         * Sets how long the state may be in bytes, with the outputs of a step; by default 1,000,000. A longer step fails as if the
         * function had thrown, before the store refuses it permanently. If a step that parks a message is longer, the message
         * waits.
         *
         * @throws IllegalArgumentException if it is less than 1 or more than {@link #MAX_STATE_BYTES}
         */
        public Builder<S> maxStateBytes(int bytes) {
            if (bytes > MAX_STATE_BYTES) {
                throw new IllegalArgumentException(
                        "The longest state is at most " + MAX_STATE_BYTES + " bytes, not " + bytes
                                + ": a register holds no more. Put large parts of the state elsewhere, and keep"
                                + " references");
            }
            maxStateBytes = positive("The longest state", bytes);
            return this;
        }

        /**
         * Parks messages that the function cannot handle, after failures of at least 10 seconds. Otherwise as {@link
         * #parkAfter(int, Duration, MessageQueue)}.
         *
         * @param attempts how often a message fails at least; at least 2 are needed in any case
         * @param queue for parked messages; becomes an output queue of the handler
         * @throws IllegalArgumentException if {@code attempts} is less than 1, or another output queue has this name
         */
        public Builder<S> parkAfter(int attempts, MessageQueue queue) {
            return parkAfter(attempts, DEFAULT_MIN_DURATION, queue);
        }

        /**
         * Parks messages that the function cannot handle. The handler then takes the message, and pushes its payloads to a queue.
         * Their first payload states where the message was and why it failed. By default the handler tries such a message for ever,
         * and all inputs wait.
         *
         * <p>A message is parked when it has failed alone, at different times, in every living copy. In one of them the function
         * must succeed with other messages. The function is therefore called with messages before and behind the failing one as
         * well, and those results are discarded. If it fails with all of them, nothing is parked. If there is no other message, the
         * failures last for twelve times the duration. A copy without a sign of life for six times the duration does not count.
         *
         * @param attempts how often a message fails at least; at least 2 are needed in any case
         * @param minDuration how long the failures last at least; 1 ms to 1 day
         * @param queue for parked messages; becomes an output queue of the handler
         * @throws IllegalArgumentException if {@code attempts} is less than 1, the duration is out of bounds, or another output
         *     queue has this name
         */
        public Builder<S> parkAfter(int attempts, Duration minDuration, MessageQueue queue) {
            if (minDuration.compareTo(SHORTEST_MIN_DURATION) < 0 || minDuration.compareTo(LONGEST_MIN_DURATION) > 0) {
                throw new IllegalArgumentException(
                        "The failures of a message last from 1 ms to 1 day before it is parked, not " + minDuration);
            }
            parking = Optional.of(
                    new Parking(queue.getName(), positive("The number of attempts", attempts), minDuration));
            return output(queue);
        }

        /** How many parked messages that were sent again may wait. For tests, which need few. */
        Builder<S> mostSentAgain(int messages) {
            mostSentAgain = messages;
            return this;
        }

        /** What is done when a message does not follow the one before of its producer; by default it is reported. */
        public Builder<S> onViolation(OnViolation what) {
            onViolation = what;
            return this;
        }

        /** Sets how long an idle copy waits before it reads again; by default 2 ms to 500 ms. */
        public Builder<S> idlePauses(GrowingPauses pauses) {
            idlePauses = pauses;
            return this;
        }

        /** Sets how long a copy waits after a function has thrown, before the next call; by default 50 ms to 30 s. */
        public Builder<S> failurePauses(GrowingPauses pauses) {
            failurePauses = pauses;
            return this;
        }

        /** Messages and effects refer to queues and sinks by name. Of two with one name, the first would be lost. */
        private <T> void putOnce(Map<String, T> all, String what, String called, T added) {
            T before = all.putIfAbsent(called, added);
            if (before != null && before != added) {
                throw new IllegalArgumentException(
                        "Handler " + name + " has two " + what + " named " + called
                                + ". Give them different names, even if they are in different stores; or use one object for both");
            }
        }

        private static int positive(String what, int number) {
            if (number < 1) {
                throw new IllegalArgumentException(what + " is at least 1, not " + number);
            }
            return number;
        }

        /**
         * Builds the definition.
         *
         * @return what was collected
         * @throws IllegalArgumentException if there is no input queue, or the handler cannot park messages as configured
         */
        public HandlerDefinition<S> build() {
            if (inputs.isEmpty()) {
                throw new IllegalArgumentException(
                        "Handler " + name + " has no input queue: nothing would ever happen");
            }
            parking.ifPresent(this::requireFit);
            return new HandlerDefinition<>(this);
        }

        private void requireFit(Parking parked) {
            if (inputs.containsKey(parked.queue())) {
                throw new IllegalArgumentException(
                        "Handler " + name + " cannot park messages in queue " + parked.queue()
                                + ", which it takes: it would take and park them again and again. Give it a parking queue of its own");
            }
            if (name.length() > LONGEST_NAME_THAT_PARKS) {
                throw new IllegalArgumentException("Handler " + name + " cannot park messages, since its name has "
                        + name.length() + " characters, more than " + LONGEST_NAME_THAT_PARKS
                        + ". The queue of parked messages that are sent again is named '" + AGAIN
                        + "' and the handler's name. Give it a shorter name, or take its parking out");
            }
        }
    }
}
