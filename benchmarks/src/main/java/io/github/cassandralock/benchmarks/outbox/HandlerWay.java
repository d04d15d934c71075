package io.github.cassandralock.benchmarks.outbox;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Cell;
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
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * One copy of a handler whose queues and state are registers in PostgreSQL. It takes a group as one message, adds to its state, and
 * pushes a message for each of the group, as one group; it is the only producer of its output. The inputs are there before it
 * begins; it has finished when it has told the input queue that its cells can be used again.
 */
final class HandlerWay implements Way {

    private static final JdbcStoreSettings REGISTERS = JdbcStoreSettings.defaults();
    private static final GrowingPauses IDLE = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(1));
    private static final Codec<String> TEXT = Codec.utf8();

    /** Whether there is really nothing left to do is seen when it is idle for the second time. */
    private static final int IDLE_TWICE = 2;

    private static final int LONGEST_MINUTES = 10;

    private final DataSource source;
    private int passes;

    HandlerWay(DataSource source) {
        this.source = source;
        JdbcRegisterStore.createTable(source, REGISTERS);
    }

    /** Counts requests. */
    private static final class CountingStore implements RegisterStore {

        private final RegisterStore store;
        private final AtomicLong reads = new AtomicLong();
        private final AtomicLong compareAndSets = new AtomicLong();

        CountingStore(RegisterStore store) {
            this.store = store;
        }

        @Override
        public StoredValue read(String name) throws InterruptedException {
            reads.incrementAndGet();
            return store.read(name);
        }

        @Override
        public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
                throws InterruptedException {
            compareAndSets.incrementAndGet();
            return store.compareAndSet(name, expected, value, writeId);
        }
    }

    @Override
    public String name() {
        return "handler";
    }

    @Override
    public Passage pass(int groups, int size) throws Exception {
        passes++;
        CountingStore store = new CountingStore(JdbcRegisterStore.open(source, REGISTERS));
        Registers registers = Registers.of(store);
        Layout ring = new Layout.Ring(2 * groups);
        MessageQueue inputs = new MessageQueue("inputs-" + passes, ring, registers);
        MessageQueue outputs = new MessageQueue("outputs-" + passes, ring, registers);
        for (int group = 0; group < groups; group++) {
            push(inputs, new Message(MessageId.of("producer-" + passes, group), Payloads.of(group, size)));
        }
        store.reads.set(0);
        store.compareAndSets.set(0);
        long began = System.nanoTime();
        runUntilIdle(definition(registers, inputs, outputs, size));
        double seconds = (System.nanoTime() - began) / 1e9;
        if (!(outputs.read(groups - 1L) instanceof Cell.Full)
                || inputs.readLowWater().index() != groups) {
            throw new IllegalStateException("The handler was idle before all " + groups + " groups were through");
        }
        long commits = store.compareAndSets.get();
        return new Passage((long) groups * size, seconds, store.reads.get() + commits, commits);
    }

    private static void push(MessageQueue queue, Message message) throws InterruptedException {
        if (!(queue.pushAsSoleProducer(message) instanceof PushAnswer.Pushed)) {
            throw new IllegalStateException(message + " is not in " + queue);
        }
    }

    private static HandlerDefinition<String> definition(
            Registers registers, MessageQueue inputs, MessageQueue outputs, int size) {
        return HandlerDefinition.builder(
                        inputs.getName() + "-handler",
                        (total, taken, time) -> add(total, taken.from(inputs.getName(), TEXT), outputs.getName()),
                        registers,
                        StateCodec.of(TEXT),
                        () -> "0")
                .input(inputs)
                .exclusiveOutput(outputs)
                .maxPayloads(size)
                .idlePauses(IDLE)
                .build();
    }

    private static HandlerResult<String> add(String total, List<String> orders, String outputs) {
        long sum = Long.parseLong(total);
        for (String order : orders) {
            sum += Long.parseLong(order.substring(order.lastIndexOf(' ') + 1));
        }
        HandlerResult<String> result = HandlerResult.of(Long.toString(sum));
        orders.forEach(order -> result.output(outputs, TEXT, order));
        return result;
    }

    private static void runUntilIdle(HandlerDefinition<String> definition) throws InterruptedException {
        CountDownLatch idle = new CountDownLatch(IDLE_TWICE);
        HandlerListener listener = new HandlerListener() {
            @Override
            public void onIdle(String handler) {
                idle.countDown();
            }
        };
        try (HandlerCopy copy = new HandlerCopy(definition, "1", listener, CopyEnvironment.ofThisMachine())) {
            copy.start();
            if (!idle.await(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("After " + LONGEST_MINUTES + " minutes the handler is not through");
            }
        }
    }
}
