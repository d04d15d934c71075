package io.github.cassandralock.exactlyonce.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.SequenceCheck;
import io.github.cassandralock.exactlyonce.queue.UnknownConsumerException;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a sink, its outbox and its pump beside a queue that was renamed, made afresh, or restored. */
@Timeout(60)
class RenamedSinkTest {

    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofNanos(1), Duration.ofNanos(1));
    private static final int MESSAGES = 5;

    private final Table table = new Table();
    private final Rows rows = new Rows();
    private DirectedStore store = new DirectedStore();

    /** A row of a database, and what the effects were. */
    private static final class Table implements TransactionalSink {

        final List<MessageId> effects = new ArrayList<>();
        Optional<SinkOrigin> origin = Optional.empty();
        Optional<SinkPosition> position = Optional.empty();

        @Override
        public Optional<SinkOrigin> readOrigin() {
            return origin;
        }

        @Override
        public void begin(SinkOrigin first, SinkPosition start) {
            if (origin.isEmpty() || !origin.get().isKnown()) {
                origin = Optional.of(first);
                position = Optional.of(position.orElse(start));
            }
        }

        @Override
        public SinkPosition readPosition() {
            return position.orElseThrow();
        }

        @Override
        public boolean take(SinkPosition from, Message message, SinkPosition to) {
            position = Optional.of(to);
            effects.add(message.id());
            return true;
        }

        void isOfAnOlderVersion() {
            origin = Optional.of(SinkOrigin.ofOlderVersion());
        }
    }

    private static final class Rows implements Outbox {

        long count;
        byte content = 1;
        boolean ofOlderVersion;
        boolean hasSink = true;
        Optional<OutboxTarget> target = Optional.empty();

        /** The first row that is there, if an operator has moved the table without its rows. */
        long first;

        @Override
        public Optional<List<byte[]>> readRow(long number) {
            return first <= number && number < count ? Optional.of(List.of(new byte[] {content})) : Optional.empty();
        }

        @Override
        public Optional<OutboxOrigin> readOrigin() {
            return hasSink ? Optional.of(new OutboxOrigin(count, target, ofOlderVersion)) : Optional.empty();
        }

        @Override
        public void sendTo(OutboxTarget chosen) {
            target = target.or(() -> Optional.of(chosen));
        }

        @Override
        public String toString() {
            return "outbox of sink 's'";
        }
    }

    private MessageQueue queue(String name) {
        return new MessageQueue(
                name, new Layout.Ring(8), new Registers(store, WriteIds.ofNewProcess(), length -> {}, PAUSES));
    }

    private void push(String queue, int count) throws InterruptedException {
        MessageQueue to = queue(queue);
        for (int i = 0; i < count; i++) {
            NumberedPush.push(to, Message.of(MessageId.of("p", i), new byte[] {1}));
        }
    }

    private static CopyEnvironment untilItHasPaused(int most) {
        AtomicInteger left = new AtomicInteger(most);
        return new CopyEnvironment(
                () -> 0,
                length -> {
                    if (left.decrementAndGet() < 0) {
                        throw new InterruptedException();
                    }
                },
                Thread::new);
    }

    private static Optional<Throwable> ended(Copy<?> copy) {
        copy.start();
        while (copy.isRunning()) {
            Thread.onSpinWait();
        }
        return copy.getFailure().filter(cause -> !(cause instanceof InterruptedException));
    }

    private Optional<Throwable> runSink(String queue) {
        return ended(new SinkCopy("s", queue(queue), table, PAUSES, "1", SinkListener.none(), untilItHasPaused(1_000)));
    }

    private Optional<Throwable> runPump(String pump, String queue) {
        return ended(
                new OutboxPump(pump, rows, queue(queue), PAUSES, "1", PumpListener.none(), untilItHasPaused(1_000)));
    }

    private static void isRefused(Optional<Throwable> failure, String told) {
        assertThat(failure)
                .hasValueSatisfying(cause -> assertThat(cause)
                        .isInstanceOf(MismatchedStoresException.class)
                        .hasMessageContaining(told));
    }

    @Test
    void sinkWhoseQueueWasRenamedTakesNothingAndEnds() throws Exception {
        push("old", MESSAGES);
        assertThat(runSink("old")).isEmpty();
        push("new", MESSAGES);

        isRefused(runSink("new"), "Sink s counts the messages of queue old, but this program gives it queue new");
        assertThat(table.effects).hasSize(MESSAGES);
        assertThat(queue("new").readLowWater().marks())
                .as("it does not hold the ring")
                .isEmpty();
    }

    @Test
    void sinkWhoseQueueWasMadeAfreshTakesNothingAndEnds() throws Exception {
        push("q", MESSAGES);
        assertThat(runSink("q")).isEmpty();
        store = new DirectedStore();
        push("q", 2 * MESSAGES - 3);

        isRefused(runSink("q"), "of an earlier queue q");
        assertThat(table.effects).hasSize(MESSAGES);
    }

    @Test
    void sinkThatHasLostItsRowDoesNotGoOnInTheMiddle() throws Exception {
        push("q", MESSAGES);
        runSink("q");
        table.origin = Optional.empty();
        table.position = Optional.empty();

        isRefused(runSink("q"), "Queue q was used before by another s");
        assertThat(table.effects).hasSize(MESSAGES);
    }

    @Test
    void sinkThatWasRestoredFromABackupEnds() throws Exception {
        push("q", MESSAGES);
        runSink("q");
        table.position = Optional.of(new SinkPosition(2, SequenceCheck.none().after(1, MessageId.of("p", 1), 256)));

        isRefused(runSink("q"), "the queue shows that it stood beyond");
        assertThat(table.effects).hasSize(MESSAGES);
    }

    /** Else a position that was restored could be taken for one that is beyond its mark. */
    @Test
    void sinkIsShownItsPresentMarkThoughReadsAreOld() throws Exception {
        push("in", MESSAGES);
        MessageQueue in = queue("in");
        in.addConsumer("s");
        in.attachConsumer("s", "birth");
        in.raiseMark("s", MESSAGES);
        store.showOldAt("queue/in/low-water"::equals);
        assertThat(in.attachConsumer("s", "birth")).isEqualTo(MESSAGES);
    }

    @Test
    void sinkWhoseQueueWasRestoredFromABackupEnds() throws Exception {
        push("q", MESSAGES);
        runSink("q");
        store.delete(register -> register.contains("/cells/"));

        isRefused(runSink("q"), "Queue q has no message at index 4, which s has taken");
    }

    @Test
    void sinkThatWaitsForMessagesEndsWhenItsQueueIsEmptied() throws Exception {
        push("q", MESSAGES);
        CopyEnvironment environment = atRest(() -> store.delete(register -> true));
        SinkCopy copy = new SinkCopy("s", queue("q"), table, PAUSES, "1", SinkListener.none(), environment);

        isRefused(ended(copy), "Queue q has no message at index 4, which s has taken");
    }

    /** Something happens when a copy has done all that there was. */
    private static CopyEnvironment atRest(Runnable change) {
        AtomicInteger pauses = new AtomicInteger();
        return new CopyEnvironment(
                () -> 0,
                length -> {
                    if (pauses.incrementAndGet() == 50) {
                        change.run();
                    } else if (pauses.get() > 1_000) {
                        throw new InterruptedException();
                    }
                },
                Thread::new);
    }

    @Test
    void queueThatIsMadeAfreshWhileItIsUsedIsRefused() throws Exception {
        MessageQueue queue = queue("q");
        queue.readLowWater();
        store.delete(register -> true);
        assertThat(catchThrowable(queue::readLowWater))
                .isInstanceOf(MismatchedStoresException.class)
                .hasMessageContaining("made afresh while this program used it");
    }

    @Test
    void rowOfAnOlderVersionGoesOnWithTheQueueThatKnowsItsSink() throws Exception {
        push("q", MESSAGES);
        queue("q").addConsumer("s");
        table.isOfAnOlderVersion();
        table.position = Optional.of(new SinkPosition(2, SequenceCheck.none().after(1, MessageId.of("p", 1), 256)));

        assertThat(runSink("q")).isEmpty();
        assertThat(table.effects).hasSize(MESSAGES - 2);
        assertThat(table.origin)
                .hasValueSatisfying(origin -> assertThat(origin.queue()).isEqualTo("q"));
    }

    @Test
    void rowOfAnOlderVersionIsRefusedByAQueueThatDoesNotKnowItsSink() throws Exception {
        push("new", MESSAGES);
        table.isOfAnOlderVersion();
        table.position = Optional.of(new SinkPosition(2, SequenceCheck.none()));

        assertThat(runSink("new"))
                .hasValueSatisfying(cause -> assertThat(cause)
                        .isInstanceOf(UnknownConsumerException.class)
                        .hasMessageContaining("Consumer s is not registered at queue new"));
        assertThat(table.effects).isEmpty();
    }

    // Pumps

    private long pushed(String queue) throws InterruptedException {
        return queue(queue).readNextIndex();
    }

    @Test
    void rowsAreNotPushedAgainToAQueueWithAnotherName() throws Exception {
        rows.count = MESSAGES;
        assertThat(runPump("pump", "old")).isEmpty();
        rows.count++;

        isRefused(runPump("pump", "new"), "pushed by pump pump to queue old");
        assertThat(pushed("new")).isZero();
        assertThat(runPump("pump", "old")).isEmpty();
        assertThat(pushed("old")).isEqualTo(MESSAGES + 1);
    }

    @Test
    void pumpThatWasRenamedIsRefused() {
        rows.count = MESSAGES;
        runPump("pump", "q");
        isRefused(runPump("other", "q"), "This program gives them to pump other and queue q");
    }

    @Test
    void rowsAreNotPushedAgainToAQueueThatWasMadeAfresh() throws Exception {
        rows.count = MESSAGES;
        runPump("pump", "q");
        store = new DirectedStore();

        isRefused(runPump("pump", "q"), "to an earlier queue q");
        assertThat(pushed("q")).isZero();
    }

    private static void hasAnotherProducer(Optional<Throwable> failure, String advised) {
        assertThat(failure)
                .hasValueSatisfying(cause -> assertThat(cause)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("Another producer pushes to it, or did before. " + advised));
    }

    @Test
    void pumpWhoseFirstQueueOthersHaveUsedIsAdvisedAQueueThatItGets() throws Exception {
        push("receipts", 1);
        rows.count = MESSAGES;
        hasAnotherProducer(runPump("pump", "receipts"), "Give the pump a queue of its own, with a new name");
        assertThat(runPump("pump", "receipts-2")).isEmpty();
        assertThat(pushed("receipts-2")).isEqualTo(MESSAGES);
    }

    /** The message of the other producer has the content of a row, or another one, or there are fewer rows. */
    @ParameterizedTest
    @CsvSource({"5, 1", "5, 2", "1, 1"})
    void pumpWhoseQueueOthersUseIsAdvisedToBeginAgainWithANewSink(long count, byte content) throws Exception {
        rows.count = 1;
        assertThat(runPump("pump", "receipts")).isEmpty();
        push("receipts", 1);
        rows.count = count;
        rows.content = content;
        hasAnotherProducer(
                runPump("pump", "receipts"), "Begin again with new names for the sink, the pump and the queue.");
    }

    @Test
    void outboxOfAnOlderVersionWhoseQueueOthersUseIsNotAdvisedAnotherQueue() throws Exception {
        push("receipts", 1);
        rows.count = MESSAGES;
        rows.ofOlderVersion = true;
        hasAnotherProducer(
                runPump("pump", "receipts"), "Begin again with new names for the sink, the pump and the queue.");
    }

    @Test
    void rowsOfAnotherOutboxAreNotTakenForThoseThatAreThere() {
        rows.count = MESSAGES;
        runPump("pump", "q");
        rows.target = Optional.empty();

        isRefused(runPump("pump", "q"), "has pushed 5 rows of another outbox to queue q");
    }

    @ParameterizedTest
    @ValueSource(longs = {MESSAGES - 2, MESSAGES})
    void pumpThatWaitsForRowsEndsWhenItsOutboxIsRestored(long restored) {
        rows.count = MESSAGES;
        CopyEnvironment environment = atRest(() -> {
            rows.count = restored;
            rows.content++;
        });

        isRefused(
                ended(new OutboxPump("pump", rows, queue("q"), PAUSES, "1", PumpListener.none(), environment)),
                "its store was restored from a backup");
    }

    @Test
    void outboxThatWasRestoredFromABackupIsRefused() {
        rows.count = MESSAGES;
        runPump("pump", "q");
        rows.count = 2;

        isRefused(runPump("pump", "q"), "Queue q has 5 rows of the outbox of pump pump, which has had only 2");
    }

    @Test
    void outboxThatHasWrittenOtherRowsSinceItsRestoreIsRefused() {
        rows.count = MESSAGES;
        runPump("pump", "q");
        rows.content = 2;

        isRefused(runPump("pump", "q"), "Queue q has another message at index 4 than row 4 of the outbox of pump pump");
    }

    @Test
    void oldReadDoesNotHideThatAnOutboxHasWrittenOtherRows() {
        rows.count = MESSAGES;
        runPump("pump", "q");
        rows.content = 2;
        boolean[] found = new boolean[1];
        store.showOldAt(register -> {
            boolean last = register.equals("queue/q/cells/4");
            boolean second = last && found[0]; // the first read finds the end of the queue
            found[0] |= last;
            return second;
        });

        CopyEnvironment shorterThanTheNextCheck = untilItHasPaused(10);
        isRefused(
                ended(new OutboxPump(
                        "pump", rows, queue("q"), PAUSES, "1", PumpListener.none(), shorterThanTheNextCheck)),
                "Queue q has another message at index 4 than row 4 of the outbox of pump pump");
    }

    @Test
    void rowsThatWereDeletedBeforeTheyWerePushedEndThePump() throws Exception {
        rows.count = MESSAGES;
        runPump("pump", "q");
        rows.count = MESSAGES + 3;
        rows.first = MESSAGES + 2;

        isRefused(runPump("pump", "q"), "Row 5 is missing in the outbox of sink 's', which has had 8 rows");
        assertThat(pushed("q")).isEqualTo(MESSAGES);
    }

    /** As operators may delete them. */
    @Test
    void rowsThatWereDeletedAfterTheyWerePushedChangeNothing() throws Exception {
        rows.count = MESSAGES;
        runPump("pump", "q");
        rows.first = MESSAGES;

        assertThat(runPump("pump", "q")).isEmpty();
        rows.count++;
        assertThat(runPump("pump", "q")).isEmpty();
        assertThat(pushed("q")).isEqualTo(MESSAGES + 1);
    }

    @Test
    void pumpWhoseSinkNeverBeginsSaysWhichOutboxItWaitsFor() {
        rows.hasSink = false;
        List<String> told = new CopyOnWriteArrayList<>();
        PumpListener listener = new PumpListener() {
            @Override
            public void onStandingBy(String pump, String why) {
                told.add(pump + ": " + why);
            }
        };
        ended(new OutboxPump("pump", rows, queue("q"), PAUSES, "1", listener, untilItHasPaused(10)));
        assertThat(told).as("sinks begin when pumps do").isEmpty();

        ended(new OutboxPump("pump", rows, queue("q"), PAUSES, "1", listener, untilItHasPaused(100)));
        assertThat(told)
                .isNotEmpty()
                .allSatisfy(why -> assertThat(why)
                        .startsWith(
                                "pump: no sink has begun to write the outbox of sink 's': start a copy of that sink"));
    }

    /** Which queue an older version has pumped an outbox to. */
    enum Older {
        THIS_QUEUE(MESSAGES, true),
        NOTHING_YET(0, true),
        PERHAPS_ANOTHER(MESSAGES, false);

        final long rows;
        final boolean goesOn;

        Older(long rows, boolean goesOn) {
            this.rows = rows;
            this.goesOn = goesOn;
        }
    }

    @ParameterizedTest
    @EnumSource
    void outboxOfAnOlderVersionGoesOnOnlyWithTheQueueThatHasItsRows(Older older) throws Exception {
        rows.count = older.rows;
        rows.ofOlderVersion = true;
        if (older == Older.THIS_QUEUE) {
            queue("q").pushAsSoleProducer(Message.of(MessageId.of("pump", 0), new byte[] {1}));
        }
        Optional<Throwable> failure = runPump("pump", "q");
        if (older.goesOn) {
            assertThat(failure).isEmpty();
            assertThat(pushed("q")).isEqualTo(older.rows);
        } else {
            isRefused(failure, "rows of an older version");
            assertThat(pushed("q")).isZero();
        }
    }

    // Accounts

    @Test
    void effectOfAnotherHandlerOfThatNameIsNotTakenForTheOwn() throws Exception {
        RegisterSink accounts = new RegisterSink(
                "accounts",
                new Registers(store, WriteIds.ofNewProcess(), length -> {}, PAUSES),
                (content, request) -> new EffectFunction.Change(request, Bytes.of(Codec.utf8(), "ok")));
        accounts.apply("a", "h", "first-birth", 0, Bytes.of(Codec.utf8(), "10"));

        assertThat(catchThrowable(() -> accounts.apply("a", "h", "second-birth", 0, Bytes.of(Codec.utf8(), "20"))))
                .isInstanceOf(MismatchedStoresException.class)
                .hasMessageContaining("Register a of sink accounts has effects of another handler h");
        assertThat(accounts.readContent("a")).contains(Bytes.of(Codec.utf8(), "10"));
    }

    @Test
    void pumpedMessagesAreThoseOfTheRows() throws Exception {
        rows.count = MESSAGES;
        runPump("pump", "q");
        assertThat(((Cell.Full) queue("q").read(4)).message().id()).isEqualTo(MessageId.of("pump", 4));
    }
}
