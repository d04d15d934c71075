package io.github.cassandralock.exactlyonce.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer.Applied;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer.Refused;
import io.github.cassandralock.exactlyonce.register.RegisterLimits;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.register.WriteId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store of registers keeps to. */
@Timeout(180)
public abstract class RegisterStoreContract {

    private static final int WRITERS = 6;
    private static final int WRITES_EACH = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final UUID process = UUID.randomUUID();
    private final AtomicLong counter = new AtomicLong();

    /** No test uses a name that another test, or an earlier run, has used. */
    private String name = "";

    @BeforeEach
    void chooseName() {
        name = "contract " + UUID.randomUUID();
    }

    protected abstract RegisterStore store();

    /** Another store over the same registers, whose requests are waited for at most some seconds. */
    protected abstract LostAnswers lostAnswers() throws Exception;

    private WriteId write() {
        return new WriteId(process, counter.incrementAndGet());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private WriteId applied(long expected, String value) throws InterruptedException {
        WriteId write = write();
        assertThat(store().compareAndSet(name, expected, bytes(value), write)).isInstanceOf(Applied.class);
        return write;
    }

    private static Refused refused(StoredValue present) {
        return new Refused(present);
    }

    @Test
    void registerThatNobodyHasWrittenHasVersionZero() throws InterruptedException {
        assertThat(store().read(name)).isEqualTo(StoredValue.neverWritten());
    }

    @Test
    void eachWriteMakesTheNextVersionAndKeepsItsIdAndValue() throws InterruptedException {
        for (int expected = 0; expected < 4; expected++) {
            WriteId write = applied(expected, "value " + expected);

            assertThat(store().read(name)).isEqualTo(StoredValue.of(expected + 1, write, bytes("value " + expected)));
        }
    }

    @Test
    void refusalShowsThePresentVersionWithItsIdAndValue() throws InterruptedException {
        applied(0, "first");
        WriteId second = applied(1, "second");
        StoredValue present = StoredValue.of(2, second, bytes("second"));

        for (long expected : new long[] {0, 1, 3, Long.MAX_VALUE - 1}) {
            assertThat(store().compareAndSet(name, expected, bytes("other"), write()))
                    .as("expected version %d", expected)
                    .isEqualTo(refused(present));
        }
        assertThat(store().read(name)).isEqualTo(present);
    }

    @Test
    void registerThatNobodyHasWrittenRefusesLaterVersions() throws InterruptedException {
        assertThat(store().compareAndSet(name, 3, bytes("x"), write())).isEqualTo(refused(StoredValue.neverWritten()));
        assertThat(store().read(name)).isEqualTo(StoredValue.neverWritten());
    }

    @Test
    void sameRequestSentAgainIsRefusedWithItsOwnId() throws InterruptedException {
        WriteId first = applied(0, "one");
        assertThat(store().compareAndSet(name, 0, bytes("one"), first))
                .isEqualTo(refused(StoredValue.of(1, first, bytes("one"))));

        WriteId second = applied(1, "two");
        assertThat(store().compareAndSet(name, 1, bytes("two"), second))
                .isEqualTo(refused(StoredValue.of(2, second, bytes("two"))));
    }

    @Test
    void sameIdAndValueAreWrittenAgainAtAnotherVersion() throws InterruptedException {
        WriteId write = applied(0, "same");

        assertThat(store().compareAndSet(name, 1, bytes("same"), write)).isInstanceOf(Applied.class);
        assertThat(store().read(name)).isEqualTo(StoredValue.of(2, write, bytes("same")));
    }

    @Test
    void extremeIdsAreKept() throws InterruptedException {
        WriteId lowest = new WriteId(new UUID(0, 0), Long.MIN_VALUE);
        WriteId highest = new WriteId(new UUID(-1, -1), Long.MAX_VALUE);
        store().compareAndSet(name, 0, bytes("x"), lowest);
        assertThat(store().read(name).isWrittenBy(lowest)).isTrue();
        store().compareAndSet(name, 1, bytes("x"), highest);
        assertThat(store().read(name).isWrittenBy(highest)).isTrue();
    }

    @Test
    void emptyValueIsAValue() throws InterruptedException {
        WriteId first = applied(0, "");
        assertThat(store().read(name)).isEqualTo(StoredValue.of(1, first, new byte[0]));
        assertThat(store().compareAndSet(name, 0, bytes("x"), write()))
                .isEqualTo(refused(StoredValue.of(1, first, new byte[0])));

        WriteId second = applied(1, "");
        assertThat(store().compareAndSet(name, 1, bytes("x"), write()))
                .isEqualTo(refused(StoredValue.of(2, second, new byte[0])));
    }

    @Test
    void everyByteIsKept() throws InterruptedException {
        byte[] all = new byte[256];
        IntStream.range(0, all.length).forEach(i -> all[i] = (byte) i);
        WriteId write = write();
        store().compareAndSet(name, 0, all, write);
        assertThat(store().read(name)).isEqualTo(StoredValue.of(1, write, all));
    }

    @Test
    void largestValueIsKept() throws InterruptedException {
        byte[] large = new byte[RegisterLimits.MAX_VALUE_BYTES];
        new Random(4711).nextBytes(large);
        WriteId first = write();
        WriteId second = write();

        settled(store(), 0, large, first);
        settled(store(), 1, large, second);

        assertThat(store().read(name)).isEqualTo(StoredValue.of(2, second, large));
        assertThat(store().compareAndSet(name, 1, bytes("x"), write()))
                .isEqualTo(refused(StoredValue.of(2, second, large)));
    }

    @Test
    void valueThatIsTooLargeIsRefusedAtOnce() throws InterruptedException {
        byte[] tooLarge = new byte[RegisterLimits.MAX_VALUE_BYTES + 1];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store().compareAndSet(name, 0, tooLarge, write()))
                .withMessageContaining(name)
                .withMessageContaining("bytes");
        assertThat(store().read(name)).isEqualTo(StoredValue.neverWritten());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
    void versionThatCannotBeIsRefusedAtOnce(long expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store().compareAndSet(name, expected, bytes("x"), write()))
                .withMessageContaining(name);
    }

