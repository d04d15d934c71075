package io.github.cassandralock.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.simulation.SimulatedProcess;
import io.github.cassandralock.simulation.SimulatedTime;
import io.github.cassandralock.spi.CasOutcome;
import io.github.cassandralock.spi.SessionRow;
import io.github.cassandralock.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What a session makes of each answer to a renewal. Lease 9 s: renewal every 3 s, valid for 8.1 s with a drift of 10 %. */
class OwnSessionTest {

    private static final CasOutcome UNKNOWN = new CasOutcome.Unknown(new TimeoutException("no answer"));

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final Script script = new Script();
    private final OwnSession session = OwnSession.open(new SessionParts(
                    script,
                    new SessionTerms(Duration.ofSeconds(9), 0.1),
                    process,
                    process,
                    () -> new UUID(1, 1),
                    "test"))
            .toCompletableFuture()
            .join();

    /** Answers renewals and reads with what has been laid down; without anything, renewals succeed. */
    private static final class Script implements SessionStore {

        private final Deque<CasOutcome> renewals = new ArrayDeque<>();
        private final Deque<Optional<SessionRow>> reads = new ArrayDeque<>();
        private int sent;
        private int declaredDead;

        @Override
        public CompletionStage<CasOutcome> open(UUID session, String owner, Duration ttl) {
            return CompletableFuture.completedFuture(CasOutcome.APPLIED);
        }

        @Override
        public CompletionStage<CasOutcome> renew(UUID session, long beat, String owner, Duration ttl) {
            sent++;
            return CompletableFuture.completedFuture(renewals.isEmpty() ? CasOutcome.APPLIED : renewals.remove());
        }

        @Override
        public CompletionStage<CasOutcome> declareDead(UUID session, long beat, Duration ttl) {
            declaredDead++;
            return CompletableFuture.completedFuture(CasOutcome.APPLIED);
        }

        @Override
        public CompletionStage<Optional<SessionRow>> read(UUID session) {
            return reads.isEmpty()
                    ? CompletableFuture.failedFuture(new TimeoutException("no answer"))
                    : CompletableFuture.completedFuture(reads.remove());
        }
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
        script.renewals.add(UNKNOWN);
        script.reads.add(Optional.of(new SessionRow(0, true)));
        script.renewals.add(new CasOutcome.Refused(Optional.of(new SessionRow(1, true))));
        for (int later = 0; later < 100; later++) {
            script.renewals.add(UNKNOWN);
        }
        runUntilMillis(3_000 + 8_090);
        assertThat(session.isValid())
                .as("until the first sending, at 3 s, and 8.1 s")
                .isTrue();
        runUntilMillis(3_000 + 8_110);
        assertThat(session.isValid()).as("after that").isFalse();
    }

    @Test
    void beatThatIsOneHigherIsItsOwnLateRenewal() {
        script.renewals.add(UNKNOWN);
        script.reads.add(Optional.of(new SessionRow(1, true)));
        runUntilMillis(20_000);
        assertThat(session.isValid()).isTrue();
        assertThat(script.declaredDead).isZero();
    }

    @Test
    void sessionThatOthersDeclaredDeadIsLostAtOnce() {
        script.renewals.add(new CasOutcome.Refused(Optional.of(new SessionRow(0, false))));
        runUntilMillis(3_010);
        assertThat(session.isValid()).isFalse();
        assertThat(session.lost().toCompletableFuture()).isCompleted();
    }

    @Test
    void sessionThatIsMissingIsLost() {
        script.renewals.add(new CasOutcome.Refused(Optional.empty()));
        runUntilMillis(3_010);
        assertThat(session.lost().toCompletableFuture()).isCompleted();
    }

    @Test
    void sessionThatCannotBeRenewedIsLostAtItsDeadlineAndDeclaredDead() {
        for (int renewal = 0; renewal < 100; renewal++) {
            script.renewals.add(UNKNOWN);
        }
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
