package io.github.cassandralock.exactlyonce.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.queue.PushAnswer.Pushed;
import io.github.cassandralock.exactlyonce.queue.PushAnswer.RingFull;
import io.github.cassandralock.exactlyonce.queue.PushAnswer.Taken;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageQueueTest {

    private static final Layout RING = new Layout.Ring(2);
    private static final Layout KEEP = new Layout.Keep();
    private static final byte[] EQUAL = {1};

    private final DirectedStore store = new DirectedStore();

    private MessageQueue queue(Layout layout) {
        return queue(layout, length -> {});
    }

    private MessageQueue queue(Layout layout, Pauser pauser) {
        return new MessageQueue(
                "orders",
                layout,
                new Registers(
                        store,
                        WriteIds.ofNewProcess(),
                        pauser,
                        new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(1))));
    }

    /** With these consumers, which have taken nothing yet, and with the messages p#0 and p#1, for which it has room. */
    private MessageQueue fullRing(String... consumers) throws InterruptedException {
        MessageQueue queue = queue(RING);
        for (String consumer : consumers) {
            queue.addConsumer(consumer);
        }
        queue.push(message("p", 0));
        queue.push(message("p", 1));
        return queue;
    }

    private static Message message(String producer, long sequence) {
        return Message.of(MessageId.of(producer, sequence), EQUAL);
    }

    private static MessageId idAt(MessageQueue queue, long index) throws InterruptedException {
        return ((Cell.Full) queue.read(index)).message().id();
    }

    @Test
    void messagesAreReadAtTheIndexesAtWhichTheyWerePushed() throws Exception {
        MessageQueue queue = queue(KEEP);
        assertThat(queue.push(message("p", 0))).isZero();
        assertThat(queue.push(message("p", 1))).isEqualTo(1);
        assertThat(idAt(queue, 1)).isEqualTo(MessageId.of("p", 1));
        assertThat(queue.read(2)).isInstanceOf(Cell.Absent.class);
    }

    @Test
    void pushingAtTheSameIndexAgainIsPushedForTheSameIdAndTakenForAnother() throws Exception {
        MessageQueue queue = queue(KEEP);
        assertThat(queue.pushAt(0, message("p", 0))).isInstanceOf(Pushed.class);
        assertThat(queue.pushAt(0, message("p", 0))).isInstanceOf(Pushed.class);
        assertThat(queue.pushAt(0, message("q", 0))).isInstanceOf(Taken.class);
        assertThat(queue.pushAt(0, message("p", 1))).isInstanceOf(Taken.class);
    }

    @Test
    void fullRingNamesTheConsumerThatIsFarthestBehind() throws Exception {
        MessageQueue queue = fullRing("fast", "slow");
        queue.raiseMark("fast", 2);
        assertThat(queue.pushAt(2, message("p", 2))).isEqualTo(new RingFull(List.of("slow"), 0));
        queue.raiseMark("slow", 1);
        assertThat(queue.pushAt(2, message("p", 2))).isInstanceOf(Pushed.class);
    }

    @Test
    void fullRingIsExplained() {
        assertThat(new RingFull(List.of("slow", "slower"), 7).explained("orders"))
                .isEqualTo(
                        "the ring of queue orders is full: slow, slower has not taken the message at index 7. Start its"
                                + " copies; if it is gone for good, remove it with MessageQueue.removeConsumer");
        assertThat(new RingFull(List.of(), 0).explained("orders")).contains("no consumer");
        assertThat(RingFull.explained("orders", List.of("slow")))
                .isEqualTo(
                        "the ring of queue orders is full: slow has not taken its messages. Start its copies; if it is"
                                + " gone for good, remove it with MessageQueue.removeConsumer");
        assertThat(RingFull.explained("orders", List.of())).contains("no consumer");
    }

    @Test
    void pushWaitsAtItsIndexWhileTheRingIsFull() throws Exception {
        MessageQueue other = queue(RING);
        other.addConsumer("c");
        MessageQueue queue = queue(RING, length -> other.raiseMark("c", 1));
        queue.push(message("p", 0));
        queue.push(message("p", 1));
        assertThat(queue.push(message("p", 2))).isEqualTo(2);
    }

    @Test
    void readerWithAnOldIndexFindsThatTheMessageIsGone() throws Exception {
        MessageQueue queue = fullRing("c");
        queue.raiseMark("c", 2);
        queue.push(message("p", 2));
        assertThat(queue.read(0)).isInstanceOf(Cell.Gone.class);
        assertThat(queue.read(3)).isInstanceOf(Cell.Absent.class);
    }

    @Test
    void ringNeedsNoMoreRegistersHoweverManyMessagesItHasCarried() throws Exception {
        MessageQueue queue = queue(new Layout.Ring(8));
        queue.addConsumer("c");
        for (int i = 0; i < 1_000; i++) {
            queue.push(message("p", i));
            queue.raiseMark("c", i + 1);
        }
        assertThat(store.registers()).isEqualTo(8 + 2);
    }

    @Test
    void consumedCellOfAKeptQueueKeepsItsIdAndLosesItsPayloadIfItIsNotTheLast() throws Exception {
        MessageQueue queue = queue(KEEP);
        queue.addConsumer("c");
        queue.push(message("p", 0));
        queue.push(message("p", 1));
        assertThat(queue.raiseMark("c", 2)).as("not buried yet").isFalse();
        assertThat(queue.raiseMark("c", 2)).as("buried").isTrue();
        assertThat(queue.read(1)).isInstanceOf(Cell.Full.class);
        assertThat(queue.read(0)).isInstanceOf(Cell.Gone.class);
        assertThat(queue.pushAt(0, message("p", 0))).isInstanceOf(Pushed.class);
        assertThat(queue.pushAt(0, message("q", 0))).isInstanceOf(Taken.class);
    }

    @Test
    void consumerThatIsAddedLaterBeginsAtTheFirstMessageThatIsNotCleaned() throws Exception {
        MessageQueue queue = fullRing("first");
        queue.raiseMark("first", 1);
        ConsumerStart start = queue.addConsumer("second");
        assertThat(start.index()).isEqualTo(1);
        assertThat(start.check().violation("orders", 1, MessageId.of("p", 1))).isEmpty();
        assertThat(queue.raiseMark("first", 2)).isTrue();
        assertThat(queue.readLowWater().index()).isEqualTo(1);
    }

    @Test
    void markOfAConsumerThatIsNotRegisteredIsRefused() throws Exception {
        MessageQueue queue = queue(RING);
        queue.addConsumer("c");
        assertThatThrownBy(() -> queue.raiseMark("stranger", 0))
                .isInstanceOf(UnknownConsumerException.class)
                .hasMessageContaining("stranger")
                .hasMessageContaining("orders");
    }

    @Test
    void ringIsFreedWhenTheConsumerThatHoldsItIsRemoved() throws Exception {
        MessageQueue queue = fullRing("gone", "c");
        queue.raiseMark("c", 2);
        assertThat(queue.pushAt(2, message("p", 2))).isEqualTo(new RingFull(List.of("gone"), 0));
        queue.removeConsumer("gone");
        queue.removeConsumer("gone");
        assertThat(queue.pushAt(2, message("p", 2))).isInstanceOf(Pushed.class);
        assertThat(queue.readLowWater().check().lastOf("p")).isEqualTo(1);
    }

    @Test
    void producerRaisesTheLowWaterMarkIfWhoRemovedTheConsumerDidNot() throws Exception {
        MessageQueue queue = fullRing("gone", "c");
        assertThat(queue.raiseMark("c", 2)).as("nothing is left to be done").isTrue();
        store.showOldAt(register -> register.endsWith("/cells/0"));
        queue.removeConsumer("gone");
        assertThat(queue.readLowWater().index())
                .as("the cell could not be read")
                .isZero();
        assertThat(queue.pushAt(2, message("p", 2))).isInstanceOf(Pushed.class);
    }

    @Test
    void copiesOfAConsumerThatWasRemovedAreToldAndItNeverComesBack() throws Exception {
        MessageQueue queue = queue(RING);
        queue.addConsumer("gone");
        queue.addConsumer("c");
        queue.push(message("p", 0));
        queue.removeConsumer("gone");
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> queue.addConsumer("gone"),
                () -> queue.raiseMark("gone", 1),
                () -> queue(RING).raiseMark("gone", 1))) {
            assertThatThrownBy(call)
                    .isInstanceOf(ConsumerRemovedException.class)
                    .hasMessageContaining("gone")
                    .hasMessageContaining("orders")
                    .hasMessageContaining("new name");
        }
        assertThat(queue.readLowWater().marks()).containsOnlyKeys("c");
    }

    @Test
    void consumerThatIsNotThereCannotBeRemoved() throws Exception {
        MessageQueue queue = queue(RING);
        queue.addConsumer("c");
        assertThatThrownBy(() -> queue.removeConsumer("misspelt"))
                .isInstanceOf(UnknownConsumerException.class)
                .hasMessageContaining("misspelt")
                .hasMessageContaining("[c]");
        assertThat(queue.readLowWater().removed()).isEmpty();
    }

    @Test
    void oldReadOfTheRecordDoesNotHideThatAConsumerIsThereOrWasRemoved() throws Exception {
        MessageQueue queue = queue(RING);
        queue.addConsumer("gone");
        store.showOldRecords(1);
        queue.removeConsumer("gone");
        assertThat(queue.readLowWater().removed()).containsExactly("gone");
        store.showOldRecords(2);
        queue.removeConsumer("gone");
        store.showOldRecords(0);
        assertThat(queue.readLowWater().marks()).isEmpty();
    }

    @Test
    void recordOfAnOlderVersionGetsABirthAndKeepsAllElse() throws Exception {
        byte[] older = new ByteEncoder()
                .tag(2)
                .text("ring:2")
                .number(1)
                .number(0)
                .map(new TreeMap<>(Map.of("c", 1L)), ByteEncoder::number)
                .map(new TreeMap<>(Map.of("p", 0L)), ByteEncoder::number)
                .all(List.of("gone"), ByteEncoder::text)
                .toBytes();
        store.history("queue/orders/low-water")
                .add(StoredValue.of(1, WriteIds.ofNewProcess().next(), older));

        LowWater record = queue(RING).readLowWater();
        assertThat(record.birth()).isNotEmpty().isEqualTo(queue(RING).readBirth());
        assertThat(record.index()).isEqualTo(1);
        assertThat(record.marks()).containsExactly(Map.entry("c", 1L));
        assertThat(record.check().lastOf("p")).isZero();
        assertThat(record.removed()).containsExactly("gone");
    }

    @Test
    void birthIsTheSameForAllProgramsAndLasts() throws Exception {
        String birth = queue(RING).readBirth();
        queue(RING).addConsumer("c");
        assertThat(queue(RING).readBirth()).isEqualTo(birth);
    }

    @Test
    void nameOfAConsumerBelongsToOnePositionForEver() throws Exception {
        MessageQueue queue = queue(RING);
        queue.addConsumer("c");
        assertThat(queue.attachConsumer("c", "its-birth")).isZero();
        store.showOldAt(register -> register.endsWith("/low-water"));
        assertThatThrownBy(() -> queue.attachConsumer("c", "another"))
                .isInstanceOf(MismatchedStoresException.class)
                .hasMessageContaining("Queue orders was used before by another c");
        store.showOldAt(register -> false);
        assertThat(queue.readLowWater().births()).containsEntry("c", "its-birth");
        assertThatThrownBy(() -> queue.attachConsumer("unknown", "birth")).isInstanceOf(UnknownConsumerException.class);
    }

    @Test
    void handlerMayPushToAQueueThatASinkOfItsNameTakes() throws Exception {
        MessageQueue queue = queue(RING);
        queue.attachProducer("totals", "birth of the handler");
        queue.addConsumer("totals");
        queue.attachConsumer("totals", "birth of the sink");
        queue.attachProducer("totals", "birth of the handler");
        assertThatThrownBy(() -> queue.attachProducer("totals", "birth of the sink"))
                .isInstanceOf(MismatchedStoresException.class);
    }

    @Test
    void oldReadOfTheRecordDoesNotMakeAConsumerUnknown() throws Exception {
        MessageQueue queue = queue(RING);
        queue.addConsumer("other");
        queue.addConsumer("c");
        queue.push(message("p", 0));
        store.showOldAt(register -> register.endsWith("/low-water"));
        queue.raiseMark("c", 1);
        assertThat(queue.readLowWater().marks()).containsEntry("c", 1L);
    }

    @Test
    void anonymousMessageWhoseCellWasUsedAgainIsSaidToBeUnknown() throws Exception {
        MessageQueue queue = fullRing("c");
        queue.raiseMark("c", 2);
        queue.push(message("p", 2));
        Message anonymous = Message.of(new MessageId("somebody", 0, true), EQUAL);
        assertThatThrownBy(() -> queue.pushAt(0, anonymous))
                .isInstanceOf(OvertakenException.class)
                .hasMessageContaining("to queue orders")
                .hasMessageContaining("at index 0")
                .hasMessageContaining("before you push it again");
    }

    /** Pushes and takes so many messages, and leaves room. */
    private static void useAgain(MessageQueue queue, int messages) throws InterruptedException {
        long index = queue.readLowWater().lowestMark(); // of c alone
        for (int i = 0; i < messages; i++) {
            queue.raiseMark("c", ++index);
            queue.push(message("other", i));
        }
        queue.raiseMark("c", index + 1);
    }

    @Test
    void pusherWhoseCellIsUsedAgainWhileItWaitsPushesAtTheEndByFewRequests() throws Exception {
        MessageQueue other = fullRing("c");
        AtomicInteger waits = new AtomicInteger();
        MessageQueue queue = queue(RING, length -> {
            if (waits.getAndIncrement() == 0) {
                useAgain(other, 100);
                store.allow(20);
            }
        });
        assertThat(queue.push(EQUAL)).isEqualTo(102);
        assertThat(idAt(queue, 102).anonymous()).isTrue();
        assertThat(waits).hasValue(1);
    }

    @Test
    void anonymousMessageWithALostAnswerAndACellUsedAgainIsReportedAsUnknown() throws Exception {
        MessageQueue other = queue(RING);
        other.addConsumer("c");
        AtomicInteger waits = new AtomicInteger();
        MessageQueue queue = queue(RING, length -> {
            if (waits.getAndIncrement() == 0) {
                useAgain(other, 5);
            }
        });
        store.loseAnswerAt(register -> register.equals("queue/orders/cells/0"));
        assertThatThrownBy(() -> queue.push(EQUAL)).isInstanceOf(OvertakenException.class);
        assertThat(waits).hasValue(1);
    }

    @Test
    void anonymousProducersAreNotKeptInTheRecord() throws Exception {
        MessageQueue queue = queue(RING);
        queue.addConsumer("c");
        queue.push(EQUAL);
        queue.raiseMark("c", 1);
        assertThat(queue.readLowWater().index()).isEqualTo(1);
        assertThat(queue.readLowWater().check()).isEqualTo(SequenceCheck.none());
    }

    @Test
    void programWithAnotherLayoutIsRefused() throws Exception {
        queue(RING).push(message("p", 0));
        MessageQueue wrong = queue(new Layout.Ring(3));
        assertThatIllegalStateException()
                .isThrownBy(wrong::readNextIndex)
                .withMessageContaining("ring:2")
                .withMessageContaining("ring:3");
    }

    @Test
    void programWithAnotherLayoutIsRefusedThoughItKnowsItsIndexes() throws Exception {
        queue(RING).push(message("p", 0));
        for (Layout wrong : List.of(new Layout.Ring(3), KEEP)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> queue(wrong).pushAsSoleProducer(message("p", 1)))
                    .withMessageContaining("ring:2");
            assertThatIllegalStateException().isThrownBy(() -> queue(wrong).pushAt(1, message("p", 1)));
        }
        assertThat(queue(RING).read(1)).isInstanceOf(Cell.Absent.class);
    }

    @Test
    void soleProducerThatKnowsTheLayoutNeedsOneCompareAndSetForAMessage() throws Exception {
        MessageQueue queue = queue(new Layout.Ring(100));
        queue.pushAsSoleProducer(message("p", 0));
        long reads = store.reads();
        long compareAndSets = store.compareAndSets();
        for (int i = 1; i < 100; i++) {
            queue.pushAsSoleProducer(message("p", i));
        }
        assertThat(store.reads() - reads).isZero();
        assertThat(store.compareAndSets() - compareAndSets).isEqualTo(99);
    }

    @Test
    void pushNeedsTwoCompareAndSetsAndThreeReadsWhileTheRingHasRoom() throws Exception {
        MessageQueue queue = queue(new Layout.Ring(100));
        queue.push(message("p", 0));
        long reads = store.reads();
        long compareAndSets = store.compareAndSets();
        for (int i = 1; i < 100; i++) {
            queue.push(message("p", i));
        }
        assertThat(store.reads() - reads).as("hint, cell, hint").isEqualTo(3 * 99);
        assertThat(store.compareAndSets() - compareAndSets).isEqualTo(2 * 99);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 7, 1_000})
    void nextIndexIsFoundByFewReadsThoughTheHintWasNeverRaised(int cells) throws Exception {
        MessageQueue queue = queue(new Layout.Ring(cells));
        queue.addConsumer("c");
        for (int i = 0; i < 1_000; i++) {
            queue.pushAsSoleProducer(message("p", i));
            queue.raiseMark("c", i + 1);
        }
        MessageQueue other = queue(new Layout.Ring(cells));
        other.readLowWater();
        long reads = store.reads();
        assertThat(other.readNextIndex()).isEqualTo(1_000);
        assertThat(queue(new Layout.Ring(cells)).readNextIndex()).isEqualTo(1_000);
        assertThat(store.reads() - reads).isLessThanOrEqualTo(2 * 24);
        assertThat(queue.readLagBehind(10)).isEqualTo(990);
    }

    @Test
    void consumerThatWasFarBehindRaisesTheLowWaterMarkByABoundedNumberOfReads() throws Exception {
        MessageQueue queue = queue(KEEP);
        queue.addConsumer("fast");
        queue.addConsumer("slow");
        for (int i = 0; i < 5_000; i++) {
            queue.pushAsSoleProducer(message("p", i));
        }
        assertThat(queue.raiseMark("fast", 5_000)).isTrue();
        long reads = store.reads();
        assertThat(queue.raiseMark("slow", 5_000)).as("something is left").isFalse();
        assertThat(queue.readLowWater().index()).isEqualTo(1_024);
        assertThat(store.reads() - reads).isLessThan(2_000);
        int calls = 1;
        while (!queue.raiseMark("slow", 5_000)) {
            calls++;
        }
        assertThat(queue.readLowWater().index()).isEqualTo(5_000);
        assertThat(calls).isLessThan(30);
    }

    /** Else the ring would be full, though its consumer keeps up. */
    @Test
    void largeRingIsFreedByOneCallForAllThatCameSinceTheLast() throws Exception {
        Layout large = new Layout.Ring(10_000);
        MessageQueue queue = queue(large);
        queue.addConsumer("c");
        for (int i = 0; i < 5_000; i++) {
            queue.pushAsSoleProducer(message("p", i));
        }
        long compareAndSets = store.compareAndSets();
        assertThat(queue.raiseMark("c", 5_000)).isTrue();
        assertThat(queue.readLowWater().index()).isEqualTo(5_000);
        assertThat(store.compareAndSets() - compareAndSets).isEqualTo(5);
    }

    @Test
    void lagIsTheNumberOfMessagesThatFollow() throws Exception {
        MessageQueue queue = queue(KEEP);
        assertThat(queue.readLagBehind(0)).isZero();
        for (int i = 0; i < 13; i++) {
            queue.push(message("p", i));
        }
        assertThat(queue.readLagBehind(0)).isEqualTo(13);
        assertThat(queue.readLagBehind(5)).isEqualTo(8);
        assertThat(queue.readLagBehind(13)).isZero();
    }

    @Test
    void lagCountsWhatWasWrittenBehindAHole() throws Exception {
        MessageQueue queue = queue(new Layout.Ring(10));
        for (int i = 0; i < 10; i++) {
            queue.push(message("p", i));
        }
        store.delete(register -> register.endsWith("/cells/4"));
        assertThat(queue.readLagBehind(4)).isEqualTo(6);
        store.delete(register -> register.matches(".*/cells/[5-9]"));
        assertThat(queue.readLagBehind(4)).isZero();
    }

    @Test
    void messageWithoutAMessageBeforeItIsRefusedAtOnce() throws Exception {
        MessageQueue queue = queue(new Layout.Ring(10));
        queue.addConsumer("c");
        assertThatThrownBy(() -> queue.pushAsSoleProducer(message("p", 1)))
                .as("numbers that begin at 1")
                .isInstanceOf(MissingPredecessorException.class)
                .hasMessageContaining("p#1")
                .hasMessageContaining("orders")
                .hasMessageContaining("no message at index 0")
                .hasMessageContaining("MessageQueue.openSoleProducer");
        for (int i = 0; i < 10; i++) {
            queue.pushAsSoleProducer(message("p", i));
        }
        assertThat(queue.pushAsSoleProducer(message("p", 10))).isInstanceOf(RingFull.class);
        queue.raiseMark("c", 10);
        for (long later : new long[] {11, 15, 19, 20, 25, 1_000}) {
            assertThatThrownBy(() -> queue.pushAsSoleProducer(message("p", later)))
                    .isInstanceOf(MissingPredecessorException.class);
            assertThatThrownBy(() -> queue(new Layout.Ring(10)).pushAt(later, message("p", later)))
                    .isInstanceOf(MissingPredecessorException.class);
        }
        assertThat(queue.pushAsSoleProducer(message("p", 10))).isInstanceOf(Pushed.class);
        assertThat(queue.pushAsSoleProducer(message("p", 11))).isInstanceOf(Pushed.class);
        assertThat(queue.readLagBehind(10)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 50})
    void oldReadDoesNotHideThatTheMessageBeforeIsThere(int cells) throws Exception {
        Layout ring = new Layout.Ring(cells);
        MessageQueue before = queue(ring);
        before.addConsumer("c");
        for (int i = 0; i < 5; i++) {
            before.pushAsSoleProducer(message("p", i));
            before.raiseMark("c", i + 1);
        }
        MessageQueue restarted = queue(ring);
        store.showOldRecords(1);
        store.showOldAt(register -> register.endsWith("/cells/" + 4 % cells));
        assertThat(restarted.pushAsSoleProducer(message("p", 5))).isInstanceOf(Pushed.class);
    }

    @Test
    void pushOfPayloadsTakesEffectAgainEachTimeItIsCalled() throws Exception {
        MessageQueue queue = queue(KEEP);
        assertThat(queue.push(EQUAL)).isZero();
        assertThat(queue.push(List.of(EQUAL, EQUAL))).isEqualTo(1);
        assertThat(queue(KEEP).push(EQUAL)).isEqualTo(2);
    }

    @Test
    void badNamesAndSizesAreRefusedAtOnce() {
        Registers registers = Registers.of(store);
        assertThatIllegalArgumentException().isThrownBy(() -> new MessageQueue("a/b", RING, registers));
        assertThatIllegalArgumentException().isThrownBy(() -> new MessageQueue("", RING, registers));
        assertThatIllegalArgumentException().isThrownBy(() -> new Layout.Ring(1));
        assertThatIllegalArgumentException().isThrownBy(() -> MessageId.of("p", -1));
        assertThatIllegalArgumentException().isThrownBy(() -> new MessageQueue("q", RING, registers, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> queue(RING).openSoleProducer("p p"));
        assertThatIllegalArgumentException().isThrownBy(() -> queue(RING).addConsumer("c c"));
        assertThatIllegalArgumentException().isThrownBy(() -> queue(RING).read(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> queue(KEEP).pushAt(-1, message("p", 0)));
        assertThatIllegalArgumentException().isThrownBy(() -> queue(RING).raiseMark("c", -1));
        assertThatIllegalArgumentException().isThrownBy(() -> queue(RING).readLagBehind(-1));
        assertThat(store.registers()).isZero();
    }

    @Test
    void sequenceCheckSaysWhetherMessagesAreMissingOrDouble() {
        SequenceCheck check =
                SequenceCheck.none().after(0, MessageId.of("p", 0), 2).after(1, MessageId.of("p", 1), 2);
        assertThat(check.violation("orders", 9, MessageId.of("p", 2))).isEmpty();
        assertThat(check.violation("orders", 9, MessageId.of("p", 1)))
                .hasValueSatisfying(found -> assertThat(found.isDouble()).isTrue());
        assertThat(check.violation("orders", 9, MessageId.of("p", 3)))
                .hasValueSatisfying(found -> assertThat(found.toString()).contains("p#2", "missing", "orders"));
        assertThat(SequenceCheck.ofBytes(check.toBytes(), 2)).isEqualTo(check);
    }
}
