package io.github.cassandralock.exactlyonce.bounded;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Producers whose names are never used again, such as those of pods, take no room for ever. */
class ManyProducersTest {

    private static final int PRODUCERS = 20_000;
    private static final int NAME_LENGTH = 190;
    private static final int MOST_BYTES = 64 * 1024;

    private static String name(int producer) {
        return "pod-" + "x".repeat(NAME_LENGTH - 9) + (10_000 + producer);
    }

    @Test
    void twentyThousandProducersTakeBoundedRoomAndTheirMessagesCountOnce() throws Exception {
        Registers registers = Registers.of(new InMemoryRegisterStore());
        MessageQueue queue = new MessageQueue("in", new Layout.Ring(1_000), registers);
        CountDownLatch taken = new CountDownLatch(PRODUCERS);
        List<Object> wrong = new CopyOnWriteArrayList<>();
        HandlerDefinition<String> counting = HandlerDefinition.builder(
                        "counting",
                        (state, inputs, time) -> HandlerResult.of(Integer.toString(
                                Integer.parseInt(state) + inputs.all().size())),
                        registers,
                        StateCodec.of(Codec.utf8()),
                        () -> "0")
                .input(queue)
                .maxInputs(10)
                .build();
        HandlerListener listener = new HandlerListener() {
            @Override
            public void onStepCommitted(String handler, long step, int messages) {
                for (int i = 0; i < messages; i++) {
                    taken.countDown();
                }
            }

            @Override
            public void onSequenceViolated(String handler, SequenceViolation violation) {
                wrong.add(violation);
            }
        };
        queue.addConsumer("counting");
        try (HandlerCopy copy = new HandlerCopy(counting, "1", listener, CopyEnvironment.ofThisMachine())) {
            copy.start();
            for (int producer = 0; producer < PRODUCERS; producer++) {
                NumberedPush.push(queue, Message.of(MessageId.of(name(producer), 0), new byte[] {1}));
            }
            assertThat(taken.await(60, TimeUnit.SECONDS)).as("all were taken").isTrue();
            assertThat(copy.getFailure()).isEmpty();
        }
        assertThat(wrong).isEmpty();
        assertThat(registers.store().read("handler/counting/state").getValue()).hasSizeLessThan(MOST_BYTES);
        assertThat(registers.store().read("queue/in/low-water").getValue()).hasSizeLessThan(MOST_BYTES);
    }
}
