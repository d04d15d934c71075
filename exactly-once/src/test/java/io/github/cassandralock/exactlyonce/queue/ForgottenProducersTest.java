package io.github.cassandralock.exactlyonce.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.bytes.ByteEncoder;
import io.github.cassandralock.exactlyonce.queue.PushAnswer.Pushed;
import io.github.cassandralock.exactlyonce.queue.PushAnswer.Taken;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ForgottenProducersTest {

    private static final int REMEMBERED = 2;

    private final DirectedStore store = new DirectedStore();
    private final MessageQueue queue = new MessageQueue("q", new Layout.Ring(2), Registers.of(store), REMEMBERED);

    private static Message message(String producer, long sequence) {
        return Message.of(MessageId.of(producer, sequence), new byte[] {1});
    }

    private void pushed(String... producers) throws InterruptedException {
        queue.addConsumer("c");
        for (String producer : producers) {
            long index = queue.push(message(producer, 0));
            queue.raiseMark("c", index + 1);
        }
    }

    @Test
    void producerIsForgottenWhenSoManyOthersHavePushedAfterIt() throws Exception {
        pushed("a", "b");
        assertThat(queue.readLowWater().check().last()).containsOnlyKeys("a", "b");
        pushed("c");
        assertThat(queue.readLowWater().check().last()).containsOnlyKeys("b", "c");
        assertThat(queue.readLowWater().check().forgottenBelow()).isEqualTo(1);
    }

    @Test
    void producerThatPushesAgainIsRememberedLonger() throws Exception {
        pushed("a", "b");
        queue.raiseMark("c", queue.push(message("a", 1)) + 1);
        pushed("c");
        assertThat(queue.readLowWater().check().last()).containsOnlyKeys("a", "c");
    }

    @Test
    void lateMessageOfAForgottenProducerIsNeitherPushedNorTakenForPushed() throws Exception {
        pushed("a", "b", "c", "d", "e", "f");
        assertThatThrownBy(() -> queue.pushAt(0, message("a", 0)))
                .isInstanceOf(OvertakenException.class)
                .hasMessageContaining("a#0")
                .hasMessageContaining("queue q")
                .hasMessageContaining("forgotten producer a")
                .hasMessageContaining("2 others");
        assertThat(queue.readLagBehind(0)).isEqualTo(6);
    }

    @Test
    void lateMessageOfARememberedProducerIsKnown() throws Exception {
        pushed("a", "b", "c", "d", "c", "e", "f");
        assertThat(queue.pushAt(5, message("e", 0))).isInstanceOf(Pushed.class);
        queue.push(message("g", 0));
        assertThat(queue.pushAt(5, message("e", 0))).isInstanceOf(Pushed.class);
        assertThat(queue.pushAt(5, message("e", 1))).isInstanceOf(Taken.class);
        assertThat(queue.pushAt(5, message("never", 0)))
                .as("of one that would be remembered, had it pushed there")
                .isInstanceOf(Taken.class);
    }

    /** With the index after each one that is taken, it would be behind by one more each time. */
    @Test
    void producerThatLosesAgainAndAgainIsNotOvertaken() throws Exception {
        long index = queue.readNextIndex();
        for (int lost = 0; lost < 5; lost++) {
            pushed("other" + 2 * lost, "other" + (2 * lost + 1));
            PushAnswer answer = queue.pushAt(index, message("slow", 0));
            assertThat(answer).isEqualTo(new Taken(2 * lost + 2));
            index = ((Taken) answer).next();
        }
        assertThat(queue.pushAt(index, message("slow", 0))).isInstanceOf(Pushed.class);
    }

    @Test
    void consumerTakesAForgottenProducerAsItComes() {
        SequenceCheck check = SequenceCheck.none();
        assertThat(check.violation("q", 0, MessageId.of("a", 7))).isPresent();
        for (int i = 0; i <= REMEMBERED; i++) {
            check = check.after(i, MessageId.of("p" + i, 0), REMEMBERED);
        }
        assertThat(check.violation("q", 3, MessageId.of("p0", 1))).isEmpty();
        assertThat(check.violation("q", 3, MessageId.of("p2", 5))).isPresent();
        assertThat(check.violation("q", 3, MessageId.of("p2", 0))).isPresent();
        assertThat(SequenceCheck.ofBytes(check.toBytes(), 3)).isEqualTo(check);
    }

    @Test
    void birthsOfManyProducersTakeBoundedRoomAndThoseOfConsumersStay() throws Exception {
        MessageQueue many = new MessageQueue("many", new Layout.Keep(), Registers.of(new InMemoryRegisterStore()));
        many.addConsumer("consumer");
        many.attachConsumer("consumer", "birth of the consumer");
        for (int producer = 0; producer < 2_000; producer++) {
            many.attachProducer("producer-" + producer, "birth " + producer);
        }
        assertThat(many.readLowWater().producers()).hasSize(256).containsKey("producer-1999");
        assertThat(many.readLowWater().births()).containsOnly(Map.entry("consumer", "birth of the consumer"));
        assertThatThrownBy(() -> many.attachProducer("producer-1999", "another"))
                .isInstanceOf(MismatchedStoresException.class);
    }

    @Test
    void birthOfTheProducerThatPushedFirstIsForgottenFirst() throws Exception {
        queue.attachProducer("a", "birth of a");
        queue.attachProducer("b", "birth of b");
        pushed("b", "a");
        queue.attachProducer("d", "birth of d");
        assertThat(queue.readLowWater().producers()).containsOnlyKeys("a", "d");
        queue.attachProducer("b", "another birth");
        assertThat(queue.readLowWater().producers()).containsOnlyKeys("a", "b");
    }

    @Test
    void oldRecordDoesNotShowAnotherOwnerOfAForgottenName() throws Exception {
        queue.attachProducer("a", "birth of a");
        queue.attachProducer("b", "birth of b");
        queue.attachProducer("c", "birth of c");
        queue.attachProducer("a", "another birth");
        store.showOldRecords(3);
        queue.attachProducer("a", "another birth");
    }

    @Test
    void whatAnOlderVersionHasWrittenIsRead() {
        TreeMap<String, Long> last = new TreeMap<>();
        last.put("a", 3L);
        last.put("b", 0L);
        SequenceCheck check = SequenceCheck.ofBytes(
                new ByteEncoder().map(last, ByteEncoder::number).toBytes(), 10);
        assertThat(check.lastOf("a")).isEqualTo(3);
        assertThat(check.after(10, MessageId.of("c", 0), 2).forgottenBelow())
                .as("as high as the index of the forgotten producer can be")
                .isEqualTo(10);
    }
}
