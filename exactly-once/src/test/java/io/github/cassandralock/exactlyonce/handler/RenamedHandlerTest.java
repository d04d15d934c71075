package io.github.cassandralock.exactlyonce.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.SequenceCheck;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import io.github.cassandralock.exactlyonce.queue.UnknownConsumerException;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.sink.EffectFunction;
import io.github.cassandralock.exactlyonce.sink.RegisterSink;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a handler beside queues and sinks that were renamed, made afresh, or restored. */
@Timeout(60)
class RenamedHandlerTest {

    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofNanos(1), Duration.ofNanos(1));
    private static final int MESSAGES = 5;
    private static final String STATE = "handler/h/state";

    private DirectedStore states = new DirectedStore();
    private DirectedStore queues = new DirectedStore();
    private DirectedStore accounts = new DirectedStore();
    private final List<String> standBys = new ArrayList<>();
    private final List<String> handled = new ArrayList<>();

    private static Registers registers(DirectedStore store) {
        return new Registers(store, WriteIds.ofNewProcess(), length -> {}, PAUSES);
    }

    private MessageQueue queue(String name) {
        return new MessageQueue(name, new Layout.Ring(8), registers(queues));
    }

    private RegisterSink accounts() {
        return new RegisterSink(
                "accounts",
                registers(accounts),
                (content, request) -> new EffectFunction.Change(request, Bytes.of(Codec.utf8(), "ok")));
    }

    private void push(String queue, int from, int to) throws InterruptedException {
        push(queue(queue), from, to);
    }

    private static void push(MessageQueue queue, int from, int to) throws InterruptedException {
        for (int i = from; i < to; i++) {
            NumberedPush.push(queue, Message.of(MessageId.of("p", i), ("m" + i).getBytes(StandardCharsets.UTF_8)));
        }
    }

    private HandlerDefinition.Builder<String> taking(String queue, ExactlyOnceHandler<String> function) {
        return taking(queue(queue), function);
    }

    private HandlerDefinition.Builder<String> taking(MessageQueue queue, ExactlyOnceHandler<String> function) {
        return HandlerDefinition.builder("h", function, registers(states), StateCodec.of(Codec.utf8()), () -> "")
                .input(queue)
                .idlePauses(PAUSES)
                .failurePauses(PAUSES);
    }

    /** Pushes each message on to a queue. */
    private HandlerDefinition.Builder<String> echo(String input, String output) {
        return echo(queue(input), output);
    }

    private HandlerDefinition.Builder<String> echo(MessageQueue input, String output) {
        return taking(input, (state, inputs, time) -> {
            HandlerResult<String> result = HandlerResult.of(state);
            inputs.from(input.getName(), Codec.utf8()).forEach(payload -> result.output(output, Codec.utf8(), payload));
            return result;
        });
    }

    /** Only notes what it takes. */
    private HandlerDefinition.Builder<String> noting(String input) {
        return taking(input, (state, inputs, time) -> {
            handled.addAll(inputs.from(input, Codec.utf8()));
            return HandlerResult.of(state);
        });
    }

    /** Puts each message into an account. */
    private HandlerDefinition.Builder<String> paying(String input) {
        return taking(input, new ExactlyOnceHandler<>() {
                    @Override
                    public HandlerResult<String> handle(String state, Inputs inputs, Instant time) {
                        return HandlerResult.of(state)
                                .effect(
                                        "accounts",
                                        "a",
                                        Bytes.of(
                                                Codec.utf8(),
                                                inputs.from(input, Codec.utf8()).get(0)));
                    }

                    @Override
                    public HandlerResult<String> afterEffect(String state, Bytes asked, Bytes result, Instant time) {
                        return HandlerResult.of(state);
                    }
                })
                .effects(accounts());
    }

    private Optional<Throwable> run(HandlerDefinition.Builder<String> definition) {
        return run(definition, 400);
    }

    private Optional<Throwable> run(HandlerDefinition.Builder<String> definition, int pauses) {
        return run(definition, pauses, pause -> {});
    }

    /** @param atPause what else happens at each pause, by its number */
    private Optional<Throwable> run(HandlerDefinition.Builder<String> definition, int pauses, IntConsumer atPause) {
        AtomicInteger left = new AtomicInteger(pauses);
        HandlerListener listener = new HandlerListener() {
            @Override
            public void onStandingBy(String handler, String why) {
                standBys.add(why);
            }
        };
        HandlerCopy copy = new HandlerCopy(
                definition.build(),
                "1",
                listener,
                new CopyEnvironment(
                        () -> 0,
                        length -> {
                            if (left.decrementAndGet() < 0) {
                                throw new InterruptedException();
                            }
                            atPause.accept(pauses - left.get());
                        },
                        Thread::new));
        copy.start();
        while (copy.isRunning()) {
            Thread.onSpinWait();
        }
        return copy.getFailure().filter(cause -> !(cause instanceof InterruptedException));
    }

    private static void isRefused(Optional<Throwable> failure, String told) {
        assertThat(failure)
                .hasValueSatisfying(cause -> assertThat(cause)
                        .isInstanceOf(MismatchedStoresException.class)
                        .hasMessageContaining(told));
    }

    // A sole output that was removed or renamed

    @Test
    void handlerGoesOnWithoutASoleOutputWhoseMessagesAreWritten() throws Exception {
        push("in", 0, MESSAGES);
        run(echo("in", "old").exclusiveOutput(queue("old")));
        push("in", MESSAGES, MESSAGES + 2);
        run(noting("in"));
        assertThat(standBys).isEmpty();
        assertThat(handled).containsExactly("m5", "m6");
    }

    @Test
    void handlerGoesOnWithASoleOutputThatWasRenamed() throws Exception {
        push("in", 0, MESSAGES);
        run(echo("in", "old").exclusiveOutput(queue("old")));
        push("in", MESSAGES, MESSAGES + 2);
        run(echo("in", "new").exclusiveOutput(queue("new")));
        assertThat(standBys).isEmpty();
        assertThat(queue("old").readNextIndex()).isEqualTo(MESSAGES);
        assertThat(queue("new").readNextIndex()).isEqualTo(2);
    }

    @Test
    void copyThatIsClosedInTheMiddleOfItsWorkLeavesTheStateAtRest() throws Exception {
        push("in", 0, 2);
        CountDownLatch second = new CountDownLatch(1);
        HandlerDefinition.Builder<String> busy = taking("in", (state, inputs, time) -> {
            if (inputs.from("in", Codec.utf8()).contains("m1")) {
                second.countDown();
                Thread.sleep(60_000);
            }
            return HandlerResult.of(state).output("old", Codec.utf8(), "x");
        });
        HandlerCopy copy = new HandlerCopy(
                busy.exclusiveOutput(queue("old")).build(),
                "1",
                HandlerListener.none(),
                CopyEnvironment.ofThisMachine());
        copy.start();
        second.await();
        copy.close();

        run(noting("in"));
        assertThat(standBys).isEmpty();
        assertThat(handled).containsExactly("m1");
    }

    @Test
    void handlerStandsByWhileOutputsMayBeMissingAndSaysWhatToDo() throws Exception {
        push("in", 0, 1);
        queues.killAt(register -> register.startsWith("queue/old/cells"));
        run(echo("in", "old").exclusiveOutput(queue("old")));
        run(noting("in"), 3);
        assertThat(handled).isEmpty();
        assertThat(standBys)
                .isNotEmpty()
                .allSatisfy(why -> assertThat(why)
                        .contains("the state names old")
                        .contains("Configure it here, too, until the handler has nothing to do"));

        run(noting("in").exclusiveOutput(queue("old")));
        assertThat(queue("old").readNextIndex()).isEqualTo(1);
        run(noting("in"));
        assertThat(DecodedState.of("h", present()).phase()).isEqualTo("Handling");
    }

    private StoredValue present() {
        List<StoredValue> history = states.history(STATE);
        return history.get(history.size() - 1);
    }

    // Queues and sinks that were made afresh, beside an old state

    @Test
    void inputThatWasMadeAfreshIsRefused() throws Exception {
        push("in", 0, MESSAGES);
        run(noting("in"));
        queues = new DirectedStore();
        push("in", 0, MESSAGES + 2);

        isRefused(run(noting("in")), "The state of handler h counts another input queue in");
        assertThat(handled).hasSize(MESSAGES);
    }

    @Test
    void outputThatWasMadeAfreshIsRefused() throws Exception {
        push("in", 0, 3);
        run(echo("in", "out").output(queue("out")));
        queues.delete(register -> register.startsWith("queue/out/"));
        push("in", 3, 4);

        isRefused(run(echo("in", "out").output(queue("out"))), "counts another output queue out");
        assertThat(queue("out").readNextIndex()).isZero();
    }

    @Test
    void accountsThatWereMadeAfreshAreRefused() throws Exception {
        push("in", 0, 3);
        assertThat(run(paying("in"))).isEmpty();
        accounts = new DirectedStore();
        push("in", 3, 4);

        isRefused(run(paying("in")), "counts another sink accounts");
        assertThat(accounts().readContent("a")).isEmpty();
    }

    @Test
    void inputThatWasRenamedIsANewOne() throws Exception {
        push("old", 0, MESSAGES);
        run(noting("old"));
        handled.clear();
        push("new", 0, 2);
        assertThat(run(noting("new"))).isEmpty();
        assertThat(handled).containsExactly("m0", "m1");
    }

    // A state that was lost or restored, beside old queues and sinks

    @Test
    void stateThatWasLostDoesNotBeginAgainInTheMiddleOfItsInput() throws Exception {
        push("in", 0, MESSAGES);
        run(noting("in"));
        states.delete(register -> true);
        push("in", MESSAGES, MESSAGES + 2);

        isRefused(run(noting("in")), "Queue in was used before by another h");
        assertThat(handled).hasSize(MESSAGES);
    }

    /** The messages that it numbers from 0 again would be taken for those that are there. */
    @Test
    void stateThatWasLostDoesNotPushUnderItsOldSequences() throws Exception {
        push("in", 0, 2);
        run(echo("in", "out").exclusiveOutput(queue("out")));
        states.delete(register -> true);
        push("other", 0, 2);

        isRefused(run(echo("other", "out").exclusiveOutput(queue("out"))), "Queue out was used before by another h");
        assertThat(queue("out").readNextIndex()).isEqualTo(2);
    }

    @Test
    void stateThatWasLostDoesNotTakeOldResultsForItsOwn() throws Exception {
        push("in", 0, 1);
        run(paying("in"));
        states.delete(register -> true);
        queues = new DirectedStore();
        push("in", 3, 4);

        isRefused(run(paying("in")), "has effects of another handler h");
        assertThat(accounts().readContent("a")).contains(Bytes.of(Codec.utf8(), "m0"));
    }

    @Test
    void stateThatWasRestoredFromABackupIsRefused() throws Exception {
        push("in", 0, 2);
        run(noting("in"));
        StoredValue backup = present();
        push("in", 2, 4);
        run(noting("in"));
        states.delete(register -> true);
        states.history(STATE)
                .add(StoredValue.of(backup.getVersion(), WriteIds.ofNewProcess().next(), backup.getValue()));

        isRefused(run(noting("in")), "The state was restored from a backup");
        assertThat(handled).hasSize(4);
    }

    @Test
    void inputThatWasRestoredFromABackupIsRefused() throws Exception {
        push("in", 0, MESSAGES);
        run(noting("in"));
        queues.delete(register -> register.contains("/cells/"));

        isRefused(run(noting("in")), "Queue in has no message at index 4, which h has taken");
    }

    /** The state and its input are in a store that was restored; its output is in another store. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stateThatWasRestoredWithItsInputIsRefusedByItsOutput(boolean sole) throws Exception {
        push(inputBesideState(), 0, 2);
        run(echoInputBesideState(sole));
        DirectedStore backup = states.backup();
        push(inputBesideState(), 2, 4);
        run(echoInputBesideState(sole));
        states = backup;
        push(inputBesideState(), 2, 4);

        isRefused(run(echoInputBesideState(sole)), "its queues show that it stood beyond");
    }

    /** Their messages are the last ones of the output, and overwrite those of the handler if there are many. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void stateThatWasRestoredIsRefusedThoughOthersHavePushedToItsOutputSince(int ofOthers) throws Exception {
        MessageQueue out = queue("out");
        out.addConsumer("c");
        push(inputBesideState(), 0, 2);
        run(echoInputBesideState(false));
        DirectedStore backup = states.backup();
        push(inputBesideState(), 2, 4);
        run(echoInputBesideState(false));
        for (int i = 0; i < ofOthers; i++) {
            out.raiseMark("c", out.readNextIndex());
            push(out, i, i + 1);
        }
        states = backup;
        push(inputBesideState(), 2, 4);

        isRefused(run(echoInputBesideState(false)), "its queues show that it stood beyond");
    }

    /** The state has decided its last output, and a later state has written it. */
    @Test
    void stateThatWasRestoredBeforeItChoseAnIndexIsRefusedByItsOutput() throws Exception {
        push(inputBesideState(), 0, 2);
        AtomicInteger writes = new AtomicInteger();
        states.killAt(register -> register.equals(STATE) && isPhase("Preparing") && writes.incrementAndGet() == 2);
        run(echoInputBesideState(false).maxInputs(1));
        DirectedStore backup = states.backup();
        assertThat(DecodedState.of("h", present()).phase()).isEqualTo("Preparing");
        run(echoInputBesideState(false));
        states = backup;

        isRefused(run(echoInputBesideState(false)), "its queues show that it stood beyond");
        assertThat(queue("out").readNextIndex()).isEqualTo(2);
    }

    @Test
    void stateThatWasRestoredBeforeItsIndexWasTakenIsRefusedByItsOutput() throws Exception {
        DirectedStore backup = stoppedInWriting();
        push("out", 0, 1);
        run(echoInputBesideState(false));
        states = backup;

        isRefused(run(echoInputBesideState(false)), "its queues show that it stood beyond");
        assertThat(queue("out").readNextIndex()).isEqualTo(2);
    }

    @Test
    void stateThatWritesItsLastOutputWhereItIsGoesOn() throws Exception {
        DirectedStore backup = stoppedInWriting();
        run(echoInputBesideState(false));
        states = backup;

        assertThat(run(echoInputBesideState(false))).isEmpty();
        assertThat(queue("out").readNextIndex()).isEqualTo(1);
    }

    /** The state has chosen index 0 of its output, and nobody has written there. */
    private DirectedStore stoppedInWriting() throws InterruptedException {
        push(inputBesideState(), 0, 1);
        queues.killAt("queue/out/cells/0"::equals);
        run(echoInputBesideState(false));
        assertThat(DecodedState.of("h", present()).phase()).isEqualTo("Writing");
        return states.backup();
    }

    private boolean isPhase(String phase) {
        return present().getVersion() > 0
                && DecodedState.of("h", present()).phase().equals(phase);
    }

    private MessageQueue inputBesideState() {
        return new MessageQueue("in", new Layout.Ring(8), registers(states));
    }

    private HandlerDefinition.Builder<String> echoInputBesideState(boolean sole) {
        HandlerDefinition.Builder<String> definition = echo(inputBesideState(), "out");
        return sole ? definition.exclusiveOutput(queue("out")) : definition.output(queue("out"));
    }

    /** Otherwise the state would name the queue for ever, and the handler would stand by without it. */
    @Test
    void handlerTakesNothingIfItsExclusiveOutputIsThatOfAnother() throws Exception {
        push("own", 0, 1);
        run(noting("own"));
        push("other", 0, 2);
        push("out", 0, 1);

        assertThat(run(echo("other", "out").exclusiveOutput(queue("out"))))
                .hasValueSatisfying(cause -> assertThat(cause)
                        .isInstanceOf(TwoProducersException.class)
                        .hasMessageContaining("though handler h is configured as its only producer"));
        assertThat(DecodedState.of("h", present()).indexes()).containsOnlyKeys("own");
        assertThat(queue("other").readLowWater().marks())
                .as("it does not hold the ring")
                .isEmpty();
    }

    /** State and queue are in one store, which was restored; the account is in another one. */
    @Test
    void restoredStateDoesNotTakeTheResultOfAnotherEffectForItsOwn() throws Exception {
        queues = states;
        push("in", 0, 1);
        assertThat(run(paying("in"))).isEmpty();
        DirectedStore backup = states.backup();
        push("in", 1, 2);
        assertThat(run(paying("in"))).isEmpty();
        states = backup;
        queues = backup;
        push("in", 7, 8);

        isRefused(run(paying("in")), "has the effect 1 of handler h for another request");
        assertThat(accounts().readContent("a")).contains(Bytes.of(Codec.utf8(), "m1"));
    }

    /** It has pushed beside another producer, so that its numbers are not the indexes. */
    @Test
    void handlerTakesNothingIfItsOutputWasSharedBeforeItBecameExclusive() throws Exception {
        push("out", 0, 1);
        push("in", 0, 2);
        run(echo("in", "out").output(queue("out")));
        push("in", 2, 3);

        assertThat(run(echo("in", "out").exclusiveOutput(queue("out"))))
                .hasValueSatisfying(cause -> assertThat(cause).isInstanceOf(TwoProducersException.class));
        assertThat(DecodedState.of("h", present()).indexes()).containsEntry("in", 2L);
        run(echo("in", "out").output(queue("out")));
        assertThat(textsIn("out")).containsExactly("m0", "m0", "m1", "m2");
    }

    /** As the message of the copy that has ended advises. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void outputThatWasDecidedAsExclusiveGoesBehindThoseOfOthersOnceItIsOrdinary(int ofOthers) throws Exception {
        push("in", 0, 2);
        run(echo("in", "out").exclusiveOutput(queue("out")));
        HandlerDefinition.Builder<String> exclusive = taking("in", (state, inputs, time) -> {
                    push("out", 0, ofOthers);
                    return HandlerResult.of(state)
                            .output("out", Codec.utf8(), "a")
                            .output("out", Codec.utf8(), "b")
                            .output("last", Codec.utf8(), "c");
                })
                .maxPayloads(1)
                .exclusiveOutput(queue("out"))
                .exclusiveOutput(queue("last"));
        push("in", 2, 3);
        assertThat(run(exclusive))
                .hasValueSatisfying(cause -> assertThat(cause)
                        .isInstanceOf(TwoProducersException.class)
                        .hasMessageContaining("Make the output of both an ordinary one"));

        assertThat(run(echo("in", "out").output(queue("out")).exclusiveOutput(queue("last"))))
                .isEmpty();
        assertThat(textsIn("out"))
                .startsWith("m0", "m1", "m0")
                .endsWith("a", "b")
                .hasSize(4 + ofOthers);
        assertThat(textsIn("last")).containsExactly("c");
    }

    private List<String> textsIn(String queue) throws InterruptedException {
        List<String> texts = new ArrayList<>();
        long index = 0;
        while (queue(queue).read(index) instanceof Cell.Full full) {
            full.message().payloads().forEach(payload -> texts.add(Codec.utf8().decode(payload)));
            index++;
        }
        return texts;
    }

    // Queues that are emptied while copies run

    @Test
    void copyThatWaitsForMessagesEndsWhenItsInputIsEmptied() throws Exception {
        push("in", 0, MESSAGES);
        int afterAll = 50;
        Optional<Throwable> failure = run(noting("in"), 400, pause -> {
            if (pause == afterAll) {
                queues.delete(register -> true);
            }
        });
        isRefused(failure, "Queue in has no message at index 4, which h has taken");
    }

    // Queues that a handler does not take any more

    @Test
    void stateForgetsTheProducersOfAQueueThatItDoesNotTakeAnyMore() throws Exception {
        int producers = 40;
        pushOneOfEach(producers, 0);
        push("new", 0, 1);
        run(noting("new"));
        assertThat(present().getValue()).hasSizeLessThan(1_000);

        pushOneOfEach(producers, 1);
        assertThat(handled).hasSize(2 * producers + 1);
    }

    private void pushOneOfEach(int producers, long sequence) throws InterruptedException {
        for (int producer = 0; producer < producers; producer++) {
            NumberedPush.push(queue("old"), Message.of(MessageId.of("p".repeat(100) + producer, sequence), new byte[] {
                'm'
            }));
            assertThat(run(noting("old").onViolation(HandlerDefinition.OnViolation.STOP), 20))
                    .isEmpty();
        }
    }

    // States of an older version

    /** As a version of the program wrote it that kept no births. */
    private void stateOfAnOlderVersion(long index, Map<String, Long> sequences) {
        ByteEncoder encoder = new ByteEncoder()
                .tag(1)
                .count(1)
                .bytes(new byte[0])
                .number(1)
                .number(0)
                .count(1)
                .text("in")
                .number(index);
        SequenceCheck.none().writeTo(encoder);
        byte[] state = encoder.map(new TreeMap<>(sequences), ByteEncoder::number)
                .number(0)
                .tag(0)
                .toBytes();
        states.history(STATE).add(StoredValue.of(1, WriteIds.ofNewProcess().next(), state));
    }

    @Test
    void stateOfAnOlderVersionGoesOnWithTheQueueThatKnowsIt() throws Exception {
        push("in", 0, MESSAGES);
        queue("in").addConsumer("h");
        stateOfAnOlderVersion(2, Map.of());

        assertThat(run(noting("in"))).isEmpty();
        assertThat(handled).containsExactly("m2", "m3", "m4");
    }

    @Test
    void stateOfAnOlderVersionIsRefusedByAQueueThatDoesNotKnowIt() throws Exception {
        push("in", 0, MESSAGES);
        stateOfAnOlderVersion(2, Map.of());

        assertThat(run(noting("in"))).containsInstanceOf(UnknownConsumerException.class);
        assertThat(handled).isEmpty();
    }

    @Test
    void stateOfAnOlderVersionIsRefusedByAnOutputThatIsEmpty() throws Exception {
        push("in", 0, MESSAGES);
        queue("in").addConsumer("h");
        stateOfAnOlderVersion(2, Map.of("out", 2L));

        isRefused(
                run(echo("in", "out").exclusiveOutput(queue("out"))),
                "Handler h has pushed messages to output queue out, which is empty");
    }
}
