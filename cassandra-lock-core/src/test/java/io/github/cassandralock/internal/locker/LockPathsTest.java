package io.github.cassandralock.internal.locker;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.threads.Leftovers;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.AcquireRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Who holds paths at the same time, and that an owner never waits for itself between two of its paths. Costs two seconds; most of it
 * the threads that take paths at random.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LockPathsTest {

    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final LockPath BANK = LockPath.of("bank");
    private static final LockPath ONE = BANK.child("1");
    private static final LockPath TWO = BANK.child("2");

    private final ScheduledTimers timers = new ScheduledTimers();
    private final SharingAlgorithm algorithm = new SharingAlgorithm();
    private final AlgorithmLocker locker =
            new AlgorithmLocker(algorithm, Duration.ofSeconds(15), Ticker.system(), timers, List.of());
    private final LockOwner me = LockOwner.named("me");
    private final LockOwner other = LockOwner.named("other");

    @AfterEach
    void close() {
        locker.close();
        timers.close();
    }

    private static MultiLockRequest request(LockPath path, LockMode mode, LockOwner owner) {
        return MultiLockRequest.ofPath(path).mode(mode).owner(owner);
    }

    private RemoteLocks take(LockPath path, LockMode mode, LockOwner owner) {
        return locker.tryGetLocks(request(path, mode, owner)).orElseThrow();
    }

    private boolean isFree(LockPath path, LockMode mode) {
        Optional<RemoteLocks> locks = locker.tryGetLocks(request(path, mode, LockOwner.named("somebody")));
        locks.ifPresent(RemoteLocks::close);
        return locks.isPresent();
    }

    @Test
    void writersOfDifferentResourcesWorkAtTheSameTime() {
        try (RemoteLocks one = take(ONE, EXCLUSIVE, me);
                RemoteLocks two = take(TWO, EXCLUSIVE, other)) {
            assertThat(one.getLockIds()).containsExactly("bank", "bank/1");
            assertThat(two.isHeld()).isTrue();
        }
    }

    @Test
    void readerOfTheWholeKeepsOutWritersBelowAndLetsReadersIn() {
        try (RemoteLocks whole = take(BANK, PROTECTED_READ, me)) {
            assertThat(isFree(ONE, EXCLUSIVE)).isFalse();
            assertThat(isFree(ONE, CONCURRENT_WRITE)).isFalse();
            assertThat(isFree(ONE, PROTECTED_READ)).isTrue();
            assertThat(whole.isHeld()).isTrue();
        }
        assertThat(isFree(ONE, EXCLUSIVE)).isTrue();
    }

    @Test
    void writerBelowKeepsOutReadersOfTheWhole() {
        try (RemoteLocks one = take(ONE, EXCLUSIVE, me)) {
            assertThat(isFree(BANK, PROTECTED_READ)).isFalse();
            assertThat(isFree(BANK, CONCURRENT_READ)).isTrue();
            assertThat(one.isHeld()).isTrue();
        }
    }

    /** Without rule 9 this call would wait behind the other owner, who waits for this one's first path. */
    @Test
    void ownerDoesNotQueueForTheNodesThatItsPathsHaveInCommon() {
        RemoteLocks one = take(ONE, EXCLUSIVE, me);
        CompletableFuture<RemoteLocks> whole = locker.getLocksAsync(request(BANK, EXCLUSIVE, other));
        RemoteLocks two = locker.getLocks(request(TWO, EXCLUSIVE, me), BOUND);
        assertThat(whole).isNotDone();
        one.close();
        assertThat(two.isHeld()).isTrue();
        assertThat(whole).isNotDone();
        two.close();
        assertThat(whole).succeedsWithin(BOUND).satisfies(RemoteLocks::close);
    }

    @Test
    void threadIsTheOwnerOfWhatItTakesByCallsThatBlock() {
        try (RemoteLocks one = locker.getLocks(MultiLockRequest.ofPath(ONE), BOUND)) {
            CompletableFuture<RemoteLocks> whole = locker.getLocksAsync(request(BANK, EXCLUSIVE, other));
            locker.getLocks(MultiLockRequest.ofPath(TWO), BOUND).close();
            locker.getLocks(MultiLockRequest.ofPath(ONE), BOUND).close();
            assertThat(one.isHeld()).isTrue();
            assertThat(whole).isNotDone();
        }
    }

    @Test
    void nodeIsConvertedUpForAPathThatNeedsMoreAndDownWhenThatIsClosed() {
        RemoteLocks reading = take(ONE, PROTECTED_READ, me);
        assertThat(isFree(BANK, PROTECTED_READ)).isTrue();
        RemoteLocks writing = take(TWO, EXCLUSIVE, me);
        assertThat(isFree(BANK, PROTECTED_READ)).isFalse();
        assertThat(reading.get("bank").getMode()).isEqualTo(CONCURRENT_READ);
        assertThat(writing.get("bank").getMode()).isEqualTo(CONCURRENT_WRITE);
        writing.close();
        assertThat(isFree(BANK, PROTECTED_READ)).isTrue();
        assertThat(isFree(BANK, EXCLUSIVE)).isFalse();
        assertThat(reading.isHeld()).isTrue();
        reading.close();
        assertThat(isFree(BANK, EXCLUSIVE)).isTrue();
    }

    @Test
    void nodeThatCannotBeConvertedInTimeStaysHeldAsItWas() {
        RemoteLocks reading = take(ONE, PROTECTED_READ, me);
        RemoteLocks whole = take(BANK, PROTECTED_READ, other);
        assertThatThrownBy(() -> locker.getLocks(request(TWO, EXCLUSIVE, me), SHORT))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("Lock 'bank' was not granted within");
        assertThat(locker.tryGetLocks(request(TWO, EXCLUSIVE, me))).isEmpty();
        assertThat(reading.isHeld()).isTrue();
        whole.close();
        assertThat(isFree(BANK, PROTECTED_READ)).isTrue();
        reading.close();
        assertThat(nothingIsLeft()).isTrue();
    }

    @Test
    void callWaitsUntilItsNodeCanBeConverted() {
        RemoteLocks reading = take(ONE, PROTECTED_READ, me);
        RemoteLocks whole = take(BANK, PROTECTED_READ, other);
        CompletableFuture<RemoteLocks> writing = locker.getLocksAsync(request(TWO, EXCLUSIVE, me), BOUND);
        assertThat(locker.tryGetLocks(request(BANK.child("3"), PROTECTED_READ, me)))
                .isEmpty();
        CompletableFuture<RemoteLocks> another = locker.getLocksAsync(request(BANK.child("3"), EXCLUSIVE, me), BOUND);
        assertThat(writing).isNotDone();
        assertThat(another).isNotDone();
        whole.close();
        assertThat(writing).succeedsWithin(BOUND).satisfies(RemoteLocks::close);
        assertThat(another).succeedsWithin(BOUND).satisfies(RemoteLocks::close);
        reading.close();
        assertThat(nothingIsLeft()).isTrue();
    }

    @Test
    void callThatIsCancelledWhileItsNodeIsConvertedLeavesTheNodeAsItWas() {
        RemoteLocks reading = take(ONE, PROTECTED_READ, me);
        RemoteLocks whole = take(BANK, PROTECTED_READ, other);
        CompletableFuture<RemoteLocks> writing = locker.getLocksAsync(request(TWO, EXCLUSIVE, me), BOUND);
        writing.cancel(true);
        whole.close();
        assertThat(isFree(BANK, PROTECTED_READ)).isTrue();
        assertThat(reading.isHeld()).isTrue();
        reading.close();
        assertThat(nothingIsLeft()).isTrue();
    }

    @Test
    void nodesThatAreLostAreTakenAnew() {
        RemoteLocks lost = locker.getLocks(MultiLockRequest.ofPath(ONE), BOUND);
        locker.restored();
        assertThatThrownBy(lost::ensureHeld).isInstanceOf(LockLostException.class);
        assertThat(lost.isHeld()).isFalse();
        lost.close();
        try (RemoteLocks again = locker.getLocks(MultiLockRequest.ofPath(TWO), BOUND)) {
            lost.close();
            assertThat(again.isHeld()).isTrue();
        }
        assertThat(nothingIsLeft()).isTrue();
    }

    @Test
    void plainLockAndNodeOfOneOwnerAreNotMixed() {
        try (RemoteLocks one = locker.getLocks(MultiLockRequest.ofPath(ONE), BOUND)) {
            assertThatThrownBy(() -> locker.getLock("bank", BOUND))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("holds lock 'bank' as a node of a path, and requests it by its id");
            assertThatThrownBy(() -> one.get("bank/1").convert(PROTECTED_READ))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("It belongs to a path");
        }
        locker.getLock("bank", BOUND);
        assertThatThrownBy(() -> locker.getLocks(MultiLockRequest.ofPath(ONE), BOUND))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("holds lock 'bank' by its id, and requests it as a node of a path");
    }

    @Test
    void ownerThatWouldWaitForItselfIsRefusedWhicheverThreadAsks() {
        LockRequest mine = LockRequest.of("k").owner(me);
        locker.getLock(mine, BOUND);
        assertThatThrownBy(() -> locker.getLockAsync(mine))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("owner 'me' already holds lock 'k' and would wait for itself for ever");
        assertThatThrownBy(() -> locker.getLocksAsync(MultiLockRequest.ofAll(List.of(mine))))
                .hasMessageContaining("owner 'me' already holds lock 'k'");
        CompletableFuture<?> anotherOwner = locker.getLockAsync(LockRequest.of("k"));
        assertThat(anotherOwner).isNotDone();
        anotherOwner.cancel(true);
    }

    @Test
    void nodesStayTakenForTheMinimumTime() {
        locker.getLocks(MultiLockRequest.ofPath(ONE).holdAtLeast(Duration.ofMinutes(1)), BOUND)
                .close();
        assertThat(isFree(BANK, PROTECTED_READ)).isFalse();
        assertThat(isFree(TWO, EXCLUSIVE)).isTrue();
        locker.close(Duration.ZERO);
    }

    @Test
    void lockerThatClosesGivesUpCallsThatWaitForAConversion() {
        take(ONE, PROTECTED_READ, me);
        take(BANK, PROTECTED_READ, other);
        CompletableFuture<RemoteLocks> writing = locker.getLocksAsync(request(TWO, EXCLUSIVE, me));
        locker.close();
        assertThat(writing)
                .failsWithin(BOUND)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("closed while waiting for lock 'bank'");
        assertThat(nothingIsLeft()).isTrue();
    }

    /** It is decided already that the node becomes weaker, although the algorithm has not done it yet. */
    @Test
    void useIsNotCountedOnAModeThatIsAboutToEnd() {
        RemoteLocks reading = take(ONE, PROTECTED_READ, me);
        RemoteLocks writing = take(TWO, EXCLUSIVE, me);
        algorithm.setSlow(true);
        CompletableFuture<Void> closed = writing.closeAsync().toCompletableFuture();
        CompletableFuture<RemoteLocks> again = locker.getLocksAsync(request(TWO, EXCLUSIVE, me));
        CompletableFuture<Optional<RemoteLocks>> tried =
                locker.tryGetLocksAsync(request(BANK.child("3"), EXCLUSIVE, me));
        assertThat(closed).isNotDone();
        assertThat(again).isNotDone();
        assertThat(tried).isNotDone();
        algorithm.setSlow(false);
        assertThat(closed).succeedsWithin(BOUND);
        RemoteLocks locks = again.join();
        assertThat(isFree(BANK, PROTECTED_READ)).isFalse();
        tried.join().ifPresent(RemoteLocks::close);
        locks.close();
        reading.close();
        assertThat(nothingIsLeft()).isTrue();
    }

    @Test
    void conversionThatFailedIsNotCountedForTheNextOne() {
        RemoteLocks reading = take(ONE, PROTECTED_READ, me);
        RemoteLocks whole = take(BANK, PROTECTED_READ, other);
        CompletableFuture<RemoteLocks> writing = locker.getLocksAsync(request(TWO, EXCLUSIVE, me), SHORT);
        CompletableFuture<RemoteLocks> readingAll = locker.getLocksAsync(request(BANK, PROTECTED_READ, me));
        assertThat(writing)
                .failsWithin(BOUND)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockTimeoutException.class);
        assertThat(readingAll).succeedsWithin(BOUND).satisfies(RemoteLocks::close);
        assertThat(whole.isHeld() && reading.isHeld()).isTrue();
    }

    @Test
    void ownerIsKeptOutByItsOwnPathsThatStayTakenForAMinimumTime() {
        MultiLockRequest nightly = request(ONE, EXCLUSIVE, me).holdAtLeast(Duration.ofMinutes(1));
        locker.getLocks(nightly, BOUND).close();
        assertThat(locker.tryGetLocks(nightly)).isEmpty();
        assertThat(locker.tryGetLocks(request(BANK, PROTECTED_READ, me))).isEmpty();
        assertThat(locker.getLocksAsync(nightly)).isNotDone();
        try (RemoteLocks two = take(TWO, EXCLUSIVE, me)) {
            assertThat(two.isHeld()).isTrue();
        }
        locker.close(Duration.ZERO);
    }

    /** The locks of others are given back, and what must not be free yet is left in the mode that it needs. */
    @Test
    void lockerThatClosesLeavesNodesAsTheMinimumTimesNeedThem() {
        locker.getLocks(request(ONE, EXCLUSIVE, me).holdAtLeast(Duration.ofHours(1)), BOUND)
                .close();
        locker.getLocks(request(TWO, PROTECTED_READ, me).holdAtLeast(Duration.ofHours(1)), BOUND)
                .close();
        take(BANK.child("3"), EXCLUSIVE, me);
        locker.close(Duration.ZERO);
        assertThat(isFreeForOthers("bank", PROTECTED_READ)).isFalse();
        assertThat(isFreeForOthers("bank/1", PROTECTED_READ)).isFalse();
        assertThat(isFreeForOthers("bank/2", PROTECTED_READ)).isTrue();
        assertThat(isFreeForOthers("bank/3", EXCLUSIVE)).isTrue();
        assertThat(nothingIsLeft()).isTrue();
    }

    private boolean isFreeForOthers(String lockId, LockMode mode) {
        return algorithm
                .acquire(AcquireRequest.tries(lockId, "others").in(mode))
                .getOutcome()
                .toCompletableFuture()
                .join()
                .isPresent();
    }

    @Test
    void nodeIsNotTakenWithoutWhatIsAboveIt() {
        LockRequest leaf = MultiLockRequest.ofPath(ONE).getRequests().get(1);
        assertThatThrownBy(() -> locker.tryGetLock(leaf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Lock 'bank/1' is a node of a path");
        LockRequest stronger = MultiLockRequest.ofPath(ONE)
                .mode(PROTECTED_READ)
                .getRequests()
                .get(1)
                .mode(EXCLUSIVE);
        try (RemoteLocks locks =
                locker.tryGetLocks(MultiLockRequest.ofAll(List.of(stronger))).orElseThrow()) {
            assertThat(locks.get("bank").getMode()).isEqualTo(CONCURRENT_WRITE);
        }
    }

    /** What is above the resource must not be free before it. */
    @Test
    void minimumTimeOfAPathCountsFromTheGrantOfItsLastNode() {
        RemoteLocks taken = take(ONE, EXCLUSIVE, other);
        MultiLockRequest longEnough = request(ONE, EXCLUSIVE, me).holdAtLeast(Duration.ofMillis(300));
        CompletableFuture<RemoteLocks> waiting = locker.getLocksAsync(longEnough);
        assertThat(waiting).isNotDone();
        LockSupport.parkNanos(SHORT.multipliedBy(15).toNanos());
        taken.close();
        assertThat(waiting).succeedsWithin(BOUND).satisfies(RemoteLocks::close);
        boolean free = isFree(BANK, PROTECTED_READ);
        assertThat(free && !isFreeForOthers("bank/1", PROTECTED_READ))
                .as("the whole is free while the part stays taken")
                .isFalse();
    }

    /** A call of another thread may find the node in any state. */
    @Test
    void callsOfOneOwnerFromManyThreadsAreAllServed() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 300; round++) {
                LockOwner owner = LockOwner.named("round " + round);
                List<Callable<Boolean>> calls = new ArrayList<>();
                for (int call = 0; call < 4; call++) {
                    LockMode mode = call % 2 == 0 ? EXCLUSIVE : PROTECTED_READ;
                    MultiLockRequest request = request(BANK.child("" + call), mode, owner);
                    calls.add(() -> {
                        locker.getLocks(request, BOUND).close();
                        return true;
                    });
                }
                for (Future<Boolean> served : executor.invokeAll(calls)) {
                    assertThat(served.get()).isTrue();
                }
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(nothingIsLeft()).isTrue();
    }

    /** As long as something keeps waking it, and it has to wait again. */
    @Test
    void callThatIsWokenOftenIsServedInTheEnd() {
        MultiLockRequest nightly = request(BANK, PROTECTED_READ, me).holdAtLeast(Duration.ofMillis(500));
        locker.getLocks(nightly, BOUND).close();
        CompletableFuture<RemoteLocks> writing = locker.getLocksAsync(request(ONE, EXCLUSIVE, me));
        for (int time = 0; time < 20_000; time++) {
            take(TWO, PROTECTED_READ, me).close();
        }
        assertThat(writing).succeedsWithin(BOUND).satisfies(RemoteLocks::close);
    }

    private boolean nothingIsLeft() {
        return Leftovers.in(Leftovers.of(locker, "pathNodes"), "nodes") == 0
                && Leftovers.in(Leftovers.of(Leftovers.of(Leftovers.of(locker, "locks"), "owners"), "locks"), "lists")
                        == 0;
    }

    @Test
    void ownersThatTakeAndCloseManyPathsNeverWorkSideBySideWhereTheyMustNot() throws Exception {
        Map<String, AtomicInteger> writers = new ConcurrentHashMap<>();
        List<Callable<Void>> threads = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            RandomGenerator random = new SplittableRandom(thread);
            threads.add(() -> {
                for (int round = 0; round < 200; round++) {
                    takeTwoPaths(random, writers);
                }
                return null;
            });
        }
        ExecutorService executor = Executors.newFixedThreadPool(threads.size());
        try {
            for (Future<Void> done : executor.invokeAll(threads)) {
                done.get();
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(nothingIsLeft()).isTrue();
    }

    /** The paths are taken in one order, so that no two owners wait for each other. */
    private void takeTwoPaths(RandomGenerator random, Map<String, AtomicInteger> writers) {
        LockPath first = BANK.child("" + random.nextInt(2));
        LockPath second = BANK.child("" + (2 + random.nextInt(2)));
        RemoteLocks outer = locker.getLocks(MultiLockRequest.ofPath(first), BOUND);
        RemoteLocks inner = locker.getLocks(MultiLockRequest.ofPath(second), BOUND);
        for (LockPath path : List.of(first, second)) {
            assertThat(inside(writers, path).incrementAndGet())
                    .as("writers of %s", path)
                    .isEqualTo(1);
        }
        LockSupport.parkNanos(random.nextInt(50_000));
        for (LockPath path : List.of(first, second)) {
            inside(writers, path).decrementAndGet();
        }
        List<RemoteLocks> closing = random.nextBoolean() ? List.of(outer, inner) : List.of(inner, outer);
        closing.forEach(RemoteLocks::close);
        if (random.nextInt(4) == 0) {
            try (RemoteLocks whole =
                    locker.getLocks(MultiLockRequest.ofPath(BANK).mode(PROTECTED_READ), BOUND)) {
                writers.forEach((path, inside) ->
                        assertThat(inside.get()).as("writers of %s", path).isZero());
                whole.ensureHeld();
            }
        }
    }

    private static AtomicInteger inside(Map<String, AtomicInteger> writers, LockPath path) {
        return writers.computeIfAbsent(path.getLockId(), id -> new AtomicInteger());
    }
}
