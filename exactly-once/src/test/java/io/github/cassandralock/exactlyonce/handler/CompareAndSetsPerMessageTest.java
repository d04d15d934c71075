package io.github.cassandralock.exactlyonce.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.Branches;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What one copy of a handler costs that takes 2,000 messages and pushes an output for each. All are there before it begins, so
 * that all groups are full. The producer's pushes of the inputs are not counted.
 */
class CompareAndSetsPerMessageTest {

    private static final int MESSAGES = 2_000;

    /** Consumers of such a ring raise their marks after 512 messages. */
    private static final Layout RING = new Layout.Ring(2_048);

    private static final int MARKS_OF_A_RING = 4;
    private static final String STATE = "handler/h/state";
    private static final String OUTPUTS = "queue/out/cells";
    private static final String HINT = "queue/out/hint";
    private static final String MARKS = "queue/in/low-water";
    private static final String TOMBSTONES = "queue/in/cells";
    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(1));

    /** Counts compare-and-sets by register; the cells of a queue are counted together. */
    private static final class CountingStore implements RegisterStore {

        private final RegisterStore store = new DirectedStore();
        final Map<String, Integer> compareAndSets = new TreeMap<>();

        @Override
        public StoredValue read(String name) throws InterruptedException {
            return store.read(name);
        }

        @Override
        public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
                throws InterruptedException {
            compareAndSets.merge(name.replaceFirst("/\\d+$", ""), 1, Integer::sum);
            return store.compareAndSet(name, expected, value, writeId);
        }

        double perMessage() {
            return compareAndSets.values().stream().mapToInt(Integer::intValue).sum() / (double) MESSAGES;
        }
    }

    private final CountingStore store = new CountingStore();
    private final Registers registers = new Registers(store, WriteIds.ofNewProcess(), length -> {}, PAUSES);

    private enum Producers {
        SOLE,
        ORDINARY
    }

    /** Counts what the messages cost, without the first registration and the first state of a handler. */
    private void count(Producers producers, Layout inputs, int messagesOfAStep) throws InterruptedException {
        MessageQueue in = new MessageQueue("in", inputs, registers);
        MessageQueue out = new MessageQueue("out", RING, registers);
        out.readLowWater();
        HandlerDefinition.Builder<String> definition = HandlerDefinition.builder(
                        "h", CompareAndSetsPerMessageTest::echo, registers, StateCodec.of(Codec.utf8()), () -> "")
                .input(in)
                .maxInputs(messagesOfAStep)
                .idlePauses(PAUSES);
        HandlerProtocol<String> copy = new HandlerProtocol<>(
                (producers == Producers.SOLE ? definition.exclusiveOutput(out) : definition.output(out)).build(),
                () -> 0,
                length -> {
                    throw new InterruptedException("It has nothing to do.");
                },
                Ticker.system(),
                Branches.inThreads(Thread::new),
                HandlerListener.none());
        runUntilIdle(copy);
        for (int i = 0; i < MESSAGES; i++) {
            NumberedPush.push(in, Message.of(MessageId.of("p", i), ("m" + i).getBytes(StandardCharsets.UTF_8)));
        }
        store.compareAndSets.clear();
        runUntilIdle(copy);
        assertThat(out.read(MESSAGES / messagesOfAStep - 1))
                .as("the last output")
                .isInstanceOf(Cell.Full.class);
    }

    private static HandlerResult<String> echo(String state, Inputs inputs, Instant time) {
        HandlerResult<String> result = HandlerResult.of(state);
        inputs.from("in", Codec.utf8()).forEach(payload -> result.output("out", Codec.utf8(), payload));
        return result;
    }

    private static void runUntilIdle(HandlerProtocol<?> copy) {
        assertThatThrownBy(() -> copy.run(() -> false)).isInstanceOf(InterruptedException.class);
    }

    @ParameterizedTest(name = "groups of {0}: {1} a message")
    @CsvSource({"1, 2.002", "10, 0.202", "100, 0.022"})
    void soleProducerNeedsOneForTheStateAndOneForTheOutputOfEachGroup(int group, double perMessage) throws Exception {
        count(Producers.SOLE, RING, group);
        int groups = MESSAGES / group;
        assertThat(store.compareAndSets)
                .containsOnly(Map.entry(STATE, groups), Map.entry(OUTPUTS, groups), Map.entry(MARKS, MARKS_OF_A_RING));
        assertThat(store.perMessage()).isCloseTo(perMessage, within(1e-9));
    }

    @ParameterizedTest(name = "groups of {0}: {1} a message")
    @CsvSource({"1, 5.002", "10, 0.502", "100, 0.052"})
    void ordinaryProducerNeedsFiveCompareAndSetsForEachGroup(int group, double perMessage) throws Exception {
        count(Producers.ORDINARY, RING, group);
        int groups = MESSAGES / group;
        assertThat(store.compareAndSets)
                .containsOnly(
                        Map.entry(STATE, 3 * groups),
                        Map.entry(OUTPUTS, groups),
                        Map.entry(HINT, groups),
                        Map.entry(MARKS, MARKS_OF_A_RING));
        assertThat(store.perMessage()).isCloseTo(perMessage, within(1e-9));
    }

    @Test
    void soleProducerOfLargeStepsNeedsATwentiethOfACompareAndSetForAMessage() throws Exception {
        count(Producers.SOLE, RING, 100);
        assertThat(store.perMessage()).isLessThanOrEqualTo(0.05);
    }

    /** Those below the last mark are there; the others follow with the next mark. */
    @ParameterizedTest(name = "groups of {0}: {1} tombstones")
    @CsvSource({"1, 1983", "10, 1959", "100, 1999"})
    void keptInputQueueCostsATombstoneForEachMessage(int group, int tombstones) throws Exception {
        count(Producers.SOLE, new Layout.Keep(), group);
        assertThat(store.compareAndSets)
                .containsEntry(STATE, MESSAGES / group)
                .containsEntry(OUTPUTS, MESSAGES / group)
                .containsEntry(TOMBSTONES, tombstones);
    }
}
