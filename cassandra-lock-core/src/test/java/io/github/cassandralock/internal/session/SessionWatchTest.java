package io.github.cassandralock.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a session of another process is declared dead. The watcher's own lease is 2 s, its drift 5 %. */
class SessionWatchTest {

    private static final UUID SESSION = new UUID(1, 2);
    private static final Beat BEAT = new Beat(7, new UUID(3, 4));

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final OneSession store = new OneSession(time);
    private final List<DeadSession> dead = new ArrayList<>();
    private final SessionWatch watch = new SessionWatch(new SessionContext(
            store, new SessionSettings(Duration.ofSeconds(2), 0.05), process, process, UUID::randomUUID, "watcher"));

    /** A session that is no longer renewed. */
    private static final class OneSession extends InstantStore {

        private Optional<SessionRow> row = Optional.empty();
        private int reads;
        private int declarations;
        private boolean refuses;
        private Runnable beforeADeclaration = () -> {};
        private Optional<CompletableFuture<CasOutcome>> declaration = Optional.empty();
        private @Nullable CompletableFuture<Optional<SessionRow>> late;

        OneSession(SimulatedTime time) {
            super(time);
        }

        @Override
        public CompletionStage<Optional<SessionRow>> read(UUID session) {
            reads++;
            return late == null ? CompletableFuture.completedFuture(row) : late;
        }

