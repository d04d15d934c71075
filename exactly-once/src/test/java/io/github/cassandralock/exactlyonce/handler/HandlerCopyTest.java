package io.github.cassandralock.exactlyonce.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.cassandralock.exactlyonce.Undeclared;
import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.sink.EffectFunction;
import io.github.cassandralock.exactlyonce.sink.RegisterSink;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies with threads of their own. */
@Timeout(60)
class HandlerCopyTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    /** A store in memory that may refuse for good, or not answer. */
    private static final class RefusingStore implements RegisterStore {

        private final RegisterStore registers = new InMemoryRegisterStore();
        volatile boolean refuses;
        volatile boolean hangs;

        @Override
        public StoredValue read(String name) throws InterruptedException {
            if (refuses) {
                throw new RegisterRefusedException("no permission to read " + name, new IllegalStateException());
            }
            requireAnswer();
            return registers.read(name);
        }

        @Override
        public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
                throws InterruptedException {
            requireAnswer();
            return registers.compareAndSet(name, expected, value, writeId);
        }

        private void requireAnswer() throws InterruptedException {
            if (hangs) {
                new CountDownLatch(1).await();
            }
        }
    }

    private final RefusingStore store = new RefusingStore();
    private final Registers registers = Registers.of(store);
    private final MessageQueue in = new MessageQueue("in", new Layout.Ring(16), registers);
    private final MessageQueue out = new MessageQueue("out", new Layout.Keep(), registers);

    private HandlerDefinition.Builder<String> echo() {
        return HandlerDefinition.builder(
                        "echo",
                        (state, inputs, time) -> {
                            HandlerResult<String> result = HandlerResult.of(state);
                            inputs.from("in", Codec.utf8())
                                    .forEach(payload -> result.output("out", Codec.utf8(), payload));
                            return result;
                        },
                        registers,
                        StateCodec.of(Codec.utf8()),
                        () -> "")
                .input(in)
                .output(out)
                .idlePauses(new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(20)));
    }

    private static HandlerCopy copy(HandlerDefinition.Builder<?> definition, String name, HandlerListener listener) {
        return new HandlerCopy(definition.build(), name, listener, CopyEnvironment.ofThisMachine());
    }

    @Test
    void threeCopiesOfWhichOneIsClosedInTheMiddlePushEachOutputOnceInOrder() throws Exception {
        List<HandlerCopy> copies = List.of(
                copy(echo(), "1", HandlerListener.none()),
                copy(echo(), "2", HandlerListener.none()),
                copy(echo(), "3", HandlerListener.none()));
        copies.forEach(HandlerCopy::start);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            in.push(("m" + i).getBytes(StandardCharsets.UTF_8));
            expected.add("m" + i);
            if (i == 200) {
                assertThat(copies.get(0).close(LONG)).isTrue();
            }
        }
        List<String> found = new ArrayList<>();
        while (found.size() < expected.size()) {
            if (out.read(found.size()) instanceof Cell.Full full) {
                found.add(new String(full.message().payloads().get(0), StandardCharsets.UTF_8));
            } else {
                Thread.onSpinWait();
            }
        }
        for (HandlerCopy copy : copies) {
            assertThat(copy.close(LONG)).isTrue();
            assertThat(copy.getFailure()).isEmpty();
        }
        assertThat(found).isEqualTo(expected);
        assertThat(out.read(expected.size())).isInstanceOf(Cell.Absent.class);
    }

    @Test
    void closedCopyHasNoThreadAndCannotBeStartedAgain() throws Exception {
        HandlerCopy copy = copy(echo(), "1", HandlerListener.none());
        copy.start();
        assertThatIllegalStateException().isThrownBy(copy::start).withMessageContaining("exactly-once-echo-1");
        assertThat(copy.close(LONG)).isTrue();
        assertThat(copy.isRunning()).isFalse();
        assertThat(copy.close(LONG)).as("closed twice").isTrue();
        assertThatIllegalStateException().isThrownBy(copy::start);
    }

    @Test
    void copyThatIsClosedBeforeItsStartNeverStarts() throws Exception {
        HandlerCopy copy = copy(echo(), "1", HandlerListener.none());
        assertThat(copy.close(Duration.ZERO)).isTrue();
        assertThatIllegalStateException().isThrownBy(copy::start);
    }

    @Test
    void copyThatIsClosedByItsOwnThreadDoesNotWaitForItself() throws Exception {
        AtomicReference<HandlerCopy> self = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        HandlerCopy copy = copy(echo(), "1", new HandlerListener() {
            @Override
            public void onIdle(String handler) {
                HandlerCopy mine = self.get();
                if (mine != null) {
                    mine.close();
                }
                closed.countDown();
            }
        });
        self.set(copy);
        copy.start();
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(copy.close(LONG)).isTrue();
        assertThat(copy.getFailure()).isEmpty();
    }

    @Test
    void copyWhoseFunctionSwallowsInterruptsEndsThoughItAlwaysHasInputs() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        AtomicLong pushed = new AtomicLong();
        HandlerCopy copy = copy(
                HandlerDefinition.builder(
                                "swallows",
                                (state, inputs, time) -> {
                                    Thread.interrupted();
                                    NumberedPush.push(
                                            in, Message.of(MessageId.of("p", pushed.incrementAndGet()), new byte[0]));
                                    called.countDown();
                                    while (!Thread.interrupted() && pushed.get() < 1_000) {
                                        Thread.onSpinWait();
                                    }
                                    return HandlerResult.of(state);
                                },
                                registers,
                                StateCodec.of(Codec.utf8()),
                                () -> "")
                        .input(in),
                "1",
                HandlerListener.none());
        NumberedPush.push(in, Message.of(MessageId.of("p", 0), new byte[0]));
        copy.start();
        assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(copy.close(LONG)).isTrue();
        assertThat(copy.getFailure()).isEmpty();
        assertThat(pushed).as("calls of the function").hasValueLessThan(3);
    }

    @Test
    void functionThatFailsByTheInterruptOfACloseIsNotCalledAgain() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        AtomicLong calls = new AtomicLong();
        MessageQueue parking = new MessageQueue("parking", new Layout.Ring(16), registers);
        HandlerCopy copy = copy(
                HandlerDefinition.builder(
                                "wraps",
                                (state, inputs, time) -> {
                                    calls.incrementAndGet();
                                    called.countDown();
                                    awaitInterrupt();
                                    throw new IllegalStateException("no answer");
                                },
                                registers,
                                StateCodec.of(Codec.utf8()),
                                () -> "")
                        .input(in)
                        .parkAfter(1, parking),
                "1",
                HandlerListener.none());
        NumberedPush.push(in, Message.of(MessageId.of("p", 0), new byte[0]));
        copy.start();
        assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
        NumberedPush.push(in, Message.of(MessageId.of("p", 1), new byte[0]));
        assertThat(copy.close(LONG)).isTrue();
        assertThat(copy.getFailure()).isEmpty();
        assertThat(calls).as("calls of the function").hasValue(1);
    }

    private static void awaitInterrupt() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void closedCopyEndsAtItsEffectThoughTheStoreDoesNotAnswer() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        RegisterSink accounts = new RegisterSink("accounts", registers, (content, request) -> {
            store.hangs = true;
            called.countDown();
            awaitInterrupt();
            return new EffectFunction.Change(request, request);
        });
        HandlerCopy copy = copy(
                HandlerDefinition.builder(
                                "pays",
                                (state, inputs, time) -> HandlerResult.of(state).effect("accounts", "a", Bytes.none()),
                                registers,
                                StateCodec.of(Codec.utf8()),
                                () -> "")
                        .input(in)
                        .effects(accounts),
                "1",
                HandlerListener.none());
        NumberedPush.push(in, Message.of(MessageId.of("p", 0), new byte[0]));
        copy.start();
        assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(copy.close(LONG)).isTrue();
        assertThat(copy.getFailure()).isEmpty();
    }

    @Test
    void copyThatIsClosedInAListenerEndsThoughTheStoreDoesNotAnswer() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        MessageQueue parking = new MessageQueue("parking", new Layout.Ring(16), registers);
        HandlerCopy copy = copy(
                HandlerDefinition.<String>builder(
                                "fails",
                                (state, inputs, time) -> {
                                    throw new IllegalStateException("no answer");
                                },
                                registers,
                                StateCodec.of(Codec.utf8()),
                                () -> "")
                        .input(in)
                        .parkAfter(1, parking),
                "1",
                new HandlerListener() {
                    @Override
                    public void onFunctionFailed(String handler, int attempt, Throwable cause) {
                        store.hangs = true;
                        called.countDown();
                        awaitInterrupt();
                    }
                });
        NumberedPush.push(in, Message.of(MessageId.of("p", 0), new byte[0]));
        copy.start();
        assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(copy.close(LONG)).isTrue();
        assertThat(copy.getFailure()).isEmpty();
    }

    @Test
    void permanentRefusalEndsTheCopyAndIsTold() throws Exception {
        store.refuses = true;
        CountDownLatch failed = new CountDownLatch(1);
        HandlerCopy copy = copy(echo(), "1", new HandlerListener() {
            @Override
            public void onFailed(String handler, Throwable cause) {
                failed.countDown();
            }
        });
        copy.start();
        assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(copy.close(LONG)).isTrue();
        assertThat(copy.getFailure()).containsInstanceOf(RegisterRefusedException.class);
    }

    static Stream<Exception> mistakesOfAListener() {
        return Stream.of(new IllegalStateException("a listener's mistake"), new IOException("not declared"));
    }

    @ParameterizedTest
    @MethodSource("mistakesOfAListener")
    void listenerThatThrowsChangesNothing(Exception mistake) throws Exception {
        in.push("m".getBytes(StandardCharsets.UTF_8));
        HandlerCopy copy = copy(echo(), "1", new HandlerListener() {
            @Override
            public void onStepCommitted(String handler, long step, int messages) {
                throw Undeclared.thrown(mistake);
            }
        });
        copy.start();
        while (!(out.read(0) instanceof Cell.Full)) {
            Thread.onSpinWait();
        }
        assertThat(copy.getFailure()).isEmpty();
        assertThat(copy.close(LONG)).isTrue();
    }
}
