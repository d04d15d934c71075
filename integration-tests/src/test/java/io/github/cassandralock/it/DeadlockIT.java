package io.github.cassandralock.it;

import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.assembly.LockTuning;
import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.deadlock.DeadlockSettings;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.applications.SentStatements;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Deadlocks by the public interface, between instances of an application on a real node. Costs some ten seconds. Would catch waits that
 * are written or read wrongly, deadlocks that are not found, and calls that are ended in vain.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DeadlockIT {

    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final Duration INTERVAL = Duration.ofMillis(150);

    /** Four intervals and a second, on a machine that has nothing else to do; ten times that on any. */
    private static final Duration FOUND_WITHIN =
            INTERVAL.multipliedBy(4).plusSeconds(1).multipliedBy(10);

    private static final int PROCESSES = 5;
    private static final int MANY = 200;
    private static final int INTERVALS = 10;

    private final Instances instances;
    private String prefix = "";

    DeadlockIT(CassandraCluster cluster) {
        instances = Instances.start(
                PROCESSES, cluster, "deadlocks", List.of(QuickSearch.class), "--cassandra-lock.deadlock.enabled=true");
    }

    @Configuration(proxyBeanMethods = false)
    static class QuickSearch {

        @Bean
        LockTuning quickSearch() {
            return new LockTuning(LockTuning.USUAL.keep(), new DeadlockSettings(INTERVAL, INTERVAL));
        }
    }

    @AfterAll
    void stop() {
        instances.close();
    }

    @BeforeEach
    void otherLocks() {
        prefix = "deadlock:" + UUID.randomUUID() + ":";
    }

    private RemoteLocker locker(int process) {
        return instances.get(process).locker();
    }

    private LockRequest request(int lock, LockOwner owner) {
        return LockRequest.of(prefix + lock).owner(owner);
    }

    private static long victims(Application application) {
        return application.context().getBean(ProtocolCounters.class).sum(Counted.DEADLOCK_VICTIM);
    }

    private long victims() {
        return instances.all().stream().mapToLong(DeadlockIT::victims).sum();
    }

    /** One of the calls ends with the exception, and the others when its owner's lock is closed. */
    private LockDeadlockException onlyVictim(List<? extends CompletableFuture<?>> calls, List<RemoteLock> held) {
        CompletableFuture.anyOf(calls.toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> String.valueOf(failure))
                .orTimeout(FOUND_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        int victim = IntStream.range(0, calls.size())
                .filter(call -> calls.get(call).isCompletedExceptionally())
                .findFirst()
                .orElseThrow();
        held.get(victim).close();
        return failure(calls.get(victim));
    }

    private static LockDeadlockException failure(CompletableFuture<?> call) {
        try {
            throw new AssertionError("no exception, but " + call.get());
        } catch (ExecutionException e) {
            return (LockDeadlockException) Objects.requireNonNull(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Each process holds one lock and waits for that of the next. */
    private void circleOf(int processes) {
        long before = victims();
        List<LockOwner> owners = IntStream.range(0, processes)
                .mapToObj(process -> LockOwner.named("owner " + process))
                .toList();
        List<RemoteLock> held = IntStream.range(0, processes)
                .mapToObj(process -> locker(process).getLock(request(process, owners.get(process))))
                .toList();
        List<CompletableFuture<RemoteLock>> calls = IntStream.range(0, processes)
                .mapToObj(process ->
                        locker(process).getLockAsync(request((process + 1) % processes, owners.get(process)), BOUND))
                .toList();
        LockDeadlockException deadlock = onlyVictim(calls, held);
        assertThat(deadlock.getCycle()).hasSize(processes);
        assertThat(deadlock.getCycle())
                .extracting(LockDeadlockException.Wait::owner)
                .containsExactlyInAnyOrderElementsOf(
                        owners.stream().map(LockOwner::toString).toList());
        assertThat(deadlock.getCycle())
                .extracting(LockDeadlockException.Wait::mode)
                .containsOnly(EXCLUSIVE);
        assertThat(deadlock)
                .hasMessageContaining("'" + deadlock.getLockId() + "' was not granted: the call waited in a deadlock");
        closeOthers(calls, held);
        assertThat(victims() - before).isOne();
    }

    /** Each gets its lock when the one before has closed all of its own. */
    private static void closeOthers(List<CompletableFuture<RemoteLock>> calls, List<RemoteLock> held) {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int call = 0; call < calls.size(); call++) {
            RemoteLock own = held.get(call);
            if (!calls.get(call).isCompletedExceptionally()) {
                ends.add(calls.get(call).thenAccept(lock -> {
                    lock.close();
                    own.close();
                }));
            }
        }
        ends.forEach(CompletableFuture::join);
    }

    @Test
    void ofTwoThatWaitForEachOtherOneIsToldAndTheOtherGoesOn() {
        circleOf(2);
    }

    @Test
    void circleOfFiveProcessesIsFound() {
        circleOf(PROCESSES);
    }

    @Test
    void ofTwoReadersThatBothWantToWriteOneIsToldWithoutATimeout() {
        LockRequest reading = LockRequest.of(prefix).mode(PROTECTED_READ);
        List<RemoteLock> held = List.of(
                locker(0).getLock(reading.owner(LockOwner.named("first"))),
                locker(1).getLock(reading.owner(LockOwner.named("second"))));
        List<CompletableFuture<Void>> calls =
                held.stream().map(lock -> lock.convertAsync(EXCLUSIVE)).toList();
        LockDeadlockException deadlock = onlyVictim(calls, held);
        assertThat(deadlock)
                .hasMessageContaining("was not converted to mode EXCLUSIVE, and is still held in mode PROTECTED_READ");
        int winner = calls.get(0).isCompletedExceptionally() ? 1 : 0;
        calls.get(winner).join();
        assertThat(held.get(winner).getMode()).isEqualTo(LockMode.EXCLUSIVE);
        held.get(winner).close();
    }

    @Test
    void callForAPermitIsInADeadlockOnlyIfBothHoldersWait() {
        LockRequest permit = LockRequest.of(prefix + "permits").permits(2);
        List<LockOwner> owners = IntStream.range(0, 3)
                .mapToObj(process -> LockOwner.named("owner " + process))
                .toList();
        List<RemoteLock> held = List.of(
                locker(0).getLock(permit.owner(owners.get(0))),
                locker(1).getLock(permit.owner(owners.get(1))),
                locker(2).getLock(request(0, owners.get(2))));
        CompletableFuture<RemoteLock> first = locker(0).getLockAsync(request(0, owners.get(0)), BOUND);
        CompletableFuture<RemoteLock> third = locker(2).getLockAsync(permit.owner(owners.get(2)), BOUND);
        await().pollDelay(FOUND_WITHIN.dividedBy(3)).until(() -> true);
        assertThat(List.of(first, third)).noneMatch(CompletableFuture::isDone);
        long before = victims();
        List<CompletableFuture<RemoteLock>> calls =
                List.of(first, locker(1).getLockAsync(request(0, owners.get(1)), BOUND), third);
        LockDeadlockException deadlock = onlyVictim(calls, held);
        assertThat(deadlock.getCycle()).hasSize(2);
        assertThat(deadlock).hasMessageContaining("waits for one of 2 permits of lock '" + prefix + "permits'");
        closeOthers(calls, held);
        assertThat(victims() - before).isOne();
    }

    @Test
    void nothingIsSentWhileNobodyWaitsForLong() {
        awaitNothingPublished();
        SentStatements sent = SentStatements.of(instances.get(0));
        List<String> statements = sent.during(() -> {
            for (int round = 0; round < 20; round++) {
                RemoteLock outer = locker(0).getLock(prefix + "outer");
                RemoteLock inner = locker(0).getLock(prefix + "inner");
                inner.close();
                outer.close();
            }
        });
        assertThat(statements).isNotEmpty().noneMatch(statement -> statement.contains("lock_waiting"));
    }

    @Test
    void nothingIsLeftInTheTableWhenNobodyWaits() {
        circleOf(2);
        awaitNothingPublished();
    }

    private void awaitNothingPublished() {
        await().atMost(BOUND).until(() -> !isAnythingPublished());
    }

    private boolean isAnythingPublished() {
        return instances
                        .get(0)
                        .session()
                        .execute("SELECT session FROM lock_waiting")
                        .one()
                != null;
    }

    /** Of whom each holds a lock of its own and waits for the same one: as long as they wait, they cost what one of them costs. */
    @Test
    void manyCallsOfAProcessCostOneWriteAndOneReadOfEachPartitionInAnInterval() {
        awaitNothingPublished();
        RemoteLock hot = locker(1).getLock(prefix + "hot");
        List<CompletableFuture<Void>> calls = IntStream.range(0, MANY)
                .mapToObj(number -> LockOwner.named("owner " + number))
                .map(owner -> locker(0)
                        .getLockAsync(LockRequest.of(prefix + owner).owner(owner))
                        .thenCompose(own -> locker(0)
                                .getLockAsync(LockRequest.of(prefix + "hot").owner(owner))
                                .thenCompose(RemoteLock::closeAsync)
                                .thenCompose(closed -> own.closeAsync())))
                .toList();
        await().atMost(BOUND).until(this::isAnythingPublished);
        long before = System.nanoTime();
        List<String> statements = SentStatements.of(instances.get(0))
                .during(() ->
                        await().pollDelay(INTERVAL.multipliedBy(INTERVALS)).until(() -> true));
        int intervals =
                Math.toIntExact(Duration.ofNanos(System.nanoTime() - before).dividedBy(INTERVAL) + 1);
        assertThat(statements)
                .filteredOn(statement -> statement.contains("INSERT INTO") && statement.contains("lock_waiting"))
                .hasSizeBetween(1, intervals);
        assertThat(statements)
                .filteredOn(statement -> statement.startsWith("SELECT") && statement.contains("lock_waiting"))
                .hasSizeLessThanOrEqualTo(intervals * PROCESSES);
        hot.close();
        calls.forEach(CompletableFuture::join);
    }

    /** Transfers between two accounts, each of which takes both locks in any order: those that are ended begin again. */
    @Test
    @Tag("slow")
    void moneyIsRightAndAllTransfersAreDoneAlthoughTheyTakeTheirLocksInAnyOrder() {
        long[] accounts = {1_000, 1_000};
        AtomicInteger deadlocks = new AtomicInteger();
        List<CompletableFuture<Void>> clerks = IntStream.range(0, PROCESSES)
                .mapToObj(process -> clerk(process, accounts, deadlocks))
                .toList();
        clerks.forEach(CompletableFuture::join);
        assertThat(accounts[0] + accounts[1]).isEqualTo(2_000);
        assertThat(deadlocks).hasPositiveValue();
    }

    private CompletableFuture<Void> clerk(int process, long[] accounts, AtomicInteger deadlocks) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread clerk = new Thread(
                () -> {
                    try {
                        SplittableRandom random = new SplittableRandom(process);
                        for (int transfer = 0; transfer < 2; transfer++) {
                            int from = random.nextInt(2);
                            long amount = random.nextLong(1, 50);
                            while (!transferred(process, from, amount, accounts)) {
                                deadlocks.incrementAndGet();
                            }
                        }
                        done.complete(null);
                    } catch (RuntimeException | Error e) {
                        done.completeExceptionally(e);
                    }
                },
                "clerk " + process);
        clerk.start();
        return done;
    }

    private boolean transferred(int process, int from, long amount, long[] accounts) {
        try (RemoteLock debited = locker(process).getLock(prefix + from)) {
            long before = accounts[from];
            try (RemoteLock credited = locker(process).getLock(prefix + (1 - from))) {
                accounts[from] = before - amount;
                accounts[1 - from] += amount;
                credited.ensureHeld();
                debited.ensureHeld();
            }
            return true;
        } catch (LockDeadlockException deadlock) {
            return false;
        }
    }
}
