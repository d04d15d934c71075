package io.github.cassandralock.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.time.Ticker;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SessionKeeperTest {

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final Openings store = new Openings(time);
    private final List<String> losses = new ArrayList<>();
    private final SessionKeeper keeper = new SessionKeeper(
            new SessionContext(
                    store, new SessionSettings(Duration.ofSeconds(9), 0.1), process, process, UUID::randomUUID, "test"),
            (session, loss) -> losses.add(loss.text()));

    /** Opens sessions when the test says so. */
    private static final class Openings extends InstantStore {

        private Supplier<CompletionStage<CasOutcome>> opening =
                () -> CompletableFuture.completedFuture(CasOutcome.APPLIED);
        private final Deque<CasOutcome> declarations = new ArrayDeque<>();
        private int declaredDead;

        Openings(SimulatedTime time) {
            super(time);
        }

        @Override
        public CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl) {
            return opening.get();
        }

        @Override
        public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
            declaredDead++;
            return declarations.isEmpty()
                    ? super.declareDead(session, last, ttl)
                    : CompletableFuture.completedFuture(declarations.remove());
        }
    }

    private CompletableFuture<OwnSession> current() {
        return keeper.current().toCompletableFuture();
    }

    @Test
    void errorWhileASessionOpensFailsTheWaitingCallersAndTheNextCallTriesAgain() {
        store.opening = () -> {
            throw new StackOverflowError("while the session opened");
        };
        assertThat(current()).isCompletedExceptionally();
        store.opening = () -> CompletableFuture.completedFuture(CasOutcome.APPLIED);
        assertThat(current()).isCompletedWithValueMatching(OwnSession::isValid);
    }

    private static final CasOutcome UNKNOWN = new CasOutcome.Unknown(new TimeoutException("no answer"));
    private static final CasOutcome NO_ROW = new CasOutcome.Refused(Optional.empty());

    private void failToOpenWith(CasOutcome outcome) {
        store.opening = () -> CompletableFuture.completedFuture(outcome);
        assertThat(current()).isCompletedExceptionally();
    }

    /** Its row would be shown as a process that is alive until it expires. */
    @Test
    void sessionThatWasNotConfirmedIsDeclaredDeadOnceTheStoreAnswers() {
        store.declarations.addAll(List.of(UNKNOWN, UNKNOWN, NO_ROW, CasOutcome.APPLIED));
        failToOpenWith(UNKNOWN);
        time.run(Duration.ofHours(1));
        assertThat(store.declaredDead).isEqualTo(4);
    }

    @Test
    void sessionWhoseRowNeverShowsIsLookedForDuringALease() {
        store.declarations.addAll(Collections.nCopies(1_000, NO_ROW));
        failToOpenWith(UNKNOWN);
        time.run(Duration.ofSeconds(9));
        int declarations = store.declaredDead;
        assertThat(declarations).isBetween(3, 10);
        time.run(Duration.ofHours(4));
        assertThat(store.declaredDead).isEqualTo(declarations);
    }

    @Test
    void sessionsThatWereNotConfirmedCostABoundedNumberOfRequests() {
        store.declarations.addAll(Collections.nCopies(100_000, UNKNOWN));
        for (int i = 0; i < 1_000; i++) {
            failToOpenWith(UNKNOWN);
        }
        time.run(Duration.ofMinutes(10));
        assertThat(store.declaredDead)
                .as("of sixteen sessions, about one a minute each")
                .isLessThan(16 * 20);
        time.run(Duration.ofHours(4));
        int ended = store.declaredDead;
        failToOpenWith(UNKNOWN);
        assertThat(store.declaredDead).as("once the rows have expired").isEqualTo(ended + 1);
    }

    @Test
    void sessionWhoseInsertWasRefusedIsNotDeclaredDead() {
        failToOpenWith(new CasOutcome.Unknown(
                new RefusedRequestException("no permission", new IllegalStateException("refused"))));
        time.run(Duration.ofHours(1));
        assertThat(store.declaredDead).isZero();
    }

    @Test
    void sessionThatIsRenouncedIsLostAndReplacedByANewOne() {
        OwnSession first = current().join();
        keeper.abandonAll(new LockLoss(LockLoss.Reason.OTHER, "the process goes on from a checkpoint"));
        assertThat(losses).containsExactly("the process goes on from a checkpoint");
        assertThat(first.isValid()).isFalse();
        assertThat(current().join().id()).isNotEqualTo(first.id());
    }

    @Test
    void noSessionIsOpenedOnceItHasEnded() {
        OwnSession last = current().join();
        keeper.end();
        assertThat(last.isValid()).isFalse();
        assertThat(current()).isCompletedExceptionally();
        time.run(Duration.ofMinutes(1));
        assertThat(store.renewals()).as("renewals after the end").isZero();
    }

    @Test
    void sessionThatIsBeingOpenedAtTheEndIsEndedOnceItIsOpen() {
        CompletableFuture<CasOutcome> late = new CompletableFuture<>();
        store.opening = () -> late;
        CompletableFuture<OwnSession> opening = current();
        CompletableFuture<Void> ended = keeper.end().toCompletableFuture();
        assertThat(ended).isNotDone();
        late.complete(CasOutcome.APPLIED);
        assertThat(ended).isCompleted();
        assertThat(opening.join().isValid()).isFalse();
        assertThat(store.declaredDead).isEqualTo(1);
    }

    /** The second caller comes when the first one reads the clock to check the old session, and opens the next session. */
    @Test
    void callersThatFindASessionLostAtTheSameTimeShareTheNextOne() {
        AtomicLong late = new AtomicLong();
        AtomicReference<Runnable> whileChecked = new AtomicReference<>(() -> {});
        Ticker ticker = () -> {
            whileChecked.getAndSet(() -> {}).run();
            return process.nanos() + late.get();
        };
        SessionKeeper shared = new SessionKeeper(
                new SessionContext(
                        store,
                        new SessionSettings(Duration.ofSeconds(9), 0.1),
                        ticker,
                        process,
                        UUID::randomUUID,
                        "test"),
                (session, reason) -> {});
        OwnSession first = shared.current().toCompletableFuture().join();
        late.set(Duration.ofMinutes(1).toNanos());
        List<CompletableFuture<OwnSession>> others = new ArrayList<>();
        whileChecked.set(() -> others.add(shared.current().toCompletableFuture()));
        OwnSession next = shared.current().toCompletableFuture().join();
        assertThat(next).isNotSameAs(first).isSameAs(others.get(0).join());
    }
}
