package io.github.cassandralock.exactlyonce.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.Undeclared;
import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.Branches;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.ConsumerRemovedException;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.sink.EffectFunction;
import io.github.cassandralock.exactlyonce.sink.RegisterSink;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class HandlerProtocolTest {

    private final DirectedStore store = new DirectedStore();
    private final Registers registers = new Registers(
            store,
            WriteIds.ofNewProcess(),
            length -> {},
            new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(1)));
    private final MessageQueue in = queue("in");
    private final MessageQueue out = queue("out");
    private final AtomicLong calendar = new AtomicLong(1_000);
    private final List<Duration> pauses = new ArrayList<>();

    /** Time passes in pauses only. */
    private final AtomicLong nanos = new AtomicLong();

    private final Told told = new Told();

    private static final class Told implements HandlerListener {
        final List<Integer> stepSizes = new ArrayList<>();
        final List<Integer> failures = new ArrayList<>();
        final List<Throwable> causes = new ArrayList<>();
        final List<Inputs.Input> parked = new ArrayList<>();
        final List<SequenceViolation> violations = new ArrayList<>();
        final List<String> standBys = new ArrayList<>();
        final List<String> fullRings = new ArrayList<>();

        @Override
        public void onStepCommitted(String handler, long step, int messages) {
            stepSizes.add(messages);
        }

        @Override
        public void onFunctionFailed(String handler, int attempt, Throwable cause) {
            failures.add(attempt);
            causes.add(cause);
        }

        @Override
        public void onParked(String handler, Inputs.Input input, Throwable cause) {
            parked.add(input);
        }

        @Override
        public void onSequenceViolated(String handler, SequenceViolation violation) {
            violations.add(violation);
        }

        @Override
        public void onStandingBy(String handler, String why) {
            standBys.add(why);
        }

        @Override
        public void onRingFull(String handler, String queue, List<String> slowestConsumers) {
            fullRings.add(queue + slowestConsumers);
        }
    }

    private MessageQueue queue(String name) {
        return new MessageQueue(name, new Layout.Keep(), registers);
    }

    private HandlerDefinition.Builder<String> handler(ExactlyOnceHandler<String> function) {
        return HandlerDefinition.builder("h", function, registers, StateCodec.of(Codec.utf8()), () -> "")
                .input(in)
                .idlePauses(new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(1)))
                .failurePauses(new GrowingPauses(Duration.ofSeconds(1), Duration.ofSeconds(4)));
    }

    /** Runs a new copy until it has paused that often. */
    private void run(HandlerDefinition.Builder<?> definition, int pausesBeforeTheEnd) {
        AtomicInteger left = new AtomicInteger(pausesBeforeTheEnd);
        HandlerProtocol<?> protocol = new HandlerProtocol<>(
                definition.build(),
                calendar::get,
                length -> {
                    pauses.add(length);
                    nanos.addAndGet(length.toNanos());
                    if (left.decrementAndGet() < 0) {
                        throw new InterruptedException();
                    }
                },
                nanos::get,
                Branches.inThreads(Thread::new),
                told);
        assertThatThrownBy(() -> protocol.run(() -> false)).isInstanceOf(InterruptedException.class);
    }

    private void push(String producer, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            NumberedPush.push(in, Message.of(MessageId.of(producer, i), ("m" + i).getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static List<String> contents(MessageQueue queue) throws InterruptedException {
        List<String> contents = new ArrayList<>();
        long index = queue.readLowWater().index();
        while (queue.read(index) instanceof Cell.Full full) {
            contents.add(String.join(
                    "+",
                    full.message().payloads().stream().map(Codec.utf8()::decode).toList()));
            index++;
        }
        return contents;
    }

    private static HandlerResult<String> echo(String state, Inputs inputs, Instant time) {
        HandlerResult<String> result = HandlerResult.of(state);
        inputs.from("in", Codec.utf8()).forEach(payload -> result.output("out", Codec.utf8(), payload));
        return result;
    }

    @Test
    void eachInputHasItsOutputInOrder() throws Exception {
        push("p", 3);
        run(handler(HandlerProtocolTest::echo).output(out), 0);
        assertThat(contents(out)).containsExactly("m0", "m1", "m2");
    }

    /** As by a library that restores the flag. The next request to a store would end the copy. */
    @Test
    void functionThatInterruptsItsThreadDoesNotEndTheCopy() throws Exception {
        push("p", 2);
        run(
                handler((state, inputs, time) -> {
                            Thread.currentThread().interrupt();
                            if (told.failures.isEmpty()) {
                                throw new IllegalStateException("no answer");
                            }
                            return echo(state, inputs, time);
                        })
                        .output(out),
                1);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(contents(out)).containsExactly("m0", "m1");
    }

    @Test
    void secondCopyFindsNothingToDo() throws Exception {
        push("p", 3);
        run(handler(HandlerProtocolTest::echo).output(out), 0);
        run(handler(HandlerProtocolTest::echo).output(out), 0);
        assertThat(contents(out)).containsExactly("m0", "m1", "m2");
    }

    @Test
    void soleProducerNeedsTwoCompareAndSetsForAMessage() throws Exception {
        run(handler(HandlerProtocolTest::echo).exclusiveOutput(out), 0);
        push("p", 50);
        long before = store.compareAndSets();
        run(handler(HandlerProtocolTest::echo).exclusiveOutput(out), -1);
        assertThat(contents(out)).hasSize(50);
        assertThat(store.compareAndSets() - before)
                .as("compare-and-sets for 50 messages, without those of marks and tombstones")
                .isLessThanOrEqualTo(2 * 50 + 4);
    }

    @Test
    void groupsOfAHundredNeedTwoCompareAndSetsForAHundredMessages() throws Exception {
        run(handler(HandlerProtocolTest::echo).exclusiveOutput(out), 0);
        push("p", 1_000);
        long before = store.compareAndSets();
        run(handler(HandlerProtocolTest::echo).exclusiveOutput(out).maxInputs(100), -1);
        assertThat(told.stepSizes).containsOnly(100).hasSize(10);
        long tombstones = in.readLowWater().cleaned();
        assertThat(store.compareAndSets() - before - tombstones).isLessThanOrEqualTo(50);
    }

    @Test
    void handlerWithoutOutputsNeedsOneCompareAndSetForAStep() throws Exception {
        HandlerDefinition.Builder<String> counter = handler(
                (state, inputs, time) -> HandlerResult.of(state + inputs.all().size()));
        run(counter, 0);
        push("p", 20);
        long before = store.compareAndSets();
        run(counter, -1);
        assertThat(store.compareAndSets() - before).isLessThanOrEqualTo(20 + 4);
    }

    @Test
    void outputsThatDoNotFitOneMessageBecomeSeveral() throws Exception {
        push("p", 1);
        run(
                handler((state, inputs, time) -> {
                            HandlerResult<String> result = HandlerResult.of(state);
                            for (int i = 0; i < 5; i++) {
                                result.output("out", Codec.utf8(), "o" + i);
                            }
                            return result;
                        })
                        .output(out)
                        .maxPayloads(2),
                0);
        assertThat(contents(out)).containsExactly("o0+o1", "o2+o3", "o4");
    }

    @Test
    void functionThatThrowsIsCalledAgainAfterGrowingPausesAndNothingIsSkipped() throws Exception {
        push("p", 2);
        AtomicInteger calls = new AtomicInteger();
        run(
                handler((state, inputs, time) -> {
                            if (calls.incrementAndGet() <= 4) {
                                throw new IllegalStateException("not now");
                            }
                            return echo(state, inputs, time);
                        })
                        .output(out),
                4);
        assertThat(told.failures).containsExactly(1, 2, 3, 4);
        assertThat(pauses.subList(0, 4))
                .containsExactly(
                        Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(4));
        assertThat(contents(out)).containsExactly("m0", "m1");
    }

    @Test
    void errorsOfTheFunctionDoNotEndTheCopy() throws Exception {
        push("p", 1);
        AtomicInteger calls = new AtomicInteger();
        run(
                handler((state, inputs, time) -> {
                            if (calls.incrementAndGet() == 1) {
                                throw new StackOverflowError();
                            }
                            return echo(state, inputs, time);
                        })
                        .output(out),
                1);
        assertThat(contents(out)).containsExactly("m0");
    }

    @Test
    void functionThatReturnsNothingIsToldOf() throws Exception {
        push("p", 1);
        run(handler((state, inputs, time) -> nothing()), 1);
        assertThat(told.causes)
                .isNotEmpty()
                .allSatisfy(cause -> assertThat(cause).hasMessageContaining("returned null"));
    }

    @SuppressWarnings("NullAway") // as a user's function may
    private static HandlerResult<String> nothing() {
        return null;
    }

    /** A name is that of a queue or sink in its store, and a handler may use several stores. */
    @Test
    void twoQueuesOrSinksOfOneNameAreRefused() {
        RegisterSink accounts = new RegisterSink(
                "accounts", registers, (content, request) -> new EffectFunction.Change(request, request));
        RegisterSink others = new RegisterSink(
                "accounts", registers, (content, request) -> new EffectFunction.Change(request, request));
        HandlerDefinition.Builder<String> builder = handler(HandlerProtocolTest::echo)
                .input(in)
                .output(out)
                .exclusiveOutput(out)
                .parkAfter(1, out)
                .effects(accounts)
                .effects(accounts);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.input(queue("in")))
                .withMessageContaining("two input queues named in");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.output(queue("out")));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.exclusiveOutput(queue("out")));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.parkAfter(1, queue("out")));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.effects(others));
    }

    @Test
    void timeNeverGoesBackThoughTheCalendarDoes() throws Exception {
        List<Instant> times = new ArrayList<>();
        HandlerDefinition.Builder<String> definition = handler((state, inputs, time) -> {
            times.add(time);
            return HandlerResult.of(state);
        });
        push("p", 1);
        run(definition, 0);
        calendar.set(500);
        NumberedPush.push(in, Message.of(MessageId.of("p", 1), new byte[0]));
        run(definition, 0);
        assertThat(times).containsExactly(Instant.ofEpochMilli(1_000), Instant.ofEpochMilli(1_000));
    }

    @Test
    void copyThatDoesNotKnowTheFormatOfTheStateStandsBy() throws Exception {
        StateCodec<String> newer = new StateCodec<>() {
            @Override
            public int getFormat() {
                return 2;
            }

            @Override
            public boolean supports(int format) {
                return format <= 2;
            }

            @Override
            public byte[] encode(String state) {
                return state.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public String decode(int format, byte[] bytes) {
                return new String(bytes, StandardCharsets.UTF_8);
            }
        };
        run(handler(HandlerProtocolTest::echo).output(out), 0);
        push("p", 1);
        HandlerDefinition.Builder<String> upgraded = HandlerDefinition.builder(
                        "h", HandlerProtocolTest::echo, registers, newer, () -> "")
                .input(in)
                .output(out);
        run(upgraded, 0);
        NumberedPush.push(in, Message.of(MessageId.of("p", 1), "m1".getBytes(StandardCharsets.UTF_8)));
        run(handler(HandlerProtocolTest::echo).output(out), 2);
        assertThat(told.standBys).isNotEmpty();
        assertThat(contents(out)).containsExactly("m0");
        run(upgraded, 0);
        assertThat(contents(out)).containsExactly("m0", "m1");
    }

    @Test
    void copyThatIsNotConfiguredWithAQueueThatTheStateNamesStandsBy() throws Exception {
        push("p", 1);
        store.killAt(register -> register.equals("queue/out/cells/0"));
        HandlerProtocol<String> killed = new HandlerProtocol<>(
                handler(HandlerProtocolTest::echo).output(out).build(),
                calendar::get,
                length -> {},
                Ticker.system(),
                Branches.inThreads(Thread::new),
                told);
        assertThatThrownBy(() -> killed.run(() -> false)).isInstanceOf(DirectedStore.Killed.class);
        run(handler((state, inputs, time) -> HandlerResult.of(state)), 3);
        assertThat(told.standBys).isNotEmpty().allMatch(why -> why.contains("names out"));
        assertThat(contents(out)).isEmpty();
        run(handler(HandlerProtocolTest::echo).output(out), 0);
        assertThat(contents(out)).containsExactly("m0");
    }

    @Test
    void functionThatThrowsInterruptedExceptionsIsCalledAgain() throws Exception {
        push("p", 1);
        run(
                handler((state, inputs, time) -> {
                            if (told.failures.size() < 2) {
                                throw new InterruptedException("of a time-out of its own");
                            }
                            return echo(state, inputs, time);
                        })
                        .output(out),
                2);
        assertThat(told.failures).containsExactly(1, 2);
        assertThat(contents(out)).containsExactly("m0");
    }

    static Stream<Exception> failures() {
        return Stream.of(new IllegalStateException("not now"), new InterruptedException("not now"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void effectThatFailsIsTriedAgainAndTakesPlaceOnce(Exception failure) throws Exception {
        push("p", 1);
        AtomicInteger calls = new AtomicInteger();
        RegisterSink accounts = new RegisterSink("accounts", registers, (content, request) -> {
            if (calls.incrementAndGet() == 1) {
                throw Undeclared.thrown(failure);
            }
            String before = content.map(bytes -> bytes.as(Codec.utf8())).orElse("");
            return new EffectFunction.Change(Bytes.of(Codec.utf8(), before + request.as(Codec.utf8())), Bytes.none());
        });
        ExactlyOnceHandler<String> function = new ExactlyOnceHandler<>() {
            @Override
            public HandlerResult<String> handle(String state, Inputs inputs, Instant time) {
                return HandlerResult.of(state).effect("accounts", "a", Bytes.of(Codec.utf8(), "+1"));
            }

            @Override
            public HandlerResult<String> afterEffect(String state, Bytes request, Bytes result, Instant time) {
                if (calls.incrementAndGet() == 3) {
                    throw new IllegalStateException("not now either");
                }
                return HandlerResult.of(state).output("out", Codec.utf8(), "done");
            }
        };
        run(handler(function).output(out).effects(accounts), 2);
        assertThat(told.failures).containsExactly(1, 2);
        assertThat(accounts.readContent("a")).contains(Bytes.of(Codec.utf8(), "+1"));
        assertThat(contents(out)).containsExactly("done");
    }

    /** Else it would wait for ever, and say nothing. */
    @Test
    void handlerWhoseNameHadLaterEffectsBeforeIsToldOf() throws Exception {
        push("p", 1);
        RegisterSink accounts = new RegisterSink(
                "accounts", registers, (content, request) -> new EffectFunction.Change(request, request));
        accounts.apply("a", "h", "", 7, Bytes.none()); // by a version that kept no births
        HandlerProtocol<String> copy = new HandlerProtocol<>(
                handler((state, inputs, time) -> HandlerResult.of(state).effect("accounts", "a", Bytes.none()))
                        .effects(accounts)
                        .build(),
                calendar::get,
                length -> {},
                Ticker.system(),
                Branches.inThreads(Thread::new),
                told);
        assertThatThrownBy(() -> copy.run(() -> false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Handler h is at its effect 0")
                .hasMessageContaining("register a of sink accounts")
                .hasMessageContaining("new name");
    }

    @Test
    void soleProducerThatWaitsForARingPushesEachMessageOnceWithShortPauses() throws Exception {
        MessageQueue ring = new MessageQueue("ring", new Layout.Ring(2), registers);
        ring.addConsumer("c");
        push("p", 1);
        AtomicLong taken = new AtomicLong();
        AtomicInteger left = new AtomicInteger(30);
        List<Duration> waits = new ArrayList<>();
        HandlerProtocol<String> copy = new HandlerProtocol<>(
                handler((state, inputs, time) -> {
                            HandlerResult<String> result = HandlerResult.of(state);
                            for (int i = 0; i < 40; i++) {
                                result.output("ring", new byte[0]);
                            }
                            return result;
                        })
                        .exclusiveOutput(ring)
                        .maxPayloads(1)
                        .idlePauses(new GrowingPauses(Duration.ofMillis(1), Duration.ofSeconds(1)))
                        .build(),
                calendar::get,
                length -> {
                    waits.add(length);
                    if (left.decrementAndGet() < 0) {
                        throw new InterruptedException();
                    }
                    while (ring.read(taken.get()) instanceof Cell.Full) {
                        ring.raiseMark("c", taken.incrementAndGet());
                    }
                },
                Ticker.system(),
                Branches.inThreads(Thread::new),
                told);
        long before = store.compareAndSets();
        assertThatThrownBy(() -> copy.run(() -> false)).isInstanceOf(InterruptedException.class);
        assertThat(taken).hasValue(40);
        assertThat(store.compareAndSets() - before)
                .as("messages, marks, states, the end of the ring")
                .isLessThan(40 + 40 + 10 + 2);
        assertThat(waits.subList(0, 19)).containsOnly(Duration.ofMillis(1));
    }

    @Test
    void secondProducerOfAnExclusiveQueueIsToldOf() throws Exception {
        NumberedPush.push(out, Message.of(MessageId.of("somebody", 0), new byte[0]));
        push("p", 1);
        HandlerProtocol<String> protocol = new HandlerProtocol<>(
                handler(HandlerProtocolTest::echo).exclusiveOutput(out).build(),
                calendar::get,
                length -> {},
                Ticker.system(),
                Branches.inThreads(Thread::new),
                told);
        assertThatThrownBy(() -> protocol.run(() -> false))
                .isInstanceOf(TwoProducersException.class)
                .hasMessageContaining("out")
                .hasMessageContaining("handler h");
    }

    @Test
    void stateThatGrowsTooLongIsAFailureOfTheFunctionNotOfTheStore() throws Exception {
        push("p", 1);
        run(
                handler((state, inputs, time) -> HandlerResult.of("x".repeat(2_000)))
                        .maxStateBytes(1_000),
                2);
        assertThat(told.failures).isNotEmpty();
        assertThat(told.stepSizes).isEmpty();
    }

    @Test
    void messageThatWouldMakeTheStateTooLongIsNotPutAsideAndWaits() throws Exception {
        NumberedPush.push(in, Message.of(MessageId.of("p", 0), new byte[900_000]));
        String state = "x".repeat(200_000);
        HandlerDefinition.Builder<String> definition = HandlerDefinition.<String>builder(
                        "h",
                        (before, inputs, time) -> {
                            throw new IllegalStateException("poison");
                        },
                        registers,
                        StateCodec.of(Codec.utf8()),
                        () -> state)
                .input(in)
                .failurePauses(new GrowingPauses(Duration.ofSeconds(20), Duration.ofSeconds(40)))
                .parkAfter(2, queue("parked"));
        run(definition, 10);
        assertThat(told.parked).isEmpty();
        assertThat(told.causes)
                .anySatisfy(cause -> assertThat(cause)
                        .hasMessageContaining("index 0 of queue in cannot be put aside")
                        .hasMessageContaining("handler h"));
        run(handler((before, inputs, time) -> HandlerResult.of("")).parkAfter(2, queue("parked")), 0);
        assertThat(told.stepSizes).containsExactly(1);
    }

    /** The name of the producer is part of the message and not of the state. */
    @Test
    void longestStateFitsItsRegisterAndItsOutputFitsACell() throws Exception {
        push("p", 1);
        String name = "h".repeat(200);
        AtomicInteger length = new AtomicInteger(HandlerDefinition.MAX_STATE_BYTES + 1);
        HandlerDefinition.Builder<String> definition = HandlerDefinition.builder(
                        name,
                        (state, inputs, time) ->
                                HandlerResult.of(state).output("o", Codec.utf8(), "x".repeat(length.decrementAndGet())),
                        registers,
                        StateCodec.of(Codec.utf8()),
                        () -> "")
                .input(in)
                .output(queue("o"))
                .maxStateBytes(HandlerDefinition.MAX_STATE_BYTES);
        run(definition, 300);
        assertThat(told.failures).as("too long").hasSizeGreaterThan(50);
        assertThat(told.stepSizes).as("and then not").containsExactly(1);
        assertThat(contents(queue("o"))).hasSize(1);
    }

    @Test
    void longerStatesThanARegisterHoldsAreRefusedAtOnce() {
        HandlerDefinition.Builder<String> definition = handler(HandlerProtocolTest::echo);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> definition.maxStateBytes(RegisterLimits.MAX_VALUE_BYTES))
                .withMessageContaining("at most " + HandlerDefinition.MAX_STATE_BYTES);
    }

    @Test
    void inputQueueWhoseProducersDoNotFitTheStateIsAFailureThatIsTold() throws Exception {
        run(handler(HandlerProtocolTest::echo).output(out), 0);
        run(handler(HandlerProtocolTest::echo).input(queue("more")).output(out).maxStateBytes(70), 2);
        assertThat(told.failures).containsExactly(1, 2, 3);
    }

    private enum BadChange {
        NONE,
        NO_CONTENT,
        NO_RESULT,
        TOO_LONG
    }

    @SuppressWarnings("NullAway") // what users' functions return
    private static EffectFunction.Change change(BadChange which) {
        return switch (which) {
            case NONE -> null;
            case NO_CONTENT -> new EffectFunction.Change(null, Bytes.none());
            case NO_RESULT -> new EffectFunction.Change(Bytes.none(), null);
            case TOO_LONG ->
                new EffectFunction.Change(Bytes.of(new byte[RegisterLimits.MAX_VALUE_BYTES]), Bytes.none());
        };
    }

    @ParameterizedTest
    @EnumSource
    void effectWhoseChangeCannotBeWrittenIsAFailureOfTheFunctionNotOfTheStore(BadChange bad) throws Exception {
        push("p", 1);
        AtomicInteger calls = new AtomicInteger();
        RegisterSink accounts = new RegisterSink(
                "accounts",
                registers,
                (content, request) -> calls.incrementAndGet() <= 2
                        ? change(bad)
                        : new EffectFunction.Change(Bytes.of(Codec.utf8(), "mended"), Bytes.none()));
        ExactlyOnceHandler<String> function = new ExactlyOnceHandler<>() {
            @Override
            public HandlerResult<String> handle(String state, Inputs inputs, Instant time) {
                return HandlerResult.of(state).effect("accounts", "a", Bytes.none());
            }

            @Override
            public HandlerResult<String> afterEffect(String state, Bytes request, Bytes result, Instant time) {
                return HandlerResult.of(state);
            }
        };
        run(handler(function).effects(accounts), 2);
        assertThat(told.failures).containsExactly(1, 2);
        assertThat(accounts.readContent("a")).contains(Bytes.of(Codec.utf8(), "mended"));
    }

    @Test
    void missingMessageOfAProducerIsReportedAndTheHandlerGoesOn() throws Exception {
        NumberedPush.push(in, Message.of(MessageId.of("p", 0), new byte[0]));
        NumberedPush.push(in, Message.of(MessageId.of("p", 2), new byte[0]));
        run(handler(HandlerProtocolTest::echo).output(out), 0);
        assertThat(told.violations)
                .singleElement()
                .satisfies(found -> assertThat(found.expected()).isEqualTo(1));
        assertThat(contents(out)).hasSize(2);
    }

    @Test
    void missingMessageStopsAHandlerThatIsConfiguredSo() throws Exception {
        NumberedPush.push(in, Message.of(MessageId.of("p", 1), new byte[0]));
        HandlerProtocol<String> protocol = new HandlerProtocol<>(
                handler(HandlerProtocolTest::echo)
                        .output(out)
                        .onViolation(HandlerDefinition.OnViolation.STOP)
                        .build(),
                calendar::get,
                length -> {},
                Ticker.system(),
                Branches.inThreads(Thread::new),
                told);
        assertThatThrownBy(() -> protocol.run(() -> false))
                .isInstanceOf(SequenceViolationException.class)
                .hasMessageContaining("p#0");
        assertThat(contents(out)).isEmpty();
    }

    @Test
    void inputQueueThatIsAddedLaterIsTakenFromThenOn() throws Exception {
        MessageQueue more = queue("more");
        push("p", 1);
        run(handler(HandlerProtocolTest::echo).output(out), 0);
        NumberedPush.push(more, Message.of(MessageId.of("q", 0), "n0".getBytes(StandardCharsets.UTF_8)));
        run(
                handler((state, inputs, time) -> {
                            HandlerResult<String> result = HandlerResult.of(state);
                            inputs.from("more", Codec.utf8())
                                    .forEach(payload -> result.output("out", Codec.utf8(), payload));
                            return result;
                        })
                        .input(more)
                        .output(out),
                0);
        assertThat(contents(out)).containsExactly("m0", "n0");
        assertThat(more.readLowWater().marks()).containsKey("h");
    }

    @Test
    void stateThatWasRestoredFromABackupIsToldOf() throws Exception {
        MessageQueue ring = new MessageQueue("in", new Layout.Ring(2), registers);
        HandlerDefinition.Builder<String> counter = HandlerDefinition.builder(
                        "h",
                        (state, inputs, time) -> HandlerResult.of(state),
                        registers,
                        StateCodec.of(Codec.utf8()),
                        () -> "")
                .input(ring);
        for (int i = 0; i < 3; i++) {
            NumberedPush.push(ring, Message.of(MessageId.of("p", i), new byte[0]));
            run(counter, 0);
        }
        List<io.github.cassandralock.exactlyonce.register.StoredValue> history = store.history("handler/h/state");
        history.subList(2, history.size()).clear();
        HandlerProtocol<String> restored = new HandlerProtocol<>(
                counter.build(), calendar::get, length -> {}, Ticker.system(), Branches.inThreads(Thread::new), told);
        assertThatThrownBy(() -> restored.run(() -> false))
                .isInstanceOf(MismatchedStoresException.class)
                .hasMessageContaining("The state of handler h")
                .hasMessageContaining("restored from a backup");
    }

    @Test
    void copiesOfAHandlerThatWasRemovedFromItsQueueEndAndSayWhy() throws Exception {
        HandlerDefinition.Builder<String> counter = handler((state, inputs, time) -> HandlerResult.of(state));
        push("p", 1);
        run(counter, 0);
        in.removeConsumer("h");
        HandlerProtocol<String> late = new HandlerProtocol<>(
                counter.build(), calendar::get, length -> {}, Ticker.system(), Branches.inThreads(Thread::new), told);
        assertThatThrownBy(() -> late.run(() -> false))
                .isInstanceOf(ConsumerRemovedException.class)
                .hasMessageContaining("Consumer h was removed from queue in");
    }

    @Test
    void copyWhoseMessageIsGoneSinceItsHandlerWasRemovedSaysSo() throws Exception {
        MessageQueue ring = new MessageQueue("in", new Layout.Ring(2), registers);
        HandlerDefinition<String> counter = HandlerDefinition.builder(
                        "h",
                        (state, inputs, time) -> HandlerResult.of(state),
                        registers,
                        StateCodec.of(Codec.utf8()),
                        () -> "")
                .input(ring)
                .build();
        ring.addConsumer("other");
        HandlerProtocol<String> copy = new HandlerProtocol<>(
                counter,
                calendar::get,
                length -> {
                    if (ring.readLowWater().removed().contains("h")) {
                        return;
                    }
                    ring.removeConsumer("h");
                    for (int i = 0; i < 3; i++) {
                        NumberedPush.push(ring, Message.of(MessageId.of("p", i), new byte[0]));
                        ring.raiseMark("other", i + 1);
                    }
                },
                Ticker.system(),
                Branches.inThreads(Thread::new),
                told);
        assertThatThrownBy(() -> copy.run(() -> false)).isInstanceOf(ConsumerRemovedException.class);
        assertThat(told.stepSizes).isEmpty();
    }

    @Test
    void copyThatWaitsForAFullRingSaysForWhom() throws Exception {
        MessageQueue ring = new MessageQueue("ring", new Layout.Ring(2), registers);
        ring.addConsumer("sleeper");
        push("p", 3);
        run(
                handler((state, inputs, time) -> {
                            HandlerResult<String> result = HandlerResult.of(state);
                            inputs.from("in", Codec.utf8())
                                    .forEach(payload -> result.output("ring", Codec.utf8(), payload));
                            return result;
                        })
                        .output(ring),
                2);
        assertThat(told.fullRings).contains("ring[sleeper]");
    }

    /** Else the effect would be decided, and every copy would end at it for ever. */
    @Test
    void keyThatNoRegisterMayHaveFailsTheStepBeforeItIsDecided() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandlerResult.of("").effect("accounts", "a b", Bytes.none()))
                .withMessageContaining("'a b'");
    }

    @Test
    void outputsBesideAnEffectAndHandlersWithoutInputsAreRefused() {
        HandlerResult<String> withOutput = HandlerResult.of("").output("out", new byte[0]);
        assertThatIllegalStateException().isThrownBy(() -> withOutput.effect("s", "k", Bytes.none()));
        HandlerResult<String> withEffect = HandlerResult.of("").effect("s", "k", Bytes.none());
        assertThatIllegalStateException().isThrownBy(() -> withEffect.output("out", new byte[0]));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HandlerDefinition.builder(
                                "h", HandlerProtocolTest::echo, registers, StateCodec.of(Codec.utf8()), () -> "")
                        .build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> handler(HandlerProtocolTest::echo).maxInputs(0));
    }
}
