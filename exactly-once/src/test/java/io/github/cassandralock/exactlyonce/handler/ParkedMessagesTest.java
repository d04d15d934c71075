package io.github.cassandralock.exactlyonce.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.Branches;
import io.github.cassandralock.exactlyonce.handler.ParkedMessage.Status;
import io.github.cassandralock.exactlyonce.handler.ParkedMessages.Answer;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parked messages are listed, and sent again once. */
@Timeout(60)
class ParkedMessagesTest {

    private static final Codec<String> TEXT = Codec.utf8();
    private static final String AGAIN = "queue/again:h/cells/0";

    private final DirectedStore store = new DirectedStore();
    private final Registers registers = new Registers(
            store,
            WriteIds.ofNewProcess(),
            length -> {},
            new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(1)));
    private final MessageQueue in = new MessageQueue("in", new Layout.Keep(), registers);
    private MessageQueue input = in;
    private MessageQueue parking = new MessageQueue("parked", new Layout.Ring(4), registers);
    private final AtomicLong nanos = new AtomicLong();
    private int mostSentAgain = 100;
    private boolean cured;

    /** Appends the queue, the index and the payload of each message to the state. */
    private HandlerResult<String> handle(String state, Inputs inputs) {
        String after = state;
        for (Inputs.Input message : inputs.all()) {
            String word = TEXT.decode(message.message().payloads().get(0));
            if (word.startsWith("ill") && !cured) {
                throw new IllegalStateException(word);
            }
            after += message.queue() + message.index() + "=" + word + " ";
        }
        return HandlerResult.of(after);
    }

    private HandlerDefinition<String> definition() {
        return HandlerDefinition.builder(
                        "h", (state, inputs, time) -> handle(state, inputs), registers, StateCodec.of(TEXT), () -> "")
                .input(input)
                .failurePauses(new GrowingPauses(Duration.ofSeconds(1), Duration.ofSeconds(1)))
                .parkAfter(2, Duration.ofSeconds(2), parking)
                .maxInputs(1)
                .mostSentAgain(mostSentAgain)
                .build();
    }

    private ParkedMessages messages() {
        return ParkedMessages.of(definition());
    }

    /** Runs a copy until it has nothing to do, or has failed very often. */
    private void run() {
        AtomicInteger left = new AtomicInteger(200);
        HandlerProtocol<String> copy = new HandlerProtocol<>(
                definition(),
                () -> 0,
                length -> {
                    nanos.addAndGet(length.toNanos());
                    if (length.toMillis() < 1_000 || left.decrementAndGet() < 0) {
                        throw new InterruptedException();
                    }
                },
                nanos::get,
                Branches.inThreads(Thread::new),
                HandlerListener.none());
        assertThatThrownBy(() -> copy.run(() -> false)).isInstanceOf(InterruptedException.class);
    }

    private void park(String... words) throws InterruptedException {
        for (String word : words) {
            in.push(TEXT.encode(word));
        }
        run();
        cured = true;
    }

    private String state() throws InterruptedException {
        return HandlerState.ofBytes(
                        "h", registers.named("handler/h/state").read().getValue())
                .userState()
                .as(TEXT);
    }

    private static List<String> words(ParkedMessages.Page page) {
        return page.messages().stream()
                .map(message -> TEXT.decode(message.payloads().get(0)))
                .toList();
    }

    @Test
    void parkedMessagesAreListedInPages() throws Exception {
        park("a", "ill1", "b", "ill2", "c");
        ParkedMessages.Page first = messages().list(0, 1);
        assertThat(words(first)).containsExactly("ill1");
        assertThat(first.complete()).isFalse();
        ParkedMessage message = first.messages().get(0);
        assertThat(message.queue() + message.queueIndex()).isEqualTo("in1");
        assertThat(message.cause()).contains("IllegalStateException", "ill1");
        assertThat(message.status()).isEqualTo(Status.PARKED);
        ParkedMessages.Page second = messages().list(first.next(), 10);
        assertThat(words(second)).containsExactly("ill2");
        assertThat(second.complete()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> messages().list(0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> messages().list(0, 1_001));
    }

    @Test
    void messageIsHandledAsOneOfItsQueueWhenItIsSentAgain() throws Exception {
        park("a", "ill1", "b");
        assertThat(messages().sendAgain(0)).isEqualTo(new Answer.Sent());
        run();
        assertThat(state()).isEqualTo("in0=a in2=b in1=ill1 ");
    }

    @Test
    void secondRequestSendsNothing() throws Exception {
        park("a", "ill1", "b");
        assertThat(messages().sendAgain(0)).isEqualTo(new Answer.Sent());
        assertThat(messages().sendAgain(0)).isEqualTo(new Answer.DoneBefore());
        run();
        assertThat(messages().sendAgain(0)).isEqualTo(new Answer.DoneBefore());
        run();
        assertThat(state()).isEqualTo("in0=a in2=b in1=ill1 ");
    }

    @Test
    void requestThatDiedBeforeItPushedIsFinishedByTheNextOne() throws Exception {
        park("a", "ill1", "ill2", "b");
        store.killAt(AGAIN::equals);
        assertThatThrownBy(() -> messages().sendAgain(0)).isInstanceOf(DirectedStore.Killed.class);
        assertThat(messages().list(0, 10).messages())
                .extracting(ParkedMessage::status)
                .startsWith(Status.BEING_SENT);
        assertThat(messages().sendAgain(1)).isEqualTo(new Answer.Sent());
        run();
        assertThat(state()).isEqualTo("in0=a in3=b in1=ill1 in2=ill2 ");
    }

    @Test
    void requestThatDiedAfterItPushedSendsOnce() throws Exception {
        park("a", "ill1", "b");
        AtomicInteger writes = new AtomicInteger();
        store.killAt(register -> register.equals("handler/h/sent-again") && writes.incrementAndGet() == 2);
        assertThatThrownBy(() -> messages().sendAgain(0)).isInstanceOf(DirectedStore.Killed.class);
        run();
        assertThat(messages().sendAgain(0)).isEqualTo(new Answer.Sent());
        assertThat(messages().sendAgain(0)).isEqualTo(new Answer.DoneBefore());
        run();
        assertThat(state()).isEqualTo("in0=a in2=b in1=ill1 ");
    }

    @Test
    void repeatedRequestFreesTheCellsThatOneWhichDiedHasNot() throws Exception {
        park("a", "ill1", "b");
        store.killAt("queue/parked/low-water"::equals);
        assertThatThrownBy(() -> messages().sendAgain(0)).isInstanceOf(DirectedStore.Killed.class);
        assertThat(parking.readLowWater().index()).isZero();
        assertThat(messages().sendAgain(0)).isEqualTo(new Answer.DoneBefore());
        assertThat(parking.readLowWater().index()).isEqualTo(1);
    }

    @Test
    void messageOfAQueueThatWasRenamedIsSentToTheNewOneOnly() throws Exception {
        park("a", "ill1", "b");
        input = new MessageQueue("in2", new Layout.Keep(), registers);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> messages().sendAgain(0))
                .withMessageContaining("takes no queue in now")
                .withMessageContaining("[in2]");
        assertThatIllegalArgumentException().isThrownBy(() -> messages().sendAgain(0, "again:h"));
        assertThat(messages().sendAgain(0, "in2")).isEqualTo(new Answer.Sent());
        run();
        assertThat(state()).isEqualTo("in0=a in2=b in21=ill1 ");
    }

    /** Also if the queue is renamed between the death of a request and the next one. */
    @Test
    void messagesInAFormerParkingQueueAreSentAgain() throws Exception {
        park("a", "ill1", "ill2", "b");
        store.killAt(AGAIN::equals);
        assertThatThrownBy(() -> messages().sendAgain(0)).isInstanceOf(DirectedStore.Killed.class);
        MessageQueue former = parking;
        parking = new MessageQueue("parked2", new Layout.Ring(4), registers);
        assertThat(messages().list(0, 10).messages()).isEmpty();
        assertThat(ParkedMessages.of(definition(), former).sendAgain(1)).isEqualTo(new Answer.Sent());
        run();
        assertThat(state()).isEqualTo("in0=a in3=b in1=ill1 in2=ill2 ");
    }

    /** Its number is that of a message which is in the queue, so it would be taken for that one. */
    @Test
    void messageIsNotTakenForAnotherOneOnceItsRegisterWasRestored() throws Exception {
        park("a", "ill1", "b", "ill2", "c");
        messages().sendAgain(0);
        store.delete(register -> register.equals("handler/h/sent-again"));

        assertThatThrownBy(() -> messages().sendAgain(1))
                .isInstanceOf(TwoProducersException.class)
                .hasMessageContaining("Its registers were restored from a backup")
                .hasMessageContaining("The message stays in queue parked");
        assertThat(messages().list(1, 1).messages().get(0).status()).isEqualTo(Status.PARKED);
    }

    @Test
    void indexWithoutAParkedMessageIsRefused() throws Exception {
        park("a", "ill1", "b");
        parking.push(TEXT.encode("somebody's"));
        assertThatIllegalArgumentException().isThrownBy(() -> messages().sendAgain(1));
        assertThatIllegalArgumentException().isThrownBy(() -> messages().sendAgain(7));
        assertThatIllegalArgumentException().isThrownBy(() -> messages().discard(7));
        assertThatIllegalArgumentException().isThrownBy(() -> messages().sendAgain(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> messages().discard(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> messages().list(-1, 10));
        assertThat(messages().list(0, 10).messages()).hasSize(1);
    }

    @Test
    void ringHasRoomAgainWhenItsMessagesAreSentOrDiscarded() throws Exception {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            words.add("ill" + i);
            words.add("good" + i);
        }
        park(words.toArray(String[]::new));
        cured = false;
        int sent = 0;
        while (sent < 12) {
            for (ParkedMessage message : messages().list(0, 100).messages()) {
                if (message.status() == Status.PARKED) {
                    assertThat(messages().discard(message.index())).isTrue();
                    assertThat(messages().discard(message.index())).isFalse();
                    sent++;
                }
            }
            run();
        }
        assertThat(state()).contains("good11").doesNotContain("ill");
    }

    /** The handler waits for a cell of the parking ring, and the oldest message holds it. */
    @Test
    void oldestMessageHasRoomWhenNoOtherIsSentAgain() throws Exception {
        parking = new MessageQueue("parked", new Layout.Ring(3), registers);
        mostSentAgain = 2;
        park("ill0", "ill1", "ill2", "ill3", "good0", "good1");
        assertThat(messages().sendAgain(1)).isEqualTo(new Answer.Sent());
        assertThat(messages().sendAgain(2)).isInstanceOf(Answer.Full.class);
        assertThat(messages().sendAgain(0)).isEqualTo(new Answer.Sent());
        run();
        assertThat(messages().sendAgain(2)).isEqualTo(new Answer.Sent());
        run();
        assertThat(messages().sendAgain(3)).isEqualTo(new Answer.Sent());
        run();
        assertThat(state()).contains("=ill0 ", "=ill1 ", "=ill2 ", "=ill3 ", "=good0 ", "=good1 ");
    }

    /** Otherwise the state would name the parked message, and the handler would take nothing. */
    @Test
    void messagesThatWereSentAgainAreTakenBeforeAnotherWaitsForAFullRing() throws Exception {
        parking = new MessageQueue("parked", new Layout.Ring(2), registers);
        mostSentAgain = 2;
        park("ill0", "ill1", "good0", "good1", "good2");
        assertThat(messages().sendAgain(0)).isEqualTo(new Answer.Sent());
        assertThat(messages().sendAgain(1)).isEqualTo(new Answer.Sent());
        cured = false;
        park("ill2", "good3", "ill3", "good4", "ill4", "good5");
        for (int oldest = 2; oldest < 5; oldest++) {
            assertThat(messages().sendAgain(oldest)).isEqualTo(new Answer.Sent());
            run();
        }
        assertThat(state()).contains("=ill0 ", "=ill1 ", "=ill2 ", "=ill3 ", "=ill4 ", "=good5 ");
    }

    @Test
    void requestIsAnsweredWhenTheCellOfItsMessageIsUsedAgain() throws Exception {
        park("ill0", "good");
        assertThat(messages().discard(0)).isTrue();
        cured = false;
        for (int i = 1; i < 12; i++) {
            park("ill" + i, "good");
            cured = false;
            assertThat(messages().discard(i)).isTrue();
        }
        assertThat(messages().discard(0)).isFalse();
        assertThat(messages().sendAgain(0)).isEqualTo(new Answer.DoneBefore());
    }

    @Test
    void handlerThatParksNothingHasNoParkedMessages() {
        HandlerDefinition<String> without = HandlerDefinition.builder(
                        "h", (state, inputs, time) -> handle(state, inputs), registers, StateCodec.of(TEXT), () -> "")
                .input(in)
                .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ParkedMessages.of(without))
                .withMessageContaining("parkAfter");
    }
}
