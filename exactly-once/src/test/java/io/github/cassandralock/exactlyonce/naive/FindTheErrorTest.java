package io.github.cassandralock.exactlyonce.naive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
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
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.queue.SequenceCheck;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.sink.EffectFunction;
import io.github.cassandralock.exactlyonce.sink.RegisterSink;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.SinkOrigin;
import io.github.cassandralock.exactlyonce.sink.SinkPosition;
import io.github.cassandralock.exactlyonce.sink.TransactionalSink;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * "Find the error in the handler": ten, each with the naive way, which shows the error, and this module's way, which does not have
 * it, in the same situation.
 */
class FindTheErrorTest {

    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofNanos(1), Duration.ofNanos(1));

    private final DirectedStore store = new DirectedStore();

    private Registers registers() {
        return new Registers(store, WriteIds.ofNewProcess(), length -> {}, PAUSES);
    }

    private MessageQueue queue(String name, Layout layout) {
        return new MessageQueue(name, layout, registers());
    }

    private static Message message(String producer, long sequence, String value) {
        return Message.of(MessageId.of(producer, sequence), value.getBytes(StandardCharsets.UTF_8));
    }

    private static int messages(MessageQueue queue) throws InterruptedException {
        int count = 0;
        while (queue.read(count) instanceof Cell.Full) {
            count++;
        }
        return count;
    }

    /** Runs something in this thread until it has paused that often. */
    private static CopyEnvironment untilItPauses(int times) {
        AtomicInteger left = new AtomicInteger(times);
        Pauser pauser = length -> {
            if (left.decrementAndGet() < 0) {
                throw new InterruptedException();
            }
        };
        return new CopyEnvironment(() -> 0, pauser, Thread::new);
    }

    private static void join(HandlerCopy copy) throws InterruptedException {
        copy.start();
        while (copy.isRunning()) {
            Thread.onSpinWait();
        }
    }

    private static void join(SinkCopy copy) throws InterruptedException {
        copy.start();
        while (copy.isRunning()) {
            Thread.onSpinWait();
        }
    }

    private HandlerDefinition.Builder<String> handler(ExactlyOnceHandler<String> function, MessageQueue input) {
        return HandlerDefinition.builder("h", function, registers(), StateCodec.of(Codec.utf8()), () -> "")
                .input(input)
                .idlePauses(PAUSES)
                .failurePauses(PAUSES);
    }

    // 1. Equal values

    @Test
    void naiveProducersOfEqualValuesLoseOne() throws Exception {
        NaiveQueue naive = new NaiveQueue("n", store);
        long indexOfOne = naive.nextIndex();
        long indexOfOther = naive.nextIndex();
        assertThat(naive.pushAtIdempotent(indexOfOne, "5")).isTrue();
        assertThat(naive.pushAtIdempotent(indexOfOther, "5"))
                .as("believes that it was its own")
                .isTrue();
        assertThat(naive.contents()).as("of two messages").hasSize(1);
    }

    @Test
    void producersOfEqualValuesPushTwo() throws Exception {
        MessageQueue queue = queue("q", new Layout.Keep());
        long indexOfOne = queue.readNextIndex();
        long indexOfOther = queue.readNextIndex();
        assertThat(queue.pushAt(indexOfOne, message("one", 0, "5"))).isInstanceOf(PushAnswer.Pushed.class);
        assertThat(queue.pushAt(indexOfOther, message("other", 0, "5"))).isInstanceOf(PushAnswer.Taken.class);
        assertThat(queue.pushAt(0, message("one", 1, "5")))
                .as("the same producer's next, with an old index")
                .isInstanceOf(PushAnswer.Taken.class);
    }

    // 2. "push_at(…) or queue.get(index) == value", and the get is old

    @Test
    void naivePushWhoseCheckReadsAnOldCellPushesTwice() throws Exception {
        NaiveQueue naive = new NaiveQueue("n", store);
        naive.pushAt(0, "5");
        store.showOldAt(register -> register.endsWith("/cells/0"));
        if (!naive.pushAtIdempotent(0, "5")) {
            naive.pushAtIdempotent(1, "5");
        }
        assertThat(naive.contents()).containsExactly("5", "5");
    }

    @Test
    void pushBelievesTheRefusalAndNoReadAfterIt() throws Exception {
        MessageQueue queue = queue("q", new Layout.Keep());
        queue.pushAt(0, message("p", 0, "5"));
        store.showOldAt(register -> register.endsWith("/cells/0"));
        assertThat(queue.pushAt(0, message("p", 0, "5"))).isInstanceOf(PushAnswer.Pushed.class);
    }

    // 3. A compare-and-set that is repeated until it is answered

    @Test
    void naivePushWhoseAnswerIsLostPushesTwice() throws Exception {
        NaiveQueue naive = new NaiveQueue("n", store);
        store.loseAnswerAt(register -> true);
        naive.push("5");
        assertThat(naive.contents()).containsExactly("5", "5");
    }

    @Test
    void naiveDepositWhoseAnswerIsLostDepositsTwice() throws Exception {
        store.loseAnswerAt(register -> true);
        boolean done = false;
        while (!done) {
            StoredValue balance = store.read("account");
            byte[] after = {(byte) (balance.getVersion() == 0 ? 10 : balance.getValue()[0] + 10)};
            try {
                done = store.compareAndSet("account", balance.getVersion(), after, new WriteId(new UUID(0, 0), 0))
                        instanceof CompareAndSetAnswer.Applied;
            } catch (UnknownOutcomeException e) {
                done = false;
            }
        }
        assertThat(store.read("account").getValue()[0]).isEqualTo((byte) 20);
    }

    @Test
    void pushAndDepositWhoseAnswersAreLostTakePlaceOnce() throws Exception {
        MessageQueue queue = queue("q", new Layout.Keep());
        store.loseAnswerAt(register -> register.contains("/cells/"));
        NumberedPush.push(queue, message("p", 0, "5"));
        assertThat(messages(queue)).isEqualTo(1);

        RegisterSink accounts = new RegisterSink("accounts", registers(), FindTheErrorTest::deposit);
        store.loseAnswerAt(register -> register.startsWith("sink/"));
        accounts.apply("a", "h", "birth", 0, Bytes.of(Codec.utf8(), "10"));
        accounts.apply("a", "h", "birth", 0, Bytes.of(Codec.utf8(), "10"));
        assertThat(accounts.readContent("a")).contains(Bytes.of(Codec.utf8(), "10"));
    }

    private static EffectFunction.Change deposit(Optional<Bytes> content, Bytes request) {
        int balance =
                content.map(bytes -> Integer.parseInt(bytes.as(Codec.utf8()))).orElse(0);
        int after = balance + Integer.parseInt(request.as(Codec.utf8()));
        return new EffectFunction.Change(Bytes.of(Codec.utf8(), Integer.toString(after)), Bytes.of(Codec.utf8(), "ok"));
    }

    // 4. handle_db raises the index though nothing is there. 5. Two copies write the same index

    /** A database with transactions. */
    private static final class Database implements TransactionalSink {

        private SinkPosition position = new SinkPosition(0, SequenceCheck.none());
        private Optional<SinkOrigin> origin = Optional.empty();
        private int counter;

        @Override
        public Optional<SinkOrigin> readOrigin() {
            return origin;
        }

        @Override
        public void begin(SinkOrigin first, SinkPosition start) {
            origin = origin.or(() -> Optional.of(first));
        }

        @Override
        public SinkPosition readPosition() {
            return position;
        }

        @Override
        public boolean take(SinkPosition from, Message message, SinkPosition to) {
            if (position.index() != from.index()) {
                return false;
            }
            position = to;
            counter++;
            return true;
        }

        void naiveHandle(NaiveQueue queue, long index) throws InterruptedException {
            position = new SinkPosition(index + 1, SequenceCheck.none());
            if (queue.get(index).isPresent()) {
                counter++;
            }
        }
    }

    @Test
    void naiveSinkThatFindsNothingPassesOverTheMessageThatComes() throws Exception {
        NaiveQueue naive = new NaiveQueue("n", store);
        Database database = new Database();
        database.naiveHandle(naive, database.position.index());
        naive.push("5");
        database.naiveHandle(naive, database.position.index());
        assertThat(database.counter).isZero();
    }

    @Test
    void sinkThatFindsNothingTakesTheMessageThatComes() throws Exception {
        MessageQueue queue = queue("q", new Layout.Keep());
        Database database = new Database();
        join(new SinkCopy("s", queue, database, PAUSES, "1", SinkListener.none(), untilItPauses(0)));
        NumberedPush.push(queue, message("p", 0, "5"));
        join(new SinkCopy("s", queue, database, PAUSES, "2", SinkListener.none(), untilItPauses(0)));
        assertThat(database.counter).isEqualTo(1);
    }

    @Test
    void naiveCopiesThatReadTheSameIndexCountTwice() throws Exception {
        NaiveQueue naive = new NaiveQueue("n", store);
        naive.push("5");
        Database database = new Database();
        long indexOfOne = database.position.index();
        long indexOfOther = database.position.index();
        database.naiveHandle(naive, indexOfOne);
        database.naiveHandle(naive, indexOfOther);
        assertThat(database.counter).isEqualTo(2);
    }

    @Test
    void copiesThatReadTheSameIndexCountOnce() throws Exception {
        MessageQueue queue = queue("q", new Layout.Keep());
        NumberedPush.push(queue, message("p", 0, "5"));
        Database database = new Database();
        SinkPosition old = database.readPosition();
        join(new SinkCopy("s", queue, database, PAUSES, "1", SinkListener.none(), untilItPauses(0)));
        Message message = ((Cell.Full) queue.read(0)).message();
        assertThat(database.take(old, message, new SinkPosition(1, SequenceCheck.none())))
                .isFalse();
        assertThat(database.counter).isEqualTo(1);
    }

    // 6. No outputs

    @Test
    void naivePreparingWithoutOutputsFails() {
        List<String> outputs = List.of();
        assertThatThrownBy(() -> outputs.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void stepWithoutOutputsGoesBackToHandling() throws Exception {
        MessageQueue in = queue("in", new Layout.Keep());
        NumberedPush.push(in, message("p", 0, "5"));
        HandlerCopy copy = new HandlerCopy(
                handler((state, inputs, time) -> HandlerResult.of("handled"), in)
                        .build(),
                "1",
                HandlerListener.none(),
                untilItPauses(0));
        join(copy);
        assertThat(copy.getPosition()).hasValueSatisfying(position -> {
            assertThat(position.phase()).isEqualTo("Handling");
            assertThat(position.indexes()).containsEntry("in", 1L);
        });
    }

    // 7. Cells that expire

    @Test
    void naiveCopyThatStoodStillWritesIntoAnExpiredCell() throws Exception {
        NaiveQueue naive = new NaiveQueue("n", store);
        long chosen = naive.nextIndex();
        naive.push("another's");
        store.delete(register -> register.endsWith("/cells/0"));
        assertThat(naive.pushAtIdempotent(chosen, "mine"))
                .as("below all readers")
                .isTrue();
    }

    @Test
    void copyThatStoodStillFindsItsCellTakenHoweverOftenItWasUsed() throws Exception {
        MessageQueue queue = queue("q", new Layout.Ring(2));
        queue.addConsumer("c");
        long chosen = queue.readNextIndex();
        for (int i = 0; i < 9; i++) {
            NumberedPush.push(queue, message("another", i, "5"));
            queue.raiseMark("c", i + 1);
        }
        assertThat(queue("q", new Layout.Ring(2)).pushAt(chosen, message("p", 0, "5")))
                .isInstanceOf(PushAnswer.Taken.class);
    }

    // 8. Cleaning of any kind loses the answer to "was it ours?"

    @Test
    void naiveCopyWhoseMessageWasTakenAndCleanedPushesItAgain() throws Exception {
        NaiveQueue naive = new NaiveQueue("n", store);
        naive.pushAt(0, "mine");
        naive.pushAt(1, "another's");
        store.delete(register -> register.endsWith("/cells/0"));
        store.compareAndSet(
                "queue/n/cells/0", 0, "later".getBytes(StandardCharsets.UTF_8), new WriteId(new UUID(0, 1), 1));
        if (!naive.pushAtIdempotent(0, "mine")) {
            naive.pushIdempotent("mine");
        }
        assertThat(naive.contents()).as("after it was consumed").contains("mine");
    }

    @Test
    void copyWhoseMessageWasTakenAndCleanedKnowsIt() throws Exception {
        MessageQueue queue = queue("q", new Layout.Ring(2));
        queue.addConsumer("c");
        NumberedPush.push(queue, message("p", 0, "mine"));
        NumberedPush.push(queue, message("another", 0, "5"));
        queue.raiseMark("c", 2);
        NumberedPush.push(queue, message("another", 1, "later"));
        assertThat(queue("q", new Layout.Ring(2)).pushAt(0, message("p", 0, "mine")))
                .isInstanceOf(PushAnswer.Pushed.class);
    }

    // 9. WRITING reads the input again

    @Test
    void naiveWritingAfterTheInputWasCleanedHasNothingToWrite() throws Exception {
        NaiveQueue input = new NaiveQueue("in", store);
        input.push("5");
        store.delete(register -> register.startsWith("queue/in/"));
        assertThat(input.get(0)).as("what WRITING would push").isEmpty();
    }

    @Test
    void writingPushesWhatTheStateHoldsThoughTheInputWasCleaned() throws Exception {
        MessageQueue in = queue("in", new Layout.Ring(2));
        MessageQueue out = queue("out", new Layout.Keep());
        NumberedPush.push(in, message("p", 0, "5"));
        ExactlyOnceHandler<String> echo = (state, inputs, time) -> HandlerResult.of(state)
                .output("out", Codec.utf8(), inputs.from("in", Codec.utf8()).get(0));
        store.killAt(register -> register.equals("queue/out/cells/0"));
        join(new HandlerCopy(handler(echo, in).output(out).build(), "1", HandlerListener.none(), untilItPauses(0)));
        assertThat(messages(out)).isZero();
        in.raiseMark("h", 1);
        NumberedPush.push(in, message("p", 1, "6"));
        NumberedPush.push(in, message("p", 2, "7"));
        assertThat(in.read(0)).as("the input").isInstanceOf(Cell.Gone.class);
        join(new HandlerCopy(handler(echo, in).output(out).build(), "2", HandlerListener.none(), untilItPauses(0)));
        assertThat(((Cell.Full) out.read(0)).message().payloads())
                .containsExactly("5".getBytes(StandardCharsets.UTF_8));
    }

    // 10. A copy that stands in the sink's transaction holds the row's lock

    /** A row whose lock is held by a copy that stands still. */
    private static final class LockedRow implements TransactionalSink {

        final Semaphore lock = new Semaphore(0);
        final Database database = new Database();
        final List<String> told = new ArrayList<>();

        @Override
        public Optional<SinkOrigin> readOrigin() {
            return database.readOrigin();
        }

        @Override
        public void begin(SinkOrigin origin, SinkPosition first) {
            database.begin(origin, first);
        }

        @Override
        public SinkPosition readPosition() {
            return database.readPosition();
        }

        /** The store gives up after its lock time-out. */
        @Override
        public boolean take(SinkPosition from, Message message, SinkPosition to) {
            if (!lock.tryAcquire()) {
                lock.release();
                told.add("lock time-out");
                throw new RegisterUnavailableException("lock time-out", new IllegalStateException());
            }
            return database.take(from, message, to);
        }
    }

    @Test
    void naiveCopyWaitsForTheLockWithoutBound() throws Exception {
        LockedRow row = new LockedRow();
        Thread naive = new Thread(row.lock::acquireUninterruptibly, "naive-copy");
        naive.setDaemon(true);
        naive.start();
        while (naive.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        naive.interrupt();
        assertThat(naive.isAlive()).as("not even an interrupt ends it").isTrue();
        row.lock.release();
        naive.join();
    }

    @Test
    void copyThatIsRefusedTheLockTriesAgainAndGoesOnOnceItIsFree() throws Exception {
        MessageQueue queue = queue("q", new Layout.Keep());
        NumberedPush.push(queue, message("p", 0, "5"));
        LockedRow row = new LockedRow();
        SinkCopy copy = new SinkCopy("s", queue, row, PAUSES, "1", SinkListener.none(), untilItPauses(2));
        join(copy);
        assertThat(row.told).containsExactly("lock time-out");
        assertThat(row.database.counter).isEqualTo(1);
    }
}
