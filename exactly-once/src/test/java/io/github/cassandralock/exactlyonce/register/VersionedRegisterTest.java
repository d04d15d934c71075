package io.github.cassandralock.exactlyonce.register;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Applied;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Overtaken;
import io.github.cassandralock.exactlyonce.register.CompareAndSetOutcome.Refused;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class VersionedRegisterTest {

    private static final byte[] VALUE = {7};
    private static final WriteId ANOTHERS = new WriteId(new UUID(9, 9), 1);

    /** Answers as it was told to, one after the other. */
    private static final class ScriptedStore implements RegisterStore {

        private interface Answer {
            CompareAndSetAnswer to(long expected, byte[] value, WriteId writeId) throws InterruptedException;
        }

        private final Deque<Answer> answers = new ArrayDeque<>();
        private final List<WriteId> sent = new ArrayList<>();

        ScriptedStore then(Answer answer) {
            answers.add(answer);
            return this;
        }

        ScriptedStore thenUnknown() {
            return then((expected, value, writeId) -> {
                throw new UnknownOutcomeException("no answer", new IllegalStateException("network"));
            });
        }

        ScriptedStore thenUnavailable() {
            return then((expected, value, writeId) -> {
                throw new RegisterUnavailableException("no answer", new IllegalStateException("network"));
            });
        }

        ScriptedStore thenRefusedForGood() {
            return then((expected, value, writeId) -> {
                throw new RegisterRefusedException("no permission", new IllegalStateException("network"));
            });
        }

        ScriptedStore thenInterrupted() {
            return then((expected, value, writeId) -> {
                throw new InterruptedException();
            });
        }

        ScriptedStore thenRefused(long version, WriteId by) {
            return then((expected, value, writeId) -> new CompareAndSetAnswer.Refused(
                    version == 0 ? StoredValue.neverWritten() : StoredValue.of(version, by, VALUE)));
        }

        ScriptedStore thenShowsOwn(long version) {
            return then((expected, value, writeId) ->
                    new CompareAndSetAnswer.Refused(StoredValue.of(version, writeId, value)));
        }

        ScriptedStore thenApplied() {
            return then((expected, value, writeId) -> new CompareAndSetAnswer.Applied());
        }

        @Override
        public StoredValue read(String name) {
            return StoredValue.neverWritten();
        }

        @Override
        public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
                throws InterruptedException {
            sent.add(writeId);
            return answers.remove().to(expected, value, writeId);
        }
    }

    private final ScriptedStore store = new ScriptedStore();
    private final List<Duration> pauses = new ArrayList<>();

    private VersionedRegister register(Pauser pauser) {
        return new Registers(
                        store,
                        WriteIds.ofNewProcess(),
                        pauser,
                        new GrowingPauses(Duration.ofMillis(10), Duration.ofMillis(35)))
                .named("r");
    }

    private CompareAndSetOutcome write(long expected) throws InterruptedException {
        return register(pauses::add).compareAndSet(expected, VALUE);
    }

    @Test
    void writeWithoutAnAnswerIsSentAgainWithTheSameId() throws Exception {
        store.thenUnknown().thenUnavailable().thenApplied();
        assertThat(write(0)).isInstanceOf(Applied.class);
        assertThat(store.sent).hasSize(3);
        assertThat(store.sent.stream().distinct()).hasSize(1);
    }

    @Test
    void presentVersionIsThatOfARefusalWhichNoVersionCouldPrevent() throws Exception {
        WriteId other = WriteIds.ofNewProcess().next();
        store.thenUnknown().thenUnavailable().thenRefused(7, other);
        assertThat(register(pauses::add).readPresent()).isEqualTo(StoredValue.of(7, other, VALUE));
        store.thenRefused(0, other);
        assertThat(register(pauses::add).readPresent().getVersion()).isZero();
        store.thenRefusedForGood();
        assertThatThrownBy(() -> register(pauses::add).readPresent()).isInstanceOf(RegisterRefusedException.class);
    }

    @Test
    void pausesGrowUpToTheLongest() throws Exception {
        store.thenUnknown().thenUnknown().thenUnknown().thenUnknown().thenApplied();
        write(0);
        assertThat(pauses)
                .containsExactly(
                        Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMillis(35), Duration.ofMillis(35));
    }

    @Test
    void refusalThatShowsTheOwnWriteMeansApplied() throws Exception {
        store.thenUnknown().thenShowsOwn(1);
        assertThat(write(0)).isInstanceOf(Applied.class);
    }

    @Test
    void anothersWriteAtTheNextVersionIsARefusalEvenIfAnAnswerWasLost() throws Exception {
        store.thenUnknown().thenRefused(1, ANOTHERS);
        assertThat(write(0)).isEqualTo(new Refused(StoredValue.of(1, ANOTHERS, VALUE)));
    }

    @Test
    void refusalThatShowsTheExpectedVersionLeavesTheWriteOpen() throws Exception {
        store.thenRefused(0, ANOTHERS).thenApplied();
        assertThat(write(0)).isInstanceOf(Applied.class);
        assertThat(store.sent).hasSize(2);
    }

    @Test
    void laterVersionAfterALostAnswerIsOvertaken() throws Exception {
        store.thenUnknown().thenRefused(3, ANOTHERS);
        assertThat(write(1)).isEqualTo(new Overtaken(StoredValue.of(3, ANOTHERS, VALUE)));
    }

    @Test
    void laterVersionWithoutALostAnswerIsRefused() throws Exception {
        store.thenUnavailable().thenRefused(3, ANOTHERS);
        assertThat(write(1)).isInstanceOf(Refused.class);
    }

    @Test
    void permanentRefusalIsNotRetried() {
        store.thenRefusedForGood();
        assertThatThrownBy(() -> write(0)).isInstanceOf(RegisterRefusedException.class);
        assertThat(store.sent).hasSize(1);
    }

    @Test
    void permanentRefusalAfterALostAnswerSaysThatTheOutcomeIsUnknown() {
        store.thenUnknown().thenRefusedForGood();
        assertThatThrownBy(() -> write(0))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasMessageContaining("register r")
                .hasMessageContaining("may be applied later");
    }

    @Test
    void interruptedWriteSaysThatItMayBeAppliedLater() {
        store.thenInterrupted();
        assertThatThrownBy(() -> write(0))
                .isInstanceOf(InterruptedWriteException.class)
                .hasMessageContaining("may be applied later");
    }

    @Test
    void interruptInThePauseAfterALostAnswerSaysThatTheOutcomeIsUnknown() {
        store.thenUnknown();
        assertThatThrownBy(() -> register(length -> {
                            throw new InterruptedException();
                        })
                        .compareAndSet(0, VALUE))
                .isInstanceOf(InterruptedWriteException.class);
    }

    @Test
    void interruptInThePauseAfterACertainFailureIsAPlainOne() {
        store.thenUnavailable();
        assertThatThrownBy(() -> register(length -> {
                            throw new InterruptedException();
                        })
                        .compareAndSet(0, VALUE))
                .isInstanceOf(InterruptedException.class)
                .isNotInstanceOf(InterruptedWriteException.class);
    }

    @Test
    void versionBelowOneThatWasReadShowsAStoreThatForgets() {
        store.thenRefused(2, ANOTHERS);
        assertThatThrownBy(() -> write(5))
                .isInstanceOf(ForgottenWriteException.class)
                .hasMessageContaining("version 2")
                .hasMessageContaining("version 5");
    }

    @Test
    void namesThatNoStoreTakesAreRefusedAtOnce() {
        Registers registers = Registers.of(store);
        assertThatIllegalArgumentException().isThrownBy(() -> registers.named(""));
        assertThatIllegalArgumentException().isThrownBy(() -> registers.named("n".repeat(513)));
    }
}
