package io.github.cassandralock.it;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.HeldLock;
import io.github.cassandralock.LockKeyGenerator;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.reactor.ReactiveCurrentLock;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/**
 * Annotated methods, suspend functions of Kotlin among them, that ask for their lock, in two applications on a real node. Costs ten
 * seconds. Catches a token that does not rise, a lock of another method, and a lock where there is none.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CurrentLockIT {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final CassandraCluster cluster;
    private Application first;
    private Application second;
    private Ledger ledger;
    private KotlinLedger kotlin;

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Accounting {

        @Bean
        Ledger ledger(CurrentLock currentLock, ReactiveCurrentLock reactiveCurrentLock) {
            return new Ledger(currentLock, reactiveCurrentLock);
        }

        @Bean
        KotlinLedger kotlinLedger(CurrentLock currentLock, ReactiveCurrentLock reactiveCurrentLock) {
            return new KotlinLedger(currentLock, reactiveCurrentLock);
        }

        @Bean
        SuspendingHandler handler(ReactiveCurrentLock reactiveCurrentLock) {
            return new SuspendingHandlerBehindAnInterface(reactiveCurrentLock);
        }

        @Bean
        LockKeyGenerator perArgument() {
            return (target, method, args) -> "account:" + args[0] + " of " + args.length;
        }

        @Bean
        PlatformTransactionManager transactions() {
            return new Transactions();
        }
    }

    /** Transactions of nothing. */
    static final class Transactions extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    static class Ledger {

        private final CurrentLock currentLock;
        private final ReactiveCurrentLock reactiveCurrentLock;

        Ledger(CurrentLock currentLock, ReactiveCurrentLock reactiveCurrentLock) {
            this.currentLock = currentLock;
            this.reactiveCurrentLock = reactiveCurrentLock;
        }

        @DistributedLock(key = "#id")
        public <T> T under(String id, Supplier<T> work) {
            currentLock.get().ensureHeld();
            return work.get();
        }

        @DistributedLock(key = "{'account:' + #from, 'account:' + #to}")
        public <T> T transfer(long from, long to, Supplier<T> work) {
            return work.get();
        }

        @DistributedLock(key = "T(io.github.cassandralock.LockPath).of('bank', 'accounts', #id)")
        public <T> T underPath(String id, Supplier<T> work) {
            return work.get();
        }

        @DistributedLock(key = "#paths")
        public <T> T underPaths(List<LockPath> paths, Supplier<T> work) {
            return work.get();
        }

        @DistributedLock(key = "#id")
        public Mono<Long> reactiveToken(String id) {
            return Mono.delay(Duration.ofMillis(10))
                    .then(reactiveCurrentLock.get())
                    .flatMap(lock -> Mono.fromFuture(lock::reserveFencingTokenAsync));
        }

        @DistributedLock(key = "#id")
        @Async
        public CompletableFuture<String> inBackground(String id) {
            return CompletableFuture.completedFuture(currentLock.get().getLockId());
        }

        @Async
        public CompletableFuture<String> elsewhere() {
            return CompletableFuture.completedFuture(currentLock.get().getLockId());
        }
    }

    CurrentLockIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    void start() {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
        first = application();
        second = application();
        ledger = first.context().getBean(Ledger.class);
        kotlin = first.context().getBean(KotlinLedger.class);
    }

    private Application application() {
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        return Application.run(List.of(Accounting.class, Application.Configuration.class), arguments);
    }

    @AfterAll
    void stop() {
        second.close();
        first.close();
    }

    private CurrentLock currentLock() {
        return first.context().getBean(CurrentLock.class);
    }

    @Test
    void tokensRiseFromMethodToMethodInBothApplications() {
        CurrentLock ofSecond = second.context().getBean(CurrentLock.class);
        long one = ledger.under("tokens", () -> currentLock().get().reserveFencingToken());
        long two = second.context()
                .getBean(Ledger.class)
                .under("tokens", () -> ofSecond.get().reserveFencingToken());
        long three = ledger.reactiveToken("tokens").blockOptional(BOUND).orElseThrow();
        assertThat(List.of(one, two, three)).isSorted().doesNotHaveDuplicates();
        assertThatIllegalStateException()
                .as("an application's lock in another application")
                .isThrownBy(() -> ledger.under("tokens", ofSecond::get));
    }

    @Test
    void severalLocksAreHeldAsOneAndFoundByTheirIds() {
        ledger.transfer(1, 2, () -> {
            HeldLock both = currentLock().get();
            both.ensureHeld();
            assertThatIllegalStateException()
                    .isThrownBy(both::getLockId)
                    .withMessageContainingAll("'account:1'", "'account:2'", "get(lockId)");
            assertThatIllegalStateException().isThrownBy(both::reserveFencingToken);
            assertThat(currentLock().get("account:2").getLockId()).isEqualTo("account:2");
            return assertThat(currentLock().get("account:2").reserveFencingToken())
                    .isPositive();
        });
    }

    @Test
    void methodThatSharesALockOfAnOuterOneHasAllThatItsKeyNames() {
        long outer = ledger.under("account:2", () -> {
            long token = currentLock().get().reserveFencingToken();
            ledger.transfer(
                    1,
                    2,
                    () -> assertThat(currentLock().get("account:2").reserveFencingToken())
                            .isEqualTo(token));
            ledger.transfer(
                    2, 2, () -> assertThat(currentLock().get().getLockId()).isEqualTo("account:2"));
            assertThatIllegalStateException().isThrownBy(() -> currentLock().get("account:1"));
            return token;
        });
        assertThat(outer).isPositive();
    }

    @Test
    void lockOfAPathIsItsLowestNode() {
        ledger.underPath("42", () -> {
            HeldLock lock = currentLock().get();
            lock.ensureHeld();
            assertThat(lock.getLockId()).isEqualTo("bank/accounts/42");
            assertThat(lock.reserveFencingToken()).isPositive();
            return assertThat(currentLock().get("bank/accounts").isHeld()).isTrue();
        });
        List<LockPath> both = List.of(LockPath.of("bank", "accounts", "1"), LockPath.of("bank", "accounts", "2"));
        ledger.underPaths(both, () -> {
            currentLock().get().ensureHeld();
            return assertThat(currentLock().get("bank/accounts/2").getLockId()).isEqualTo("bank/accounts/2");
        });
    }

    @Test
    void methodIsToldThatAnotherApplicationWaits() throws Exception {
        CountDownLatch contention = new CountDownLatch(1);
        AtomicReference<CompletableFuture<RemoteLock>> waiting = new AtomicReference<>();
        ledger.under("contended", () -> {
            currentLock().get().onContention(contention::countDown);
            waiting.set(second.locker().getLockAsync("contended"));
            await().atMost(BOUND).until(() -> contention.getCount() == 0);
            return "ended early";
        });
        requireNonNull(waiting.get()).get(BOUND.toSeconds(), TimeUnit.SECONDS).close();
    }

    @Test
    void lockThatATransactionKeepsIsHeldAndNoMoreCurrentAfterTheMethod() {
        TransactionTemplate transaction =
                new TransactionTemplate(first.context().getBean(PlatformTransactionManager.class));
        HeldLock kept = transaction.execute(status -> {
            HeldLock lock = ledger.under("kept", () -> currentLock().get());
            lock.ensureHeld();
            assertThatIllegalStateException().isThrownBy(currentLock()::get);
            return lock;
        });
        assertThat(kept).isNotNull();
        assertThat(kept.isHeld()).isFalse();
        assertThatIllegalStateException().isThrownBy(kept::ensureHeld);
    }

    @Test
    void asynchronousMethodHasTheLockOfItsOwnAnnotationOnly() throws Exception {
        assertThat(ledger.inBackground("background").get(BOUND.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo("background");
        CompletableFuture<String> elsewhere = ledger.under("k", () -> ledger.elsewhere());
        assertThatThrownBy(() -> elsewhere.get(BOUND.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("HeldLock that get() returns in the method");
    }

    @Test
    void suspendFunctionRunsUnderItsLockAndFindsIt() {
        assertThat(LedgerCalls.book(kotlin, 1, () -> second.isTaken("account:1")))
                .isEqualTo("account:1 true true");
        assertThat(second.isTaken("account:1")).isFalse();
        LedgerCalls.nothing(kotlin, 1);
        assertThat(LedgerCalls.byGenerator(kotlin, 1)).isEqualTo("account:1 of 1");
        assertThat(LedgerCalls.handle(first.context().getBean(SuspendingHandler.class), 1))
                .isEqualTo("account:1");
    }

    @Test
    void suspendFunctionsThatAreNestedShareTheirLock() {
        assertThat(LedgerCalls.nested(kotlin, 11, 12)).isEqualTo("account:12 true true");
        assertThat(second.isTaken("account:11")).isFalse();
        assertThat(second.isTaken("account:12")).isFalse();
    }

    @Test
    void suspendFunctionThatThrowsReleasesItsLock() {
        assertThatThrownBy(() -> LedgerCalls.failing(kotlin, 13))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("account 13");
        assertThat(second.isTaken("account:13")).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(() -> LedgerCalls.byThread(kotlin, 13))
                .withMessageContaining("ReactiveCurrentLock");
    }

    @Test
    void eachCollectionOfAFlowRunsUnderTheLockAndFindsIt() {
        assertThat(LedgerCalls.entries(kotlin, 14)).containsExactly("account:14", "account:14");
        assertThat(LedgerCalls.coldEntries(kotlin, 14)).containsExactly("account:14");
        await().atMost(BOUND).until(() -> !second.isTaken("account:14"));
    }

    @Test
    void suspendFunctionThatFindsItsLockTakenReturnsNull() {
        RemoteLocker locker = second.locker();
        try (RemoteLock taken = locker.getLock("account:15")) {
            assertThat(LedgerCalls.tryToBook(kotlin, 15)).isNull();
            assertThat(taken.isHeld()).isTrue();
        }
        assertThat(LedgerCalls.tryToBook(kotlin, 15)).isEqualTo("booked");
    }

    @Test
    void coroutineThatIsCancelledLeavesTheQueueOrReleasesItsLock() {
        CompletableFuture<String> never = new CompletableFuture<>();
        try (RemoteLock taken = second.locker().getLock("account:16")) {
            CompletableFuture<String> waiting = LedgerCalls.begin(kotlin, 16, never);
            waiting.cancel(false);
            assertThat(taken.isHeld()).isTrue();
        }
        await().atMost(BOUND).until(() -> !second.isTaken("account:16"));
        CompletableFuture<String> working = LedgerCalls.begin(kotlin, 16, never);
        await().atMost(BOUND).until(() -> second.isTaken("account:16"));
        working.cancel(false);
        await().atMost(BOUND).until(() -> !second.isTaken("account:16"));
    }
}
