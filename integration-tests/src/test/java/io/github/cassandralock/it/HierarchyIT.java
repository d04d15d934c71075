package io.github.cassandralock.it;

import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.applications.SentStatements;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/**
 * Paths of a hierarchy by the public interface and the annotation, between two instances of an application on a real node. Costs some
 * seconds. Would catch a node that is taken in the wrong mode, or is kept after its path was closed.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HierarchyIT {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration BOUND = Duration.ofMinutes(1);

    private final Instances instances;
    private LockPath bank = LockPath.of("bank");

    HierarchyIT(CassandraCluster cluster) {
        instances = Instances.start(
                2,
                cluster,
                "hierarchies",
                List.of(Annotated.class),
                "--cassandra-lock.local-handover.max-duration=3s",
                "--cassandra-lock.notices.enabled=true",
                "--cassandra-lock.notices.bind-address=127.0.0.1");
    }

    @Configuration(proxyBeanMethods = false)
    static class Annotated {

        @Bean
        Accounts accounts() {
            return new Accounts();
        }
    }

    static class Accounts {

        @DistributedLock(key = "#account", timeout = "3s")
        public void change(LockPath account, Runnable work) {
            work.run();
        }

        @DistributedLock(key = "{#from, #to}")
        public void transfer(LockPath from, LockPath to, Runnable work) {
            work.run();
        }

        @DistributedLock(
                key = "#bank",
                mode = LockMode.PROTECTED_READ,
                strategy = DistributedLock.Strategy.TRY_GET_LOCK)
        public Optional<String> audit(LockPath bank) {
            return Optional.of("done");
        }

        @DistributedLock(key = "{#account, 'prices'}")
        public void mixed(LockPath account) {}

        @DistributedLock(key = "#account.lockId")
        public CompletableFuture<String> byItsId(LockPath account) {
            return CompletableFuture.completedFuture("done");
        }

        @DistributedLock(key = "#account.lockId")
        public void inside(LockPath account, Runnable work) {
            work.run();
        }

        @DistributedLock(key = "#account")
        public Object undeclared(LockPath account, CompletableFuture<String> work) {
            return work;
        }

        @DistributedLock(key = "#account")
        public Mono<String> reactively(LockPath account, Mono<String> work) {
            return work;
        }

        @DistributedLock(key = "#account")
        public CompletableFuture<String> later(LockPath account, CompletableFuture<String> work) {
            return work;
        }
    }

    @AfterAll
    void stop() {
        instances.close();
    }

    @BeforeEach
    void anotherBank() {
        bank = LockPath.of("bank " + UUID.randomUUID());
    }

    private RemoteLocker one() {
        return instances.get(0).locker();
    }

    private Accounts accounts() {
        return instances.get(0).context().getBean(Accounts.class);
    }

    private LockPath account(int number) {
        return bank.child("accounts").child("" + number);
    }

    private static MultiLockRequest in(LockMode mode, LockPath path) {
        return MultiLockRequest.ofPath(path).mode(mode);
    }

    /** A call that waits: with notices, a kept lock is given up for it. A path takes several operations, on a busy machine for long. */
    private void assertFreeElsewhere(LockMode mode, LockPath path) {
        instances.get(1).locker().getLocks(in(mode, path), BOUND).close();
    }

    private void assertTakenElsewhere(LockMode mode, LockPath path) {
        assertThatThrownBy(() -> instances.get(1).locker().getLocks(in(mode, path), SHORT))
                .isInstanceOf(LockTimeoutException.class);
    }

    @Test
    void readerOfTheRootExcludesWritersOfLeavesAndLetsReadersIn() {
        try (RemoteLocks audit = one().getLocks(in(PROTECTED_READ, bank), BOUND)) {
            assertTakenElsewhere(EXCLUSIVE, account(1));
            assertTakenElsewhere(PROTECTED_WRITE, account(1));
            assertFreeElsewhere(PROTECTED_READ, account(1));
            audit.ensureHeld();
        }
        assertFreeElsewhere(EXCLUSIVE, account(1));
    }

    @Test
    void writersOfLeavesWorkSideBySideAndKeepOutThoseThatLockTheWhole() {
        try (RemoteLocks locks = one().getLocks(in(EXCLUSIVE, account(1)), BOUND)) {
            assertFreeElsewhere(EXCLUSIVE, account(2));
            assertTakenElsewhere(EXCLUSIVE, account(1));
            assertTakenElsewhere(PROTECTED_READ, bank);
            assertTakenElsewhere(EXCLUSIVE, bank.child("accounts"));
            assertFreeElsewhere(NULL, bank);
            locks.ensureHeld();
        }
        assertFreeElsewhere(EXCLUSIVE, bank);
    }

    @Test
    void threadThatAsksForASecondPathDoesNotWaitBehindWhoWaitsForItsFirst() {
        RemoteLocks first = one().getLocks(in(EXCLUSIVE, account(1)), BOUND);
        CompletableFuture<RemoteLocks> whole = instances.get(1).locker().getLocksAsync(in(EXCLUSIVE, bank));
        assertThat(whole).failsWithin(SHORT);
        RemoteLocks second = one().getLocks(in(EXCLUSIVE, account(2)), BOUND);
        assertThat(first.isHeld() && second.isHeld()).isTrue();
        first.close();
        assertThat(whole).failsWithin(SHORT);
        second.close();
        assertThat(whole).succeedsWithin(BOUND).satisfies(RemoteLocks::close);
    }

    @Test
    void nodeIsConvertedForAPathThatNeedsMoreAndBackWhenThatIsClosed() {
        LockOwner owner = LockOwner.named("audit");
        try (RemoteLocks reading =
                one().getLocksAsync(in(PROTECTED_READ, account(1)).owner(owner)).join()) {
            RemoteLocks writing =
                    one().getLocksAsync(in(EXCLUSIVE, account(2)).owner(owner)).join();
            assertTakenElsewhere(PROTECTED_READ, bank);
            writing.close();
            assertFreeElsewhere(PROTECTED_READ, bank);
            assertTakenElsewhere(EXCLUSIVE, bank);
            reading.ensureHeld();
        }
        assertFreeElsewhere(EXCLUSIVE, bank);
    }

    @Test
    void severalPathsAreTakenByOneRequest() {
        MultiLockRequest requests = MultiLockRequest.ofPaths(Map.of(account(2), EXCLUSIVE, account(1), PROTECTED_READ));
        try (RemoteLocks locks = one().getLocks(requests, BOUND)) {
            assertThat(locks.getLockIds())
                    .containsExactly(
                            bank.getLockId(),
                            bank.child("accounts").getLockId(),
                            account(1).getLockId(),
                            account(2).getLockId());
            assertThat(locks.get(account(2).getLockId()).reserveFencingToken()).isPositive();
            assertFreeElsewhere(PROTECTED_READ, account(1));
            assertTakenElsewhere(PROTECTED_READ, account(2));
        }
    }

    /** The nodes above are shared by the owners of a process: only the resource itself costs operations. */
    @Test
    void intentionsOfABusyProcessCostNoOperations() {
        Application application = instances.get(0);
        try (RemoteLocks another =
                application.locker().getLocks(in(EXCLUSIVE, account(1)).owner(LockOwner.named("another")), BOUND)) {
            List<String> sent = SentStatements.of(application)
                    .during(() -> application
                            .locker()
                            .getLocks(in(EXCLUSIVE, account(2)), BOUND)
                            .close())
                    .stream()
                    .filter(statement -> statement.contains("lock_slots"))
                    .toList();
            assertThat(sent).as("what a second account costs").hasSizeBetween(2, 3);
            another.ensureHeld();
        }
    }

    @Test
    void annotatedMethodRunsUnderAPathAndItsNestedCallsCountOnIt() {
        accounts().change(account(1), () -> {
            assertTakenElsewhere(PROTECTED_READ, bank);
            CompletableFuture<RemoteLocks> whole = instances.get(1).locker().getLocksAsync(in(EXCLUSIVE, bank));
            assertThat(whole).failsWithin(SHORT);
            accounts().transfer(account(1), account(2), () -> assertThat(whole).isNotDone());
            assertThat(whole.cancel(true)).isTrue();
        });
        assertThat(accounts().audit(bank)).contains("done");
        assertFreeElsewhere(EXCLUSIVE, bank);
    }

    @Test
    void annotatedMethodIsNotRunIfItsPathIsTaken() {
        RemoteLocks whole = instances.get(1).locker().getLocks(in(EXCLUSIVE, bank), BOUND);
        assertThat(accounts().audit(bank)).isEmpty();
        assertThatThrownBy(() -> accounts().change(account(1), () -> {}))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("'" + bank.getLockId() + "'");
        assertThatThrownBy(() -> accounts().mixed(account(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a collection with lock paths and other names");
        whole.close();
    }

    @Test
    void stageIsUnderItsPathUntilItCompletes() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> stage = accounts().later(account(1), work);
        assertTakenElsewhere(PROTECTED_READ, bank);
        work.complete("done");
        assertThat(stage).succeedsWithin(BOUND).isEqualTo("done");
        assertFreeElsewhere(PROTECTED_READ, bank);
    }

    /** Each of them would wait for the call that it runs in, and that one for it. */
    @Test
    void pathOfAStageOrAPublisherIsNotTakenInsideAnotherPathOfTheSameHierarchy() {
        accounts()
                .change(
                        account(1),
                        () -> assertThatThrownBy(
                                        () -> accounts().later(account(2), CompletableFuture.completedFuture("done")))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("Take both paths by one method"));
        Mono<String> nested = Mono.defer(() -> accounts().reactively(account(2), Mono.just("done")));
        assertThatThrownBy(() -> accounts().reactively(account(1), nested).block(BOUND))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Take both paths by one method");
        assertThat(accounts().reactively(account(1), Mono.just("done")).block(BOUND))
                .isEqualTo("done");
        assertFreeElsewhere(EXCLUSIVE, bank);
    }

    @Test
    void lockIsNotNamedByItsIdAndAsANodeOfAPathByCallsInsideEachOther() {
        accounts()
                .change(
                        account(1),
                        () -> assertThatThrownBy(() -> accounts().byItsId(account(1)))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("Name the lock as a LockPath in both keys"));
        accounts()
                .inside(
                        bank,
                        () -> assertThatThrownBy(
                                        () -> accounts().later(account(1), CompletableFuture.completedFuture("done")))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("Name the lock as a LockPath in both keys"));
    }

    /** Its locks belong to the thread, which does something else while the stage goes on. */
    @Test
    void stageOfAMethodThatDoesNotDeclareItIsRefused() {
        CompletableFuture<String> work = new CompletableFuture<>();
        assertThatThrownBy(() -> accounts().undeclared(account(1), work))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("declare the method to return a CompletableFuture");
        assertThat(work).isCancelled();
        assertFreeElsewhere(EXCLUSIVE, bank);
    }
}
