package io.github.cassandralock.exactlyonce.bounded;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A producer pushes groups of messages to a ring, while a copy of a handler takes them and adds up their numbers. */
final class RingUse {

    static final int CELLS = 256;

    /** Low-water record and hint of the queue, and the handler's state. */
    static final int OTHER_REGISTERS = 3;

    /** A message has so many bytes and its number. */
    private static final String PADDING = "-".repeat(90) + " ";

    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(10));
    private static final int INPUTS_OF_A_STEP = 32;
    private static final int LONGEST_MINUTES = 8;

    private final Set<String> written = ConcurrentHashMap.newKeySet();
    private final Registers registers;

    RingUse(RegisterStore store) {
        this.registers = Registers.of(new RegisterStore() {
            @Override
            public StoredValue read(String name) throws InterruptedException {
                return store.read(name);
            }

            @Override
            public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
                    throws InterruptedException {
                written.add(name);
                return store.compareAndSet(name, expected, value, writeId);
            }
        });
    }

    /** How many registers were ever written. */
    int registersWritten() {
        return written.size();
    }

    /** Returns when all messages have been taken; fails if one is missing or double. */
    void pass(int groups, int size) throws InterruptedException {
        MessageQueue queue = new MessageQueue("ring", new Layout.Ring(CELLS), registers);
        CountDownLatch taken = new CountDownLatch(1);
        long messages = (long) groups * size;
        HandlerDefinition<String> definition = HandlerDefinition.builder(
                        "adder", RingUse::add, registers, StateCodec.of(Codec.utf8()), () -> "0 0")
                .input(queue)
                .maxInputs(INPUTS_OF_A_STEP)
                .onViolation(HandlerDefinition.OnViolation.STOP)
                .idlePauses(PAUSES)
                .build();
        HandlerListener listener = new HandlerListener() {
            private long groupsTaken;

            @Override
            public void onStepCommitted(String handler, long step, int inputs) {
                groupsTaken += inputs;
                if (groupsTaken == groups) {
                    taken.countDown();
                }
            }

            @Override
            public void onFailed(String handler, Throwable cause) {
                taken.countDown();
            }
        };
        queue.addConsumer("adder");
        try (HandlerCopy copy = new HandlerCopy(definition, "1", listener, CopyEnvironment.ofThisMachine())) {
            copy.start();
            for (int group = 0; group < groups; group++) {
                push(queue, group, size);
            }
            assertThat(taken.await(LONGEST_MINUTES, TimeUnit.MINUTES))
                    .as("all were taken")
                    .isTrue();
            assertThat(copy.getFailure()).isEmpty();
        }
        assertThat(totals()).isEqualTo(messages + " " + messages * (messages - 1) / 2);
    }

    private String totals() throws InterruptedException {
        return DecodedState.of("adder", registers.store().read("handler/adder/state"))
                .userState()
                .as(Codec.utf8());
    }

    private static HandlerResult<String> add(String state, Inputs inputs, Instant time) {
        String[] words = state.split(" ", -1);
        long count = Long.parseLong(words[0]);
        long sum = Long.parseLong(words[1]);
        for (String message : inputs.from("ring", Codec.utf8())) {
            count++;
            sum += Long.parseLong(message.substring(PADDING.length()));
        }
        return HandlerResult.of(count + " " + sum);
    }

    /** The ring is full again and again: the producer is faster. */
    private static void push(MessageQueue queue, int group, int size) throws InterruptedException {
        List<byte[]> payloads = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            payloads.add((PADDING + ((long) group * size + i)).getBytes(StandardCharsets.UTF_8));
        }
        Message message = new Message(MessageId.of("producer", group), payloads);
        GrowingPauses.Series pauses = PAUSES.begin(Pauser.ofThread());
        while (!(queue.pushAsSoleProducer(message) instanceof PushAnswer.Pushed)) {
            pauses.pause();
        }
    }
}