    @Test
    void badNamesAreRefusedAtOnce() {
        for (String bad :
                List.of("", "x".repeat(RegisterLimits.MAX_NAME_LENGTH + 1), "a\0b", "line\n", "\ud800", "\udc00x")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store().read(bad))
                    .withMessageContaining("name of a register");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> store().compareAndSet(bad, 0, bytes("x"), write()))
                    .withMessageContaining("name of a register");
        }
    }

    @Test
    void namesThatLookAlikeAreDifferentRegisters() throws InterruptedException {
        List<String> names = List.of(
                name,
                name + " ",
                name.toUpperCase(Locale.ROOT),
                name + "\u00e9",
                name + "e\u0301",
                name + "{a}",
                name + "{b}",
                name + "%",
                name + "'",
                name + "\ud83d\ude00",
                "\u20ac".repeat(RegisterLimits.MAX_NAME_LENGTH - name.length()) + name);
        for (String each : names) {
            assertThat(store().compareAndSet(each, 0, bytes(each), write()))
                    .as(each)
                    .isInstanceOf(Applied.class);
        }
        for (String each : names) {
            assertThat(store().read(each).getValue()).as(each).isEqualTo(bytes(each));
        }
    }

    @Test
    void eachVersionHasOneWinnerAndNoValueIsLost() throws Exception {
        List<Callable<List<WriteId>>> writers = IntStream.range(0, WRITERS)
                .mapToObj(writer -> (Callable<List<WriteId>>) this::appendOwnIds)
                .toList();

        List<WriteId> wonByAnybody = new ArrayList<>();
        for (List<WriteId> won : atTheSameTime(writers)) {
            wonByAnybody.addAll(won);
        }

        StoredValue last = store().read(name);
        assertThat(last.getVersion()).isEqualTo(WRITERS * WRITES_EACH);
        assertThat(ids(last)).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(wonByAnybody);
    }

    /** Each value is the one before with the id of its write behind. Returns the ids of the writes that were applied. */
    private List<WriteId> appendOwnIds() throws InterruptedException {
        List<WriteId> won = new ArrayList<>();
        StoredValue present = store().read(name);
        while (won.size() < WRITES_EACH) {
            WriteId write = write();
            StoredValue after = settled(store(), present.getVersion(), appended(present, write), write);
            if (after.getVersion() == present.getVersion() + 1 && after.isWrittenBy(write)) {
                won.add(write);
            } else {
                assertThat(after.getVersion()).isGreaterThan(present.getVersion());
                assertThat(ids(after).subList(0, ids(present).size())).isEqualTo(ids(present));
                // A write of an unknown outcome may have been applied and followed by another one.
                if (ids(after).contains(write)) {
                    won.add(write);
                }
            }
            present = after;
        }
        return won;
    }

    private static byte[] appended(StoredValue present, WriteId write) {
        byte[] before = present.getValue();
        return ByteBuffer.allocate(before.length + Long.BYTES)
                .put(before)
                .putLong(write.counter())
                .array();
    }

    private List<WriteId> ids(StoredValue value) {
        ByteBuffer bytes = ByteBuffer.wrap(value.getValue());
        List<WriteId> ids = new ArrayList<>();
        while (bytes.hasRemaining()) {
            ids.add(new WriteId(process, bytes.getLong()));
        }
        return ids;
    }

    @Test
    void exactlyOneOfManyCreatesARegister() throws Exception {
        List<WriteId> writes =
                IntStream.range(0, WRITERS).mapToObj(i -> write()).toList();

        List<StoredValue> seen = atTheSameTime(writes.stream()
                .map(write -> (Callable<StoredValue>) () -> settled(store(), 0, bytes(write.toString()), write))
                .toList());

        assertThat(new HashSet<>(seen)).as("what all writers have seen").hasSize(1);
        assertThat(writes).filteredOn(seen.get(0)::isWrittenBy).hasSize(1);
    }

    private static <T> List<T> atTheSameTime(List<Callable<T>> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(tasks)) {
                results.add(result.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Sends the same request until its outcome is known, and returns the register after that. */
    private StoredValue settled(RegisterStore store, long expected, byte[] value, WriteId write)
            throws InterruptedException {
        long startedAt = System.nanoTime();
        while (true) {
            try {
                CompareAndSetAnswer answer = store.compareAndSet(name, expected, value, write);
                return answer instanceof Refused refused
                        ? refused.present()
                        : StoredValue.of(expected + 1, write, value);
            } catch (UnknownOutcomeException | RegisterUnavailableException e) {
                if (System.nanoTime() - startedAt > PATIENCE.toNanos()) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(20); // the store needs some time to be back
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void writeWhoseAnswerIsLostIsUnknownAndAppliedOnce(LostAnswers.Way way) throws Exception {
        WriteId first = applied(0, "first");
        WriteId lost = write();
        try (LostAnswers answers = lostAnswers()) {
            assertThat(answers.store().read(name)).isEqualTo(StoredValue.of(1, first, bytes("first")));
            answers.begin(way);

            assertThatThrownBy(() -> answers.store().compareAndSet(name, 1, bytes("lost"), lost))
                    .isInstanceOf(UnknownOutcomeException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("Send the same request again");

            answers.awaitLoss();
            answers.end();
            assertThat(settled(answers.store(), 1, bytes("lost"), lost))
                    .isEqualTo(StoredValue.of(2, lost, bytes("lost")));
        }
        assertThat(store().read(name)).isEqualTo(StoredValue.of(2, lost, bytes("lost")));
    }

    @ParameterizedTest
    @EnumSource
    void creationWhoseAnswerIsLostIsUnknownAndAppliedOnce(LostAnswers.Way way) throws Exception {
        WriteId lost = write();
        try (LostAnswers answers = lostAnswers()) {
            assertThat(answers.store().read(name)).isEqualTo(StoredValue.neverWritten());
            answers.begin(way);
            assertThatThrownBy(() -> answers.store().compareAndSet(name, 0, bytes("lost"), lost))
                    .isInstanceOf(UnknownOutcomeException.class);
            answers.awaitLoss();
            answers.end();

            assertThat(settled(answers.store(), 0, bytes("lost"), lost))
                    .isEqualTo(StoredValue.of(1, lost, bytes("lost")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void readWhoseAnswerIsLostIsUnavailable(LostAnswers.Way way) throws Exception {
        try (LostAnswers answers = lostAnswers()) {
            answers.store().read(name);
            answers.begin(way);
            assertThatThrownBy(() -> answers.store().read(name))
                    .isInstanceOf(RegisterUnavailableException.class)
                    .hasMessageContaining(name);
        }
    }

    @Test
    void interruptedThreadSendsNothing() throws InterruptedException {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> store().compareAndSet(name, 0, bytes("x"), write()))
                .isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> store().read(name)).isInstanceOf(InterruptedException.class);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(store().read(name)).isEqualTo(StoredValue.neverWritten());
    }

    @Test
    void threadThatIsInterruptedWhileItWaitsForAnAnswerReturns() throws Exception {
        WriteId write = write();
        try (LostAnswers answers = lostAnswers()) {
            answers.store().read(name);
            answers.begin(LostAnswers.Way.SILENCE);
            FutureTask<Throwable> call = new FutureTask<>(() -> {
                try {
                    answers.store().compareAndSet(name, 0, bytes("x"), write);
                    return new AssertionError("An answer has come");
                } catch (UnknownOutcomeException | InterruptedException e) {
                    return e;
                }
            });
            Thread caller = new Thread(call, "caller");
            caller.start();
            answers.awaitLoss();

            caller.interrupt();

            assertThat(call.get(30, TimeUnit.SECONDS))
                    .isInstanceOfAny(InterruptedException.class, UnknownOutcomeException.class);
        }
        assertThat(store().read(name)).isEqualTo(StoredValue.of(1, write, bytes("x")));
    }
}
