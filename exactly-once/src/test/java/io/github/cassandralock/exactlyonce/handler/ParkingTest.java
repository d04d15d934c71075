package io.github.cassandralock.exactlyonce.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.Undeclared;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.Branches;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which messages are parked, and which are not. */
@Timeout(60)
class ParkingTest {

    private static final Codec<String> TEXT = Codec.utf8();
    private static final Duration MIN_DURATION = Duration.ofSeconds(10);

    private final DirectedStore store = new DirectedStore();
    private final Registers registers = new Registers(
            store,
            WriteIds.ofNewProcess(),
            length -> {},
            new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(1)));
    private final MessageQueue in = queue("in");
    private final MessageQueue parking = queue("parked");

    /** Time passes in pauses only. */
    private final AtomicLong nanos = new AtomicLong();

    private final Told told = new Told();

    private final class Told implements HandlerListener {
        final List<String> parked = new ArrayList<>();
        final List<Duration> parkedAfter = new ArrayList<>();
        final List<Duration> allFailed = new ArrayList<>();

        @Override
        public void onParked(String handler, Inputs.Input input, Throwable cause) {
            parked.add(TEXT.decode(input.message().payloads().get(0)));
            parkedAfter.add(Duration.ofNanos(nanos.get()));
        }

        @Override
        public void onAllMessagesFail(String handler, int messages, Duration lasting, Throwable cause) {
            allFailed.add(lasting);
        }
    }

    private MessageQueue queue(String name) {
        return new MessageQueue(name, new Layout.Keep(), registers);
    }

    private void push(String... words) throws InterruptedException {
        for (String word : words) {
            in.push(TEXT.encode(word));
        }
    }

    /** Appends words to the state, unless they fail. */
    private static ExactlyOnceHandler<String> failingWith(Predicate<String> words) {
        return (state, inputs, time) -> {
            String after = state;
            for (String word : inputs.from("in", TEXT)) {
                if (words.test(word)) {
                    throw new IllegalArgumentException("cannot handle " + word);
                }
                after += word + " ";
            }
            return HandlerResult.of(after);
        };
    }

    private HandlerDefinition.Builder<String> handler(Predicate<String> failing) {
        return HandlerDefinition.builder("h", failingWith(failing), registers, StateCodec.of(TEXT), () -> "")
                .input(in)
                .failurePauses(new GrowingPauses(Duration.ofMillis(50), Duration.ofSeconds(30)))
                .idlePauses(new GrowingPauses(Duration.ofSeconds(1), Duration.ofSeconds(1)))
                .parkAfter(3, MIN_DURATION, parking);
    }

    /** Runs a copy until a time. */
    private void runUntil(Duration end, HandlerDefinition.Builder<String> definition) {
        runWhile(() -> nanos.get() < end.toNanos(), definition);
    }

    private void runWhile(BooleanSupplier goesOn, HandlerDefinition.Builder<String> definition) {
        HandlerProtocol<String> copy = new HandlerProtocol<>(
                definition.build(),
                () -> 0,
                length -> {
                    nanos.addAndGet(length.toNanos());
                    if (!goesOn.getAsBoolean()) {
                        throw new InterruptedException();
                    }
                },
                nanos::get,
                Branches.inThreads(Thread::new),
                told);
        assertThatThrownBy(() -> copy.run(() -> false)).isInstanceOf(InterruptedException.class);
    }

    private List<String> parked() throws InterruptedException {
        List<String> found = new ArrayList<>();
        for (long index = 0; parking.read(index) instanceof Cell.Full full; index++) {
            found.add(TEXT.decode(full.message().payloads().get(0)) + " "
                    + TEXT.decode(full.message().payloads().get(1)));
        }
        return found;
    }

    private String state() throws InterruptedException {
        return HandlerState.ofBytes(
                        "h", registers.named("handler/h/state").read().getValue())
                .userState()
                .as(TEXT);
    }

    @Test
    void poisonAmongGoodMessagesIsParkedAfterTheShortestDuration() throws Exception {
        push("a", "b", "poison", "c", "d");
        runUntil(Duration.ofMinutes(1), handler("poison"::equals).maxInputs(10));
        assertThat(told.parked).containsExactly("poison");
        assertThat(told.parkedAfter.get(0)).isBetween(MIN_DURATION, MIN_DURATION.multipliedBy(2));
        assertThat(parked()).singleElement().asString().contains("in 2 ", "cannot handle poison");
        assertThat(state()).isEqualTo("a b c d ");
    }

    /** Else a message that fails would hold up its queue for as long as a queue before its own has messages. */
    @Test
    void poisonIsParkedThoughAQueueBeforeItsOwnAlwaysHasMessages() throws Exception {
        MessageQueue busy = queue("busy");
        push("poison", "a");
        runUntil(
                Duration.ofMinutes(2),
                HandlerDefinition.<String>builder(
                                "h",
                                (state, inputs, time) -> {
                                    if (told.parked.isEmpty()) {
                                        busy.push(TEXT.encode("busy"));
                                    }
                                    return failingWith("poison"::equals).handle(state, inputs, time);
                                },
                                registers,
                                StateCodec.of(TEXT),
                                () -> "")
                        .input(in)
                        .input(busy)
                        .maxInputs(10)
                        .failurePauses(new GrowingPauses(Duration.ofMillis(50), Duration.ofSeconds(30)))
                        .parkAfter(3, MIN_DURATION, parking));
        assertThat(told.parked).containsExactly("poison");
        assertThat(state()).isEqualTo("a ");
    }

    @Test
    void dependencyThatIsDownForLongParksNothing() throws Exception {
        push("a", "b", "c", "d");
        Duration back = Duration.ofHours(1);
        runUntil(back.plusMinutes(2), handler(word -> nanos.get() < back.toNanos()));
        assertThat(told.parked).isEmpty();
        assertThat(told.allFailed).isNotEmpty();
        assertThat(told.allFailed.get(told.allFailed.size() - 1)).isGreaterThan(Duration.ofMinutes(55));
        assertThat(state()).isEqualTo("a b c d ");
    }

    /** What the function depends on works again, between the failure of one message and the trial of another. */
    @Test
    void dependencyThatComesBackBetweenTwoCallsParksNothing() throws Exception {
        push("a", "b", "c");
        AtomicLong calls = new AtomicLong();
        runUntil(
                Duration.ofMinutes(5),
                handler(word -> nanos.get() < MIN_DURATION.toNanos() || calls.incrementAndGet() <= 1));
        assertThat(told.parked).isEmpty();
        assertThat(state()).isEqualTo("a b c ");
    }

    /** The last failure is the outage's, after failures of the message's own that were too few or too short. */
    @Test
    void dependencyThatGoesDownBetweenTwoCallsParksNothing() throws Exception {
        push("a", "flaky", "b");
        Duration back = MIN_DURATION.plusHours(1);
        runUntil(
                back.plusMinutes(2),
                handler(word ->
                        nanos.get() < MIN_DURATION.toNanos() ? word.equals("flaky") : nanos.get() < back.toNanos()));
        assertThat(told.parked).isEmpty();
        assertThat(state()).isEqualTo("a flaky b ");
    }

    /** Nothing has shown in the outage that the function works. After it, the message fails twice of its own, of three times. */
    @Test
    void failuresInAnOutageWithoutAnotherMessageDoNotCountAfterIt() throws Exception {
        push("flaky");
        Duration back = Duration.ofSeconds(40);
        AtomicInteger ownFailures = new AtomicInteger();
        AtomicInteger calls = new AtomicInteger();
        ExactlyOnceHandler<String> function = failingWith(
                word -> nanos.get() < back.toNanos() || (word.equals("flaky") && ownFailures.incrementAndGet() <= 2));
        runUntil(
                back.plusMinutes(5),
                HandlerDefinition.<String>builder(
                                "h",
                                (state, inputs, time) -> {
                                    if (nanos.get() >= back.toNanos() && calls.incrementAndGet() == 1) {
                                        push("a", "b");
                                    }
                                    return function.handle(state, inputs, time);
                                },
                                registers,
                                StateCodec.of(TEXT),
                                () -> "")
                        .input(in)
                        .failurePauses(new GrowingPauses(Duration.ofMillis(50), Duration.ofSeconds(30)))
                        .parkAfter(3, MIN_DURATION, parking));
        assertThat(told.parked).isEmpty();
        assertThat(state()).isEqualTo("flaky a b ");
    }

    /** The first copy fails with all messages in the outage, and stands still after it; the second one is broken for one message. */
    @Test
    void failureOfAnotherCopyInAnOutageDoesNotCountAfterIt() throws Exception {
        push("hard", "a", "b");
        runUntil(Duration.ofSeconds(40), handler(word -> true));
        runUntil(Duration.ofSeconds(90), handler("hard"::equals));
        assertThat(told.parked).isEmpty();
        runUntil(Duration.ofSeconds(95), handler(word -> false));
        assertThat(state()).isEqualTo("hard a b ");
    }

    @Test
    void poisonAfterAGoodMessageIsParkedThoughNothingFollowsIt() throws Exception {
        push("a", "poison");
        runUntil(Duration.ofMinutes(1), handler("poison"::equals));
        assertThat(told.parked).containsExactly("poison");
        assertThat(told.parkedAfter.get(0)).isLessThan(MIN_DURATION.multipliedBy(2));
    }

    @Test
    void poisonThatIsTheOnlyMessageEverIsParkedLater() throws Exception {
        push("poison");
        runUntil(Duration.ofMinutes(10), handler("poison"::equals));
        assertThat(told.parked).containsExactly("poison");
        assertThat(told.parkedAfter.get(0))
                .isBetween(
                        MIN_DURATION.multipliedBy(12),
                        MIN_DURATION.multipliedBy(12).plusSeconds(30));
    }

    @Test
    void severalPoisonMessagesInSuccessionAreParked() throws Exception {
        push("a", "b", "c", "d", "poison1", "poison2", "poison3", "e", "f", "g");
        runUntil(Duration.ofMinutes(5), handler(word -> word.startsWith("poison")));
        assertThat(told.parked).containsExactly("poison1", "poison2", "poison3");
        assertThat(state()).isEqualTo("a b c d e f g ");
    }

    /** It succeeds at every second call, and did so beside an earlier message. */
    @Test
    void messageIsNotComparedWithItself() throws Exception {
        push("poison", "flaky", "b", "c");
        AtomicInteger calls = new AtomicInteger();
        runWhile(
                () -> calls.get() < 2,
                handler(word -> !word.equals("flaky") || (!told.parked.isEmpty() && calls.incrementAndGet() % 2 != 0))
                        .maxInputs(1));
        assertThat(told.parked).containsExactly("poison");
        assertThat(state()).isEqualTo("flaky ");
    }

    static Stream<Exception> failures() {
        return Stream.of(new IllegalArgumentException("cannot handle it"), new InterruptedException("no answer"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void stateThatMakesEveryMessageFailParksNothing(Exception failure) throws Exception {
        push("a", "b", "c", "d");
        runUntil(
                Duration.ofMinutes(30),
                HandlerDefinition.<String>builder(
                                "h",
                                (state, inputs, time) -> {
                                    if (state.length() > 3) {
                                        throw failure;
                                    }
                                    return failingWith(word -> false).handle(state, inputs, time);
                                },
                                registers,
                                StateCodec.of(TEXT),
                                () -> "")
                        .input(in)
                        .parkAfter(3, MIN_DURATION, parking));
        assertThat(state()).isEqualTo("a b ");
        assertThat(told.parked).isEmpty();
        assertThat(told.allFailed).isNotEmpty();
    }

    static Stream<Exception> failuresOfACodec() {
        return Stream.of(new IllegalArgumentException("no such class"), new IOException("no such class"));
    }

    @ParameterizedTest
    @MethodSource("failuresOfACodec")
    void copyThatCannotDecodeTheStateEndsAndParksNothing(Exception failure) throws Exception {
        push("a", "b");
        runUntil(Duration.ofSeconds(1), handler(word -> false));
        push("c");
        Codec<String> blind = new Codec<>() {
            @Override
            public byte[] encode(String value) {
                return TEXT.encode(value);
            }

            @Override
            public String decode(byte[] bytes) {
                throw Undeclared.thrown(failure);
            }
        };
        HandlerProtocol<String> copy = new HandlerProtocol<>(
                HandlerDefinition.builder("h", failingWith(word -> false), registers, StateCodec.of(blind), () -> "")
                        .input(in)
                        .parkAfter(1, parking)
                        .build(),
                () -> 0,
                length -> {},
                nanos::get,
                Branches.inThreads(Thread::new),
                told);
        assertThatThrownBy(() -> copy.run(() -> false))
                .isInstanceOf(UndecodableStateException.class)
                .hasMessageContaining("state of handler h")
                .hasMessageContaining("no such class");
        assertThat(told.parked).isEmpty();
    }

    @Test
    void boundsOfParkingAreChecked() {
        HandlerDefinition.Builder<String> definition = handler(word -> false);
        assertThatIllegalArgumentException().isThrownBy(() -> definition.parkAfter(0, parking));
        assertThatIllegalArgumentException().isThrownBy(() -> definition.parkAfter(1, Duration.ZERO, parking));
        assertThatIllegalArgumentException().isThrownBy(() -> definition.parkAfter(1, Duration.ofDays(2), parking));
    }

    @Test
    void handlerDoesNotParkInAQueueThatItTakes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> handler(word -> false).parkAfter(1, in).build())
                .withMessageContaining("Handler h cannot park messages in queue " + in.getName() + ", which it takes");
    }

    @Test
    void handlerWhoseNameIsTooLongForItsQueueOfMessagesSentAgainIsRefused() {
        HandlerDefinition.Builder<String> definition = HandlerDefinition.builder(
                        "h".repeat(195), failingWith(word -> false), registers, StateCodec.of(TEXT), () -> "")
                .input(in);
        assertThat(definition.build().getName()).hasSize(195);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> definition.parkAfter(1, parking).build())
                .withMessageContaining("its name has 195 characters, more than 194");
    }

    /** The register is read as seldom as one of this version is written, and not at each step. */
    @Test
    void registerOfALaterVersionIsReadSeldomAndParksNothing() throws Exception {
        String copies = "handler/h/copies";
        registers.named(copies).compareAndSet(0, new byte[] {9});
        AtomicInteger reads = new AtomicInteger();
        store.showOldAt(register -> register.equals(copies) && reads.incrementAndGet() < 0);
        push(Collections.nCopies(50, "a").toArray(String[]::new));
        runUntil(Duration.ofSeconds(1), handler("poison"::equals).maxInputs(1));
        assertThat(state()).isEqualTo("a ".repeat(50));
        assertThat(reads).hasValue(1);
        push("poison");
        runUntil(Duration.ofMinutes(10), handler("poison"::equals));
        assertThat(parked()).isEmpty();
    }

    // Two copies at the same time

    private final Registers shared = Registers.of(new InMemoryRegisterStore());
    private final MessageQueue sharedIn = new MessageQueue("in", new Layout.Keep(), shared);
    private final MessageQueue sharedParking = new MessageQueue("parked", new Layout.Keep(), shared);

    private HandlerCopy copy(String name, ExactlyOnceHandler<String> function) {
        HandlerDefinition<String> definition = HandlerDefinition.builder(
                        "h", function, shared, StateCodec.of(TEXT), () -> "")
                .input(sharedIn)
                .idlePauses(new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(5)))
                .failurePauses(new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(20)))
                .parkAfter(2, Duration.ofMillis(500), sharedParking)
                .build();
        return new HandlerCopy(definition, name, HandlerListener.none(), CopyEnvironment.ofThisMachine());
    }

    private String sharedState() throws InterruptedException {
        StoredValue stored = shared.named("handler/h/state").read();
        return stored.getVersion() == 0
                ? ""
                : HandlerState.ofBytes("h", stored.getValue()).userState().as(TEXT);
    }

    /** The bad ones are so many that every second round of other messages has no success. */
    @Test
    void badNeighboursDoNotKeepTwoCopiesFromAgreeing() throws Exception {
        for (String word : List.of("poison0", "poison1", "poison2", "a", "b")) {
            sharedIn.push(TEXT.encode(word));
        }
        List<HandlerCopy> copies = List.of(
                copy("1", failingWith(word -> word.startsWith("poison"))),
                copy("2", failingWith(word -> word.startsWith("poison"))));
        copies.forEach(HandlerCopy::start);
        while (!sharedState().endsWith("b ")) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        for (HandlerCopy copy : copies) {
            assertThat(copy.close(Duration.ofSeconds(30))).isTrue();
        }
        assertThat(sharedState()).isEqualTo("a b ");
    }

    /** The broken copy fails at once with some messages, and the healthy one needs longer than the shortest duration of failures. */
    @Test
    void messagesThatABrokenCopyCannotHandleAreLeftToASlowHealthyOne() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        HandlerCopy healthy = copy("healthy", (state, inputs, time) -> {
            begun.countDown();
            TimeUnit.MILLISECONDS.sleep(700);
            return failingWith("poison"::equals).handle(state, inputs, time);
        });
        HandlerCopy broken = copy("broken", failingWith(word -> !word.startsWith("easy")));
        List<String> words = List.of("easy1", "hard1", "easy2", "hard2", "poison", "easy3", "hard3", "easy4");
        for (String word : words) {
            sharedIn.push(TEXT.encode(word));
        }
        healthy.start();
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        broken.start();
        while (!sharedState().endsWith("easy4 ")) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(healthy.close(Duration.ofSeconds(30))).isTrue();
        assertThat(broken.close(Duration.ofSeconds(30))).isTrue();
        assertThat(sharedState()).isEqualTo("easy1 hard1 easy2 hard2 easy3 hard3 easy4 ");
        assertThat(sharedParking.read(0)).isInstanceOf(Cell.Full.class);
        assertThat(sharedParking.read(1)).isInstanceOf(Cell.Absent.class);
    }
}
