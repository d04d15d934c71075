package io.github.cassandralock.exactlyonce.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.Undeclared;
import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.ConsumerRemovedException;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.queue.SequenceCheck;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.register.WriteIds;
import io.github.cassandralock.exactlyonce.simulation.DirectedStore;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SinkCopyTest {

    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofNanos(1), Duration.ofNanos(1));

    private final DirectedStore store = new DirectedStore();
    private final Registers registers = new Registers(
            store, WriteIds.ofNewProcess(), length -> {}, new GrowingPauses(Duration.ofNanos(1), Duration.ofNanos(1)));
    private final MessageQueue queue = new MessageQueue("q", new Layout.Ring(4), registers);
    private final List<SequenceViolation> violations = new ArrayList<>();
    private final List<Integer> failures = new ArrayList<>();
    private final List<String> pumped = new ArrayList<>();
    private final PumpListener pumpListener = new PumpListener() {
        @Override
        public void onPushed(String pump, long row) {
            pumped.add("pushed " + row);
        }

        @Override
        public void onIdle(String pump) {
            pumped.add("idle");
        }

        @Override
        public void onOutboxFailed(String pump, int attempt, RuntimeException cause) {
            pumped.add("failed " + attempt);
            throw new IllegalStateException("of the listener, which changes nothing");
        }

        @Override
        public void onRingFull(String pump, String queue, List<String> slowestConsumers) {
            pumped.add("full " + queue + slowestConsumers);
        }

        @Override
        public void onRingFreed(String pump, String queue) {
            pumped.add("freed " + queue);
        }

        @Override
        public void onFailed(String pump, Throwable cause) {
            pumped.add("ended " + cause.getMessage());
        }
    };

    /** A table of one row, and what the effects were. */
    private static class Table implements TransactionalSink {

        final List<MessageId> effects = new ArrayList<>();
        Optional<SinkOrigin> origin = Optional.empty();
        Optional<SinkPosition> position = Optional.empty();

        @Override
        public Optional<SinkOrigin> readOrigin() {
            return origin;
        }

        @Override
        public void begin(SinkOrigin first, SinkPosition start) {
            if (!origin.map(SinkOrigin::isKnown).orElse(false)) {
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
            if (position.orElseThrow().index() != from.index()) {
                return false;
            }
            position = Optional.of(to);
            effects.add(message.id());
            return true;
        }
    }

    /** Runs a copy until it has paused that often, or has failed. */
    private Optional<Throwable> run(TransactionalSink sink, int pauses) {
        AtomicInteger left = new AtomicInteger(pauses);
        return run(sink, PAUSES, length -> {
            if (left.decrementAndGet() < 0) {
                throw new InterruptedException();
            }
        });
    }

    /** Runs a copy until the pauser interrupts it, or it fails. */
    private Optional<Throwable> run(TransactionalSink sink, GrowingPauses pauses, Pauser pauser) {
        CopyEnvironment environment = new CopyEnvironment(() -> 0, pauser, Thread::new);
        SinkListener listener = new SinkListener() {
            @Override
            public void onSequenceViolated(String name, SequenceViolation violation) {
                violations.add(violation);
            }

            @Override
            public void onTransactionFailed(String name, int attempt, RuntimeException cause) {
                failures.add(attempt);
            }
        };
        SinkCopy copy = new SinkCopy("s", queue, sink, pauses, "1", listener, environment);
        copy.start();
        while (copy.isRunning()) {
            Thread.onSpinWait();
        }
        return copy.getFailure();
    }

    private void push(String producer, long sequence) throws InterruptedException {
        NumberedPush.push(queue, Message.of(MessageId.of(producer, sequence), new byte[] {1}));
    }

    @Test
    void messagesTakeEffectInOrderAndTheRingIsFreed() throws Exception {
        queue.addConsumer("s");
        Table table = new Table();
        for (int i = 0; i < 12; i++) {
            push("p", i);
            run(table, 1);
        }
        assertThat(table.effects).hasSize(12).doesNotHaveDuplicates();
        assertThat(queue.readLowWater().index()).isEqualTo(12);
    }

    @Test
    void missingMessageIsReported() throws Exception {
        push("p", 0);
        push("p", 2);
        run(new Table(), 0);
        assertThat(violations)
                .singleElement()
                .satisfies(found -> assertThat(found.expected()).isEqualTo(1));
    }

    @Test
    void transactionThatMayHaveBeenCommittedIsNotRepeatedBlindly() throws Exception {
        push("p", 0);
        Table table = new Table() {
            private boolean answered;

            @Override
            public boolean take(SinkPosition from, Message message, SinkPosition to) {
                boolean committed = super.take(from, message, to);
                if (!answered) {
                    answered = true;
                    throw new UnknownOutcomeException("no answer to the commit", new IllegalStateException());
                }
                return committed;
            }
        };
        run(table, 2);
        assertThat(table.effects).hasSize(1);
        assertThat(failures).containsExactly(1);
    }

    @Test
    void positionIsReadOnceForAllMessagesThatAreThere() throws Exception {
        AtomicInteger positions = new AtomicInteger();
        Table table = new Table() {
            @Override
            public SinkPosition readPosition() {
                positions.incrementAndGet();
                return super.readPosition();
            }
        };
        for (int i = 0; i < 4; i++) {
            push("p", i);
        }
        run(table, 0);
        assertThat(table.effects).hasSize(4);
        assertThat(positions).hasValue(1);
    }

    @Test
    void copyReadsItsPositionAgainWhenAnotherHasTakenTheMessage() throws Exception {
        for (int i = 0; i < 3; i++) {
            push("p", i);
        }
        Table table = new Table() {
            @Override
            public boolean take(SinkPosition from, Message message, SinkPosition to) {
                if (from.index() == 1) {
                    super.take(from, message, to); // another copy
                }
                return super.take(from, message, to);
            }
        };
        run(table, 0);
        assertThat(table.effects).containsExactly(MessageId.of("p", 0), MessageId.of("p", 1), MessageId.of("p", 2));
    }

    @Test
    void attemptsAreCountedAtEachIndexAndIdlePausesAreNone() throws Exception {
        Table table = new Table() {
            private int calls;

            @Override
            public boolean take(SinkPosition from, Message message, SinkPosition to) {
                if (++calls % 3 != 0) {
                    throw new RegisterUnavailableException("rolled back", new IllegalStateException());
                }
                return super.take(from, message, to);
            }
        };
        AtomicInteger count = new AtomicInteger();
        run(table, PAUSES, length -> {
            switch (count.incrementAndGet()) {
                case 5 -> {
                    push("p", 0);
                    push("p", 1);
                }
                case 20 -> throw new InterruptedException();
                default -> {}
            }
        });
        assertThat(table.effects).hasSize(2);
        assertThat(failures).containsExactly(1, 2, 1, 2);
    }

    @Test
    void pausesBeginAgainWhenAnotherCopyHasTakenSomething() throws Exception {
        Table table = new Table();
        List<Long> lengths = new ArrayList<>();
        run(table, new GrowingPauses(Duration.ofMillis(1), Duration.ofSeconds(1)), length -> {
            lengths.add(length.toMillis());
            if (lengths.size() == 4) {
                push("p", 0);
                table.position =
                        Optional.of(new SinkPosition(1, SequenceCheck.none().after(0, MessageId.of("p", 0), 256)));
            }
            if (lengths.size() == 6) {
                throw new InterruptedException();
            }
        });
        assertThat(lengths).containsExactly(1L, 2L, 4L, 8L, 1L, 2L);
    }

    @Test
    void permanentRefusalEndsTheCopy() throws Exception {
        push("p", 0);
        Table table = new Table() {
            @Override
            public boolean take(SinkPosition from, Message message, SinkPosition to) {
                throw new RegisterRefusedException("no such table", new IllegalStateException());
            }
        };
        assertThat(run(table, 5)).containsInstanceOf(RegisterRefusedException.class);
    }

    @Test
    void positionThatWasRestoredFromABackupIsToldOf() throws Exception {
        queue.addConsumer("s");
        Table table = new Table();
        for (int i = 0; i < 9; i++) {
            push("p", i);
            run(table, 1);
        }
        Table restored = new Table();
        restored.origin = table.origin;
        restored.position = Optional.of(new SinkPosition(0, SequenceCheck.none()));
        assertThat(run(restored, 1_000))
                .hasValueSatisfying(cause -> assertThat(cause)
                        .isInstanceOf(MismatchedStoresException.class)
                        .hasMessageContaining("restored from a backup"));
        assertThat(restored.effects).isEmpty();
    }

    @Test
    void copiesOfASinkThatWasRemovedEndAtOnceAndSayWhy() throws Exception {
        Table table = new Table();
        push("p", 0);
        run(table, 1);
        queue.removeConsumer("s");
        push("p", 1);
        assertThat(run(table, 1_000))
                .hasValueSatisfying(cause -> assertThat(cause)
                        .isInstanceOf(ConsumerRemovedException.class)
                        .hasMessageContaining("Consumer s was removed from queue q"));
        assertThat(table.effects).hasSize(1);
    }

    @Test
    void pumpMakesRowsMessagesAtTheirNumbersAndReadsNoRowBeforeTheLastOne() throws Exception {
        queue.addConsumer("c");
        List<List<byte[]>> rows = new ArrayList<>();
        List<Long> asked = new ArrayList<>();
        Outbox outbox = new Rows(number -> {
            asked.add(number);
            return number < rows.size() ? Optional.of(rows.get((int) number)) : Optional.empty();
        });
        for (int i = 0; i < 6; i++) {
            rows.add(List.of(Codec.utf8().encode("row" + i)));
            runPump(outbox);
            assertThat(((Cell.Full) queue.read(i)).message().id()).isEqualTo(MessageId.of("pump", i));
            queue.raiseMark("c", i + 1);
        }
        asked.clear();
        runPump(outbox);
        assertThat(asked).containsOnly(5L, 6L);
    }

    @Test
    void pumpThatSharesItsQueueFails() throws Exception {
        push("somebody", 0);
        queue.addConsumer("c");
        Outbox outbox = new Rows(number -> Optional.of(List.of(new byte[0])));
        queue.raiseMark("c", 0);
        assertThat(runPump(outbox))
                .hasValueSatisfying(cause -> assertThat(cause).hasMessageContaining("queue of its own"));
        assertThat(queue.read(1)).isInstanceOf(Cell.Absent.class);
    }

    private interface RowReader {
        Optional<List<byte[]>> row(long number) throws InterruptedException;
    }

    /** An outbox, with the row of its sink. */
    private static final class Rows implements Outbox {

        private final RowReader reader;
        long count = 1_000;
        boolean ofOlderVersion;
        Optional<OutboxTarget> target = Optional.empty();

        Rows(RowReader reader) {
            this.reader = reader;
        }

        @Override
        public Optional<List<byte[]>> readRow(long number) throws InterruptedException {
            return reader.row(number);
        }

        @Override
        public Optional<OutboxOrigin> readOrigin() {
            return Optional.of(new OutboxOrigin(count, target, ofOlderVersion));
        }

        @Override
        public void sendTo(OutboxTarget first) {
            target = target.or(() -> Optional.of(first));
        }
    }

    private Optional<Throwable> runPump(Outbox outbox) {
        return runPump(outbox, 0, left -> {});
    }

    /** Runs a pump until it has paused that often; before each pause, something happens. */
    private Optional<Throwable> runPump(Outbox outbox, int pauses, PauseListener before) {
        AtomicInteger left = new AtomicInteger(pauses);
        OutboxPump pump = new OutboxPump(
                "pump",
                outbox,
                queue,
                PAUSES,
                "1",
                pumpListener,
                new CopyEnvironment(
                        () -> 0,
                        length -> {
                            if (left.decrementAndGet() < 0) {
                                throw new InterruptedException();
                            }
                            before.paused(left.get());
                        },
                        Thread::new));
        pump.start();
        while (pump.isRunning()) {
            Thread.onSpinWait();
        }
        return pump.getFailure();
    }

    private interface PauseListener {
        void paused(int left) throws InterruptedException;
    }

    @Test
    void pumpTellsWhatItDoesAndWaitsFor() throws Exception {
        queue.addConsumer("c");
        AtomicInteger asked = new AtomicInteger();
        Outbox outbox = new Rows(number -> {
            if (asked.incrementAndGet() <= 2) {
                throw new RegisterUnavailableException("no connection", new IllegalStateException());
            }
            return number < 5 ? Optional.of(List.of(new byte[] {1})) : Optional.empty();
        });
        runPump(outbox, 3, left -> {
            if (left == 0) {
                queue.raiseMark("c", 4);
            }
        });
        assertThat(pumped)
                .startsWith(
                        "failed 1",
                        "failed 2",
                        "pushed 0",
                        "pushed 1",
                        "pushed 2",
                        "pushed 3",
                        "full q[c]",
                        "freed q",
                        "pushed 4",
                        "idle");
    }

    @Test
    void pumpWhoseOutboxIsRefusedForGoodTellsThatItEnds() {
        runPump(new Rows(number -> {
            throw new RegisterRefusedException("no such table", new IllegalStateException());
        }));
        assertThat(pumped).containsExactly("ended no such table");
    }

    @Test
    void checkedExceptionThatNoSignatureDeclaresIsAFailureOfTheFunction() {
        RegisterSink sink = new RegisterSink("accounts", registers, (content, request) -> {
            throw Undeclared.thrown(new IOException("no such file"));
        });
        assertThatThrownBy(() -> sink.apply("a", "h", "birth", 0, Bytes.none()))
                .isInstanceOf(EffectFailedException.class)
                .hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void effectOfAnOldSequenceIsNotMadeAgain() throws Exception {
        RegisterSink sink = new RegisterSink(
                "accounts",
                registers,
                (content, request) -> new EffectFunction.Change(request, Bytes.of(Codec.utf8(), "ok")));
        assertThat(sink.apply("a", "h", "birth", 0, Bytes.of(Codec.utf8(), "first")))
                .contains(Bytes.of(Codec.utf8(), "ok"));
        assertThat(sink.apply("a", "h", "birth", 1, Bytes.of(Codec.utf8(), "second")))
                .isPresent();
        assertThat(sink.apply("a", "h", "birth", 0, Bytes.of(Codec.utf8(), "first")))
                .as("behind")
                .isEmpty();
        assertThat(sink.apply("a", "other", "birth", 0, Bytes.of(Codec.utf8(), "third")))
                .isPresent();
        assertThat(sink.readContent("a")).contains(Bytes.of(Codec.utf8(), "third"));
        assertThat(sink.create("a", Bytes.none())).as("it is there").isFalse();
    }
}
