package io.github.cassandralock.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.simulation.SimulatedProcess;
import io.github.cassandralock.simulation.SimulatedTime;
import io.github.cassandralock.spi.CasOutcome;
import io.github.cassandralock.spi.SessionRow;
import io.github.cassandralock.spi.SessionStore;
import io.github.cassandralock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a session makes of each answer to a renewal. Lease 9 s: renewal every 3 s, valid for 8.1 s with a drift of 10 %. */
class OwnSessionTest {

    private static final CasOutcome UNKNOWN = new CasOutcome.Unknown(new TimeoutException("no answer"));

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final Script script = new Script();
    private final OwnSession session = open(script, process);

    private OwnSession open(SessionStore store, Ticker ticker) {
        SessionTerms terms = new SessionTerms(Duration.ofSeconds(9), 0.1);
        return OwnSession.open(new SessionParts(store, terms, ticker, process, () -> new UUID(1, 1), "test"))
                .toCompletableFuture()
                .join();
    }

    /** Answers renewals with what has been laid down; without anything, they succeed. */
    private static final class Script implements SessionStore {

        private final Deque<CompletableFuture<CasOutcome>> renewals = new ArrayDeque<>();
        private int sent;
        private int declaredDead;

        @Override
        public CompletionStage<CasOutcome> open(UUID session, String owner, Duration ttl) {
            return CompletableFuture.completedFuture(CasOutcome.APPLIED);
        }

        @Override
        public CompletionStage<CasOutcome> renew(UUID session, long beat, String owner, Duration ttl) {
            sent++;
            return renewals.isEmpty() ? CompletableFuture.completedFuture(CasOutcome.APPLIED) : renewals.remove();
        }

        @Override
        public CompletionStage<CasOutcome> declareDead(UUID session, long beat, Duration ttl) {
            declaredDead++;
            return CompletableFuture.completedFuture(CasOutcome.APPLIED);
        }

        @Override
        public CompletionStage<Optional<SessionRow>> read(UUID session) {
            throw new UnsupportedOperationException("a session does not read its own row");
        }
    }

    private void answerRenewalsWith(CasOutcome... outcomes) {
        Stream.of(outcomes).map(CompletableFuture::completedFuture).forEach(script.renewals::add);
    }

    private static CasOutcome refusedSeeing(long beat) {
        return new CasOutcome.Refused(Optional.of(new SessionRow(beat, true)));
    }

    private void runUntilMillis(long millis) {
        time.run(Duration.ofMillis(millis).minusNanos(time.now()));
    }

    @Test
    void renewalsEveryThirdOfALeaseKeepItValid() {
        runUntilMillis(90_100);
        assertThat(session.isValid()).isTrue();
        assertThat(script.sent).as("renewals in ten leases").isEqualTo(30);
    }

    @Test
    void repeatedRenewalCountsFromItsFirstSending() {
        answerRenewalsWith(UNKNOWN, refusedSeeing(0), refusedSeeing(1));
        Collections.nCopies(100, UNKNOWN).forEach(this::answerRenewalsWith);
        runUntilMillis(3_000 + 8_090);
        assertThat(session.isValid())
                .as("until the first sending, at 3 s, and 8.1 s")
                .isTrue();
        runUntilMillis(3_000 + 8_110);
        assertThat(session.isValid()).as("after that").isFalse();
    }

    @Test
    void beatThatIsOneHigherIsItsOwnLateRenewal() {
        answerRenewalsWith(UNKNOWN, refusedSeeing(1));
        runUntilMillis(20_000);
        assertThat(session.isValid()).isTrue();
        assertThat(script.declaredDead).isZero();
    }

    @Test
    void renewalThatIsNotAnsweredIsSentAgainAndItsAnswerMayComeLate() {
        CompletableFuture<CasOutcome> late = new CompletableFuture<>();
        script.renewals.add(late);
        runUntilMillis(3_800);
        assertThat(script.sent).as("renewals sent from 3 to 3.8 s").isEqualTo(1);
        runUntilMillis(5_900);
        assertThat(script.sent).as("renewals sent from 3 to 5.9 s").isEqualTo(2);
        late.complete(refusedSeeing(1));
        runUntilMillis(60_100);
        assertThat(session.isValid()).isTrue();
        assertThat(script.sent).as("one more than one every 3 s").isEqualTo(21);
    }

    @Test
    void sessionThatSomebodySawRunOutIsNotRevivedByARenewalConfirmedAtThatInstant() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Script answers = new Script();
        OwnSession raced = open(answers, () -> {
            long now = process.nanos();
            meanwhile.getAndSet(() -> {}).run();
            return now;
        });
        List<CompletableFuture<CasOutcome>> late =
                Stream.generate(CompletableFuture<CasOutcome>::new).limit(20).toList();
        answers.renewals.addAll(late);
        runUntilMillis(8_050);
        List<Boolean> seen = new ArrayList<>();
        meanwhile.set(() -> {
            runUntilMillis(8_150);
            seen.add(raced.isValid());
        });
        late.forEach(answer -> answer.complete(CasOutcome.APPLIED));
        assertThat(seen)
                .as("validity after 8.1 s, while the answer is looked at")
                .containsExactly(false);
        assertThat(raced.isValid()).as("validity afterwards").isFalse();
        assertThat(raced.lost().toCompletableFuture()).isCompleted();
    }

    @Test
    void sessionThatOthersDeclaredDeadIsLostAtOnce() {
        answerRenewalsWith(new CasOutcome.Refused(Optional.of(new SessionRow(0, false))));
        runUntilMillis(3_010);
        assertThat(session.isValid()).isFalse();
        assertThat(session.lost().toCompletableFuture()).isCompleted();
    }

    @Test
    void sessionThatIsMissingIsLost() {
        answerRenewalsWith(new CasOutcome.Refused(Optional.empty()));
        runUntilMillis(3_010);
        assertThat(session.lost().toCompletableFuture()).isCompleted();
    }

    @Test
    void sessionThatCannotBeRenewedIsLostAtItsDeadlineAndDeclaredDead() {
        Collections.nCopies(100, UNKNOWN).forEach(this::answerRenewalsWith);
        runUntilMillis(8_090);
        assertThat(session.isValid()).isTrue();
        assertThat(session.lost().toCompletableFuture()).isNotDone();
        runUntilMillis(8_110);
        assertThat(session.isValid()).isFalse();
        assertThat(session.lost().toCompletableFuture()).isCompleted();
        assertThat(script.declaredDead).isEqualTo(1);
    }

    @Test
    void sessionThatHasEndedIsNeitherValidNorRenewedNorLost() {
        session.end();
        runUntilMillis(60_000);
        assertThat(session.isValid()).isFalse();
        assertThat(session.lost().toCompletableFuture()).isNotDone();
        assertThat(script.sent).isZero();
        assertThat(script.declaredDead).isEqualTo(1);
    }
}
