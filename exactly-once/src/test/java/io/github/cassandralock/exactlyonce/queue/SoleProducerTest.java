package io.github.cassandralock.exactlyonce.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SoleProducerTest {

    private static final Layout RING = new Layout.Ring(3);

    /** What is imported: neither from 0 on nor without gaps. */
    private static final List<Long> IDS = List.of(17L, 18L, 23L, 99L, 100L, 101L, 4_711L);

    private final DirectedStore store = new DirectedStore();

    private MessageQueue queue(Layout layout) {
        return queue(layout, length -> {});
    }

    private MessageQueue queue(Layout layout, Pauser pauser) {
        return queue("rows", layout, pauser);
    }

    private MessageQueue queue(String name, Layout layout, Pauser pauser) {
        return new MessageQueue(
                name,
                layout,
                new Registers(
                        store,
                        WriteIds.ofNewProcess(),
                        pauser,
                        new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(1))));
    }

    private static byte[] bytes(long id) {
        return Long.toString(id).getBytes(StandardCharsets.UTF_8);
    }

    private static long id(Message message) {
        return Long.parseLong(new String(message.payloads().get(0), StandardCharsets.UTF_8));
    }

    static Stream<Layout> layouts() {
        return Stream.of(RING, new Layout.Ring(100), new Layout.Keep());
    }

    /** As the guide shows it. */
    private static void importRows(SoleProducer producer, int most) throws InterruptedException {
        importRowsBehind(producer.getLast(), producer, most);
    }

    private static void importRowsBehind(Optional<Message> message, SoleProducer producer, int most)
            throws InterruptedException {
        long last = message.map(SoleProducerTest::id).orElse(0L);
        for (long id : IDS.stream().filter(id -> id > last).limit(most).toList()) {
            producer.push(bytes(id));
        }
    }

    /** Takes all messages that the queue holds. */
    private static List<Long> take(MessageQueue queue, long from) throws InterruptedException {
        List<Long> taken = new ArrayList<>();
        long index = from;
        while (queue.read(index) instanceof Cell.Full full) {
            taken.add(id(full.message()));
            index++;
        }
        queue.raiseMark("c", index);
        queue.raiseMark("c", index);
        return taken;
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void importerWithDatabaseIdsGoesOnBehindTheLastRowAfterEachRestart(Layout layout) throws Exception {
        queue(layout).addConsumer("c");
        List<Long> taken = new ArrayList<>();
        for (int start = 0; start < IDS.size() + 2; start++) {
            importRows(queue(layout).openSoleProducer("importer"), 1);
            taken.addAll(take(queue(layout), taken.size()));
        }
        assertThat(taken).isEqualTo(IDS);
    }

    /** As the guide says what to do. */
    @Test
    void importerWhoseQueueWasRenamedGoesOnBehindTheLastRowOfTheOldQueue() throws Exception {
        MessageQueue old = queue("rows", new Layout.Ring(100), length -> {});
        importRows(old.openSoleProducer("importer"), 2);
        for (int start = 0; start < 2; start++) {
            SoleProducer producer =
                    queue("rows-2", new Layout.Ring(100), length -> {}).openSoleProducer("importer");
            Optional<Message> last = producer.getLast().or(old.openSoleProducer("importer")::getLast);
            importRowsBehind(last, producer, 1);
        }
        MessageQueue renamed = queue("rows-2", new Layout.Ring(100), length -> {});
        renamed.addConsumer("c");
        assertThat(take(renamed, 0)).isEqualTo(IDS.subList(2, 4));
    }

    @Test
    void eachPushCostsOneCompareAndSetAndNoRead() throws Exception {
        SoleProducer producer = queue(new Layout.Ring(100)).openSoleProducer("importer");
        long reads = store.reads();
        long compareAndSets = store.compareAndSets();
        importRows(producer, IDS.size());
        assertThat(store.reads() - reads).isZero();
        assertThat(store.compareAndSets() - compareAndSets).isEqualTo(IDS.size());
        assertThat(producer.getNextIndex()).isEqualTo(IDS.size());
        assertThat(producer.getLast()).map(SoleProducerTest::id).hasValue(4_711L);
    }

    @Test
    void pushWaitsWhileTheRingIsFull() throws Exception {
        MessageQueue other = queue(RING);
        other.addConsumer("c");
        List<Long> taken = new ArrayList<>();
        MessageQueue queue = queue(RING, length -> taken.addAll(take(other, taken.size())));
        importRows(queue.openSoleProducer("importer"), IDS.size());
        taken.addAll(take(other, taken.size()));
        assertThat(taken).isEqualTo(IDS);
    }

    @Test
    void pushWhoseAnswerIsLostIsThereOnce() throws Exception {
        store.loseAnswerAt(register -> register.endsWith("/cells/1"));
        importRows(queue(new Layout.Ring(100)).openSoleProducer("importer"), IDS.size());
        assertThat(queue(new Layout.Ring(100)).readLagBehind(0)).isEqualTo(IDS.size());
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void secondProducerIsRefusedWhereTheFirstHasPushedAndGoesOnBehindIt(Layout layout) throws Exception {
        SoleProducer first = queue(layout).openSoleProducer("importer");
        SoleProducer second = queue(layout).openSoleProducer("importer");
        first.push(bytes(17));
        first.push(bytes(18));
        assertThatThrownBy(() -> second.push(bytes(17)))
                .isInstanceOf(TwoProducersException.class)
                .hasMessageContaining("importer")
                .hasMessageContaining("rows")
                .hasMessageContaining("index 0");
        assertThatIllegalStateException()
                .isThrownBy(() -> second.push(bytes(18)))
                .withMessageContaining("MessageQueue.openSoleProducer");
        SoleProducer again = queue(layout).openSoleProducer("importer");
        assertThat(again.getLast()).map(SoleProducerTest::id).hasValue(18L);
        assertThat(again.push(bytes(23))).isEqualTo(2);
    }

    @Test
    void producerThatWasOpenedByOldReadsIsRefused() throws Exception {
        MessageQueue queue = queue(RING);
        SoleProducer before = queue.openSoleProducer("importer");
        before.push(bytes(17));
        before.push(bytes(18));
        store.showOldAt(register -> register.endsWith("/cells/1"));
        SoleProducer restarted = queue(RING).openSoleProducer("importer");
        assertThat(restarted.getLast()).map(SoleProducerTest::id).hasValue(17L);
        assertThatThrownBy(() -> restarted.push(bytes(18))).isInstanceOf(TwoProducersException.class);
    }

    @Test
    void producerWithAnotherNameThanTheQueueHasIsRefused() throws Exception {
        queue(RING).openSoleProducer("importer").push(bytes(17));
        assertThatThrownBy(() -> queue(RING).openSoleProducer("renamed"))
                .isInstanceOf(TwoProducersException.class)
                .hasMessageContaining("importer#0")
                .hasMessageContaining("renamed");
    }

    @Test
    void queueWithMessagesOfAnyoneIsRefused() throws Exception {
        queue(RING).push(bytes(17));
        assertThatThrownBy(() -> queue(RING).openSoleProducer("importer")).isInstanceOf(TwoProducersException.class);
    }
}
