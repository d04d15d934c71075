package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.HeldLock;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.test.InMemoryLocks;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Annotated methods whose keys name several locks. Costs a second; needs no node. Catches a lock that is not taken, not released,
 * or taken a second time by a nested call, for each kind of result.
 */
@SpringBootTest(classes = SeveralLocksIT.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@InMemoryLocks
@Timeout(60)
class SeveralLocksIT {

    private static final String BOTH = "{'account:' + #from, 'account:' + #to}";
    private static final Duration BOUND = Duration.ofSeconds(10);

    @Autowired
    private Accounts accounts;

    @Autowired
    private InMemoryRemoteLocker locks;

    @Autowired
    private CurrentLock currentLock;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Accounts accounts() {
            return new Accounts();
        }
    }

    static class Accounts {

        @DistributedLock(key = "'account:' + #id")
        public void with(int id, Runnable work) {
            work.run();
        }

        @DistributedLock(key = BOTH, timeout = "100ms")
        public void transfer(int from, int to, Runnable work) {
            work.run();
        }

        @DistributedLock(key = "{'account:' + #from, 'account:' + #to, #fees}")
        public void transferWithFees(int from, int to, String fees) {}

        @DistributedLock(key = BOTH, strategy = Strategy.TRY_GET_LOCK, holdAtLeast = "1h")
        public Boolean tryToTransfer(int from, int to) {
            return true;
        }

        @DistributedLock(key = "T(io.github.cassandralock.LockPath).of('bank', #id + '')")
        public void underPath(int id, Runnable work) {
            work.run();
        }

        @DistributedLock(key = BOTH)
        public CompletableFuture<String> transferLater(int from, int to, CompletableFuture<String> work) {
            return work;
        }

        @DistributedLock(key = BOTH)
        public Mono<String> transferReactively(int from, int to, Mono<String> work) {
            return work;
        }

        @DistributedLock(key = "'account:' + #id")
        public Mono<String> withReactively(int id, Mono<String> work) {
            return work;
        }
    }

    @AfterEach
    void allAreFree() {
        for (int id = 1; id <= 3; id++) {
            String lockId = "account:" + id;
            await(lockId + " is free").atMost(BOUND).until(() -> !locks.isTaken(lockId));
        }
    }

    private void assertTaken(int... ids) {
        for (int id : ids) {
            assertThat(locks.isTaken("account:" + id)).as("account:" + id).isTrue();
        }
    }

    @Test
    void methodRunsUnderAllLocks() {
        accounts.transfer(2, 1, () -> assertTaken(1, 2));
        accounts.transfer(1, 1, () -> assertTaken(1));
    }

    @Test
    void nestedCallSharesTheLocksOfTheOuterOneAndTakesTheOthers() {
        accounts.with(2, () -> {
            accounts.transfer(1, 2, () -> assertTaken(1, 2));
            assertThat(locks.isTaken("account:1")).isFalse();
            assertTaken(2);
        });
        accounts.transfer(1, 2, () -> accounts.transfer(2, 1, () -> assertTaken(1, 2)));
        accounts.transfer(1, 2, () -> accounts.with(1, () -> assertTaken(1, 2)));
    }

    @Test
    void nestedCallThatCannotAskForTheOtherLocksLeavesThatOfTheOuterOneToIt() {
        String tooLong = "account:" + "1".repeat(600);
        accounts.with(2, () -> {
            assertThatThrownBy(() -> accounts.transferWithFees(2, 3, tooLong))
                    .isInstanceOf(IllegalArgumentException.class);
            assertTaken(2);
        });
        assertThat(locks.isTaken("account:2")).isFalse();
    }

    @Test
    void callThatFindsOneLockTakenHoldsNoneAndItsMinimumTimeDoesNotCount() {
        try (RemoteLock second = locks.getLockAsync("account:2", BOUND).join()) {
            assertThat(accounts.tryToTransfer(1, 2)).isNull();
            await().atMost(BOUND).until(() -> !locks.isTaken("account:1"));
            assertThatThrownBy(() -> accounts.transfer(1, 2, () -> {}))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("'account:2'");
            assertThat(second.isHeld()).isTrue();
        }
    }

    @Test
    void callFailsIfOneOfItsLocksIsLost() {
        assertThatThrownBy(() -> accounts.transfer(1, 2, () -> locks.lose("account:2", "the lease ran out")))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("account:2");
    }

    @Test
    void currentLockIsLostWithTheFirstOfSeveralLocks() {
        List<String> reasons = new CopyOnWriteArrayList<>();
        assertThatThrownBy(() -> accounts.transfer(1, 2, () -> {
                    HeldLock both = currentLock.get();
                    both.onLost(loss -> reasons.add(loss.text()));
                    locks.lose("account:2", "the lease ran out");
                    locks.lose("account:1", "the lease ran out");
                    assertThat(both.isHeld()).isFalse();
                    await().atMost(BOUND).until(() -> !reasons.isEmpty());
                    both.ensureHeld();
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(reasons).singleElement().asString().contains("the lease ran out");
    }

    /** The nodes above a path are held with it. */
    @Test
    void currentLockOfAPathIsLostWithANodeAboveIt() {
        assertThatThrownBy(() -> accounts.underPath(7, () -> {
                    locks.lose("bank", "the lease ran out");
                    assertThat(currentLock.get("bank/7").isHeld()).isTrue();
                    currentLock.get().ensureHeld();
                }))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'bank'");
    }

    @Test
    void stageIsUnderAllLocksUntilItCompletes() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = accounts.transferLater(1, 2, work);
        assertTaken(1, 2);
        work.complete("done");
        assertThat(result).succeedsWithin(BOUND).isEqualTo("done");
    }

    @Test
    void publisherIsUnderAllLocksUntilItEndsOrIsCancelled() {
        Sinks.One<String> work = Sinks.one();
        CompletableFuture<String> result =
                accounts.transferReactively(1, 2, work.asMono()).toFuture();
        await().atMost(BOUND).untilAsserted(() -> assertTaken(1, 2));
        work.tryEmitValue("done");
        assertThat(result).succeedsWithin(BOUND).isEqualTo("done");
        allAreFree();
        Disposable cancelled = accounts.transferReactively(1, 2, Mono.never()).subscribe();
        await().atMost(BOUND).untilAsserted(() -> assertTaken(1, 2));
        cancelled.dispose();
    }

    /** The inner subscription that is cancelled while it waits leaves the lock of the outer one to that. */
    @Test
    void nestedSubscriptionSharesTheLocksOfTheOuterOne() {
        Mono<String> inner = accounts.transferReactively(1, 2, Mono.fromSupplier(() -> {
            assertTaken(1, 2);
            return "inner";
        }));
        assertThat(accounts.withReactively(2, inner).block(BOUND)).isEqualTo("inner");
        allAreFree();
        try (RemoteLock third = locks.getLockAsync("account:3", BOUND).join()) {
            Mono<String> waiting = accounts.transferReactively(3, 2, Mono.just("never"));
            Mono<String> outer =
                    accounts.withReactively(2, waiting.timeout(Duration.ofMillis(100), Mono.fromSupplier(() -> {
                        assertTaken(2);
                        return "timed out";
                    })));
            assertThat(outer.block(BOUND)).isEqualTo("timed out");
            assertThat(third.isHeld()).isTrue();
        }
    }
}