        @Override
        public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
            declarations++;
            beforeADeclaration.run();
            if (declaration.isPresent()) {
                return declaration.get();
            }
            boolean same = !refuses
                    && row.map(SessionRow::state)
                            .filter(new SessionState(last, true)::equals)
                            .isPresent();
            return CompletableFuture.completedFuture(
                    same ? CasOutcome.APPLIED : new CasOutcome.Refused(row.map(SessionRow::state)));
        }
    }

    private void watch(Duration lease, double drift) {
        store.row = Optional.of(SessionRow.alive(BEAT, lease, drift, "billing-3 4711"));
        watch.join(SESSION, dead::add);
    }

    private void runUntilMillis(long millis) {
        time.run(Duration.ofMillis(millis).minusNanos(time.now()));
    }

    @ParameterizedTest(name = "lease {0} s, drift {1} %: after {2} ms")
    @CsvSource({"60, 5, 63000", "60, 0, 63000", "60, 20, 72000", "2, 5, 2100", "15, 25, 18750"})
    void sessionIsDeclaredDeadAfterItsOwnersLeaseWithTheGreaterDriftOfBoth(int lease, int driftPercent, long millis) {
        watch(Duration.ofSeconds(lease), driftPercent / 100.0);
        runUntilMillis(millis - 10);
        assertThat(dead).as("declared dead too early").isEmpty();
        runUntilMillis(millis + 10);
        assertThat(dead).singleElement().satisfies(session -> {
            assertThat(session.owner()).isEqualTo("billing-3 4711");
            assertThat(session.silent()).isBetween(Duration.ofMillis(millis), Duration.ofMillis(millis + 10));
        });
    }

    @Test
    void sessionIsReadThreeTimesInItsOwnLeaseNotInTheWatchers() {
        watch(Duration.ofSeconds(60), 0.05);
        runUntilMillis(59_000);
        assertThat(store.reads).isEqualTo(3);
    }

    @Test
    void renewalByACopyOfTheProcessCountsAsARenewal() {
        watch(Duration.ofSeconds(6), 0.05);
        runUntilMillis(6_000);
        Beat copys = new Beat(BEAT.number(), new UUID(47, 11));
        store.row = Optional.of(SessionRow.alive(copys, Duration.ofSeconds(6), 0.05, "billing-3 4711"));
        runUntilMillis(12_000);
        assertThat(dead).isEmpty();
    }

    @Test
    void deathThatTheSecondReadShowsIsReportedAtOnce() {
        watch(Duration.ofSeconds(6), 0.05);
        store.row = Optional.empty();
        runUntilMillis(2_010);
        assertThat(dead).hasSize(1);
    }

    @Test
    void timeUntilTheDeclarationCountsFromTheLastRenewalThatWasSeen() {
        watch(Duration.ofSeconds(6), 0.05);
        store.row = Optional.of(
                SessionRow.alive(new Beat(8, new UUID(3, 5)), Duration.ofSeconds(6), 0.05, "billing-3 4711"));
        runUntilMillis(8_290);
        assertThat(dead).as("seen renewed after 2 s").isEmpty();
        runUntilMillis(8_310);
        assertThat(dead).hasSize(1);
    }

    private void renewedForTheLastTime(Duration lease) {
        store.row = Optional.of(SessionRow.alive(new Beat(8, new UUID(3, 5)), lease, 0.05, "billing-3 4711"));
    }

    @Test
    void leaseIsThatOfTheRenewalThatWasSeenLast() {
        watch(Duration.ofSeconds(6), 0.05);
        renewedForTheLastTime(Duration.ofSeconds(60));
        runUntilMillis(2_000 + 62_990);
        assertThat(dead).as("seen renewed after 2 s, with a lease of a minute").isEmpty();
        runUntilMillis(2_000 + 63_010);
        assertThat(dead).hasSize(1);
    }

    @Test
    void renewalThatADeclarationMeetsHasALeaseOfItsOwnToo() {
        watch(Duration.ofSeconds(6), 0.05);
        store.beforeADeclaration = () -> renewedForTheLastTime(Duration.ofSeconds(60));
        runUntilMillis(6_310 + 62_980);
        assertThat(dead).as("seen renewed after 6.3 s").isEmpty();
        store.beforeADeclaration = () -> {};
        runUntilMillis(6_310 + 63_010);
        assertThat(dead).hasSize(1);
    }

    @Test
    void watchGoesOnAfterAReadThatFailed() {
        store.late = CompletableFuture.failedFuture(new TimeoutException("no answer"));
        watch(Duration.ofSeconds(6), 0.05);
        assertThat(dead).isEmpty();
        store.late = null;
        store.row = Optional.empty();
        runUntilMillis(110);
        assertThat(dead).as("after the pause of a tenth of a second").hasSize(1);
    }

    @Test
    void watchKnowsTheOwnerOfASessionOnceARowWasRead() {
        assertThat(watch.owner(SESSION)).isEmpty();
        watch(Duration.ofSeconds(6), 0.05);
        assertThat(watch.owner(SESSION)).contains("billing-3 4711");
    }

    @Test
    void observerThatFailsDoesNotPreventTheCallsOfOtherObservers() {
        store.row = Optional.empty();
        CompletableFuture<Optional<SessionRow>> row = new CompletableFuture<>();
        store.late = row;
        for (int number = 0; number < 3; number++) {
            watch.join(SESSION, session -> {
                throw new StackOverflowError("an observer of bad quality");
            });
            watch.join(SESSION, dead::add);
        }
        row.complete(Optional.empty());
        assertThat(dead).isNotEmpty();
    }

    @Test
    void observersAreNotifiedWhenTimersFailAndMayJoinAgain() {
        List<UUID> unwatched = new ArrayList<>();
        SessionWatch withoutTimers = new SessionWatch(new SessionContext(
                store,
                new SessionSettings(Duration.ofSeconds(2), 0.05),
                process,
                delay -> {
                    throw new OutOfMemoryError("no thread for a timer");
                },
                UUID::randomUUID,
                "watcher"));
        store.row = Optional.of(SessionRow.alive(BEAT, Duration.ofSeconds(6), 0.05, "billing-3 4711"));
        withoutTimers.join(SESSION, new SessionObserver() {
            @Override
            public void dead(DeadSession session) {
                dead.add(session);
            }

            @Override
            public void unwatched(UUID session) {
                unwatched.add(session);
            }
        });
        assertThat(unwatched).containsExactly(SESSION);
        assertThat(dead).isEmpty();
    }

    @Test
    void declarationThatIsRefusedWithTheSameBeatIsRepeatedAfterAPause() {
        store.refuses = true;
        watch(Duration.ofSeconds(6), 0.05);
        runUntilMillis(6_350);
        assertThat(store.declarations).as("in the first instants").isBetween(1, 2);
    }

    @Test
    void renewalJustBeforeTheDeclarationBeginsTheWaitAgain() {
        store.beforeADeclaration = () -> {
            store.row = Optional.of(
                    SessionRow.alive(new Beat(8, new UUID(3, 5)), Duration.ofSeconds(6), 0.05, "billing-3 4711"));
            store.beforeADeclaration = () -> {};
        };
        watch(Duration.ofSeconds(6), 0.05);
        runUntilMillis(12_590);
        assertThat(dead).as("the declaration after 6.3 s was refused").isEmpty();
        runUntilMillis(12_610);
        assertThat(dead).hasSize(1);
        assertThat(store.declarations).isEqualTo(2);
    }

    @Test
    void deathThatAnotherProcessDeclaredFirstIsReportedAtOnce() {
        store.beforeADeclaration = () -> store.row = Optional.empty();
        watch(Duration.ofSeconds(6), 0.05);
        runUntilMillis(6_310);
        assertThat(dead).hasSize(1);
    }

    @Test
    void declarationOfUnknownOutcomeIsRepeatedAfterAPause() {
        store.declaration = Optional.of(CompletableFuture.failedFuture(new TimeoutException("no answer")));
        watch(Duration.ofSeconds(6), 0.05);
        runUntilMillis(6_310);
        assertThat(store.declarations).as("before the pause is over").isEqualTo(1);
        store.declaration = Optional.empty();
        runUntilMillis(6_410);
        assertThat(dead).as("after the pause of a tenth of a second").hasSize(1);
        assertThat(store.declarations).isEqualTo(2);
    }
}
