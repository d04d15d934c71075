package io.github.cassandralock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.locker.SharingAlgorithm;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.threads.Leftovers;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Locks that belong to threads, over the real locker and a store in memory. Costs a second; it fails if a thread that does not
 * hold the lock can unlock it, if taking it again waits, if a lost lease is taken for a held lock, or if something is stored for
 * a lock that nobody holds.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
@SuppressWarnings("LockNotBeforeTry") // what happens without is what is tested
class ReentrantLocksTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private final ScheduledTimers timers = new ScheduledTimers();
    private final InstantStore store = new InstantStore(new SimulatedTime());
    private final AlgorithmLocker locker = new AlgorithmLocker(
            new TicketAlgorithm(
                    store,
                    new SessionContext(
                            store, new SessionSettings(LEASE, 0.05), Ticker.system(), timers, UUID::randomUUID, "test"),
                    TicketSettings.of(
                            Duration.ofMillis(50), new PollBounds(Duration.ofMillis(1), Duration.ofMillis(10))),
                    () -> 1_700_000_000_000_000L),
            LEASE,
            Ticker.system(),
            timers,
            List.of());
    private final ReentrantLocks locks = new ReentrantLocks(locker);
    private final RemoteReentrantLock lock = locks.get("k");
    private final ExecutorService otherThread = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        otherThread.shutdownNow();
        locker.close();
        timers.close();
    }

    private <T> T onTheOtherThread(Callable<T> call) throws Exception {
        return otherThread.submit(call).get(1, TimeUnit.MINUTES);
    }

    private boolean isFreeForTheOtherThread() throws Exception {
        return onTheOtherThread(() -> {
            boolean taken = lock.tryLock();
            if (taken) {
                lock.unlock();
            }
            return taken;
        });
    }

    private static void awaitThatItWaits(Thread thread) {
        Awaitility.await().until(() -> thread.getState() == Thread.State.WAITING);
    }

    @Test
    void threadUnlocksAsOftenAsItHasTakenTheLock() throws Exception {
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).as("taken again").isTrue();
        assertThat(lock.tryLock(1, TimeUnit.NANOSECONDS)).as("taken again").isTrue();
        for (int takings = 4; takings > 0; takings--) {
            assertThat(isFreeForTheOtherThread())
                    .as("free while held %d times", takings)
                    .isFalse();
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            lock.unlock();
        }
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(isFreeForTheOtherThread()).as("free at the end").isTrue();
    }

    @Test
    void locksWithOneIdAreOneLock() throws Exception {
        lock.lock();
        assertThat(locks.get("k").tryLock()).isTrue();
        lock.unlock();
        assertThat(locks.get("k").isHeldByCurrentThread()).isTrue();
        locks.get("k").unlock();
        assertThat(isFreeForTheOtherThread()).isTrue();
        assertThat(locks.get("other").tryLock()).isTrue();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void threadThatSharesALockDoesNotTakeItWithFewerPermits() {
        AlgorithmLocker sharing =
                new AlgorithmLocker(new SharingAlgorithm(), LEASE, Ticker.system(), timers, List.of());
        ReentrantLocks shared = new ReentrantLocks(sharing);
        RemoteReentrantLock ofFive = shared.get(LockRequest.of("k").permits(5));
        RemoteReentrantLock plain = shared.get("k");
        ofFive.lock();
        assertThat(shared.get(LockRequest.of("k").permits(6)).tryLock()).isTrue();
        assertThatThrownBy(plain::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("with 5 permits, which does not cover the request in mode EXCLUSIVE;");
        assertThat(plain.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(plain::unlock).isInstanceOf(IllegalMonitorStateException.class);
        ofFive.unlock();
        ofFive.unlock();
        plain.lock();
        assertThat(ofFive.tryLock()).isTrue();
    }

    @Test
    void threadTakesALockAgainInAModeThatIsCoveredAndInNoOther() {
        AlgorithmLocker sharing =
                new AlgorithmLocker(new SharingAlgorithm(), LEASE, Ticker.system(), timers, List.of());
        ReentrantLocks shared = new ReentrantLocks(sharing);
        Function<LockMode, RemoteReentrantLock> in =
                mode -> shared.get(LockRequest.of("k").mode(mode));
        RemoteReentrantLock held = in.apply(LockMode.PROTECTED_READ);
        held.lock();
        in.apply(LockMode.CONCURRENT_READ).lock();
        assertThat(in.apply(LockMode.PROTECTED_READ).tryLock()).isTrue();
        assertThatThrownBy(in.apply(LockMode.EXCLUSIVE)::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "lock 'k' in mode PROTECTED_READ, which does not cover the request in mode EXCLUSIVE");
        assertThat(in.apply(LockMode.CONCURRENT_READ).isHeldByCurrentThread()).isTrue();
        assertThat(in.apply(LockMode.EXCLUSIVE).isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(in.apply(LockMode.EXCLUSIVE)::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("holds lock 'k' in mode PROTECTED_READ");
        assertThatThrownBy(in.apply(LockMode.CONCURRENT_WRITE)::tryLock).isInstanceOf(IllegalStateException.class);
        for (int takings = 3; takings > 0; takings--) {
            held.unlock();
        }
        assertThat(in.apply(LockMode.EXCLUSIVE).tryLock()).isTrue();
        sharing.close();
    }

    @Test
    void locksThatDoNotBelongTogetherExcludeEachOther() {
        lock.lock();
        assertThat(new ReentrantLocks(locker).get("k").tryLock()).isFalse();
    }

    @Test
    void onlyTheThreadThatHoldsItCanUnlockIt() throws Exception {
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("does not hold lock 'k'");
        lock.lock();
        assertThat(onTheOtherThread(lock::isHeldByCurrentThread)).isFalse();
        assertThat(otherThread.submit(lock::unlock))
                .failsWithin(1, TimeUnit.MINUTES)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
    }

    @Test
    void waiterGetsItWhenItIsUnlocked() throws Exception {
        lock.lock();
        Future<Boolean> waiter = otherThread.submit(() -> {
            lock.lock();
            boolean held = lock.isHeldByCurrentThread();
            lock.unlock();
            return held;
        });
        lock.unlock();
        assertThat(waiter.get(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void timedTryEndsWithItsTime() throws Exception {
        lock.lock();
        assertThat(onTheOtherThread(() -> lock.tryLock(20, TimeUnit.MILLISECONDS)))
                .isFalse();
        assertThat(onTheOtherThread(() -> lock.tryLock(0, TimeUnit.MILLISECONDS)))
                .isFalse();
        assertThat(onTheOtherThread(() -> lock.tryLock(-1, TimeUnit.DAYS))).isFalse();
        lock.unlock();
        assertThat(onTheOtherThread(() -> lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)))
                .isTrue();
    }

    @Test
    void timedTryThrowsIfCassandraDoesNotAnswer() {
        RemoteLocker failing = (RemoteLocker) Proxy.newProxyInstance(
                RemoteLocker.class.getClassLoader(),
                new Class<?>[] {RemoteLocker.class},
                (proxy, method, arguments) -> {
                    throw new LockTimeoutException("k", "no answer", new IllegalStateException("no node answers"));
                });
        RemoteReentrantLock unanswered = new ReentrantLocks(failing).get("k");
        assertThatThrownBy(() -> unanswered.tryLock(20, TimeUnit.MILLISECONDS))
                .isInstanceOf(LockTimeoutException.class)
                .hasRootCauseMessage("no node answers");
    }

    @Test
    void interruptEndsTheWaitsThatSaySo() throws Exception {
        lock.lock();
        for (Callable<?> wait : List.<Callable<?>>of(
                () -> {
                    lock.lockInterruptibly();
                    return true;
                },
                () -> lock.tryLock(1, TimeUnit.DAYS))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(wait::call).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted())
                    .as("the flag afterwards")
                    .isFalse();
            Future<?> waiter = otherThread.submit(() -> {
                Thread.currentThread().interrupt();
                return wait.call();
            });
            assertThat(waiter)
                    .failsWithin(1, TimeUnit.MINUTES)
                    .withThrowableThat()
                    .withCauseInstanceOf(InterruptedException.class);
        }
        lock.unlock();
        assertThat(isFreeForTheOtherThread()).as("free afterwards").isTrue();
    }

    @Test
    void interruptDuringAWaitIsReportedAsOne() throws Exception {
        lock.lock();
        CountDownLatch begun = new CountDownLatch(1);
        Thread[] waiting = new Thread[1];
        Future<?> waiter = otherThread.submit(() -> {
            waiting[0] = Thread.currentThread();
            begun.countDown();
            lock.lockInterruptibly();
            return true;
        });
        begun.await();
        awaitThatItWaits(waiting[0]);
        waiting[0].interrupt();
        assertThat(waiter)
                .failsWithin(1, TimeUnit.MINUTES)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(InterruptedException.class)
                .withCauseInstanceOf(LockInterruptedException.class);
    }

    @Test
    void interruptDoesNotEndAWaitThatDoesNotSaySoAndIsKept() throws Exception {
        lock.lock();
        CountDownLatch begun = new CountDownLatch(1);
        Thread[] waiting = new Thread[1];
        Future<Boolean> waiter = otherThread.submit(() -> {
            waiting[0] = Thread.currentThread();
            begun.countDown();
            lock.lock();
            boolean interrupted = Thread.interrupted();
            lock.unlock();
            return interrupted;
        });
        begun.await();
        awaitThatItWaits(waiting[0]);
        waiting[0].interrupt();
        awaitThatItWaits(waiting[0]);
        assertThat(waiter).isNotDone();
        lock.unlock();
        assertThat(waiter.get(1, TimeUnit.MINUTES)).as("the flag afterwards").isTrue();
    }

    @Test
    void lossIsReportedByUnlock() throws Exception {
        lock.lock();
        locker.restored();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(ConcurrentModificationException.class)
                .hasCauseInstanceOf(LockLostException.class)
                .hasMessageContaining("restored from a checkpoint");
        assertThat(lock.tryLock(1, TimeUnit.MINUTES)).as("taken anew").isTrue();
    }

    @Test
    void tryThatFindsTheLeaseLostIsRefusedAndTheNextOneTakesTheLockAnew() throws Exception {
        lock.lock();
        locker.restored();
        assertThat(lock.tryLock()).as("with the lease that is lost").isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.tryLock(1, TimeUnit.MINUTES)).as("anew").isTrue();
        locker.restored();
        assertThat(lock.tryLock(1, TimeUnit.MINUTES))
                .as("with the lease that is lost")
                .isFalse();
        assertThat(lock.tryLock(1, TimeUnit.MINUTES)).as("anew").isTrue();
        lock.unlock();
        assertThat(isFreeForTheOtherThread()).isTrue();
    }

    @Test
    void lossIsReportedByTheInnerUnlockAsByTheOuterOne() {
        lock.lock();
        lock.lock();
        locker.restored();
        assertThatThrownBy(lock::unlock).as("inner").isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(lock::unlock).as("outer").isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(lock::unlock).as("once too often").isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void lossThatATryHasReportedIsReportedByUnlockToo() {
        lock.lock();
        locker.restored();
        assertThat(lock.tryLock()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void callThatWaitsIsToldOfTheLossByAnException() throws Exception {
        lock.lock();
        locker.restored();
        assertThatThrownBy(lock::lock)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.getReason()).isNotEqualTo(LockLoss.Reason.OTHER))
                .hasMessageContaining("'k'");
        lock.lock();
        locker.restored();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(LockLostException.class);
    }

    @Test
    void requestSaysHowTheLockIsHeld() throws Exception {
        RemoteReentrantLock job = locks.get(LockRequest.of("k").holdAtLeast(Duration.ofDays(1)));
        job.lock();
        job.unlock();
        assertThat(job.isHeldByCurrentThread()).isFalse();
        assertThat(isFreeForTheOtherThread()).isFalse();
    }

    @Test
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void nullIsRefusedAtOnce() {
        assertThatThrownBy(() -> new ReentrantLocks(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RemoteLocker");
        assertThatThrownBy(() -> locks.get((LockRequest) null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LockRequest.of");
        assertThatThrownBy(() -> locks.get((String) null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void lockHasNoConditions() {
        assertThatThrownBy(lock::newCondition)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'k'");
        assertThat(lock).hasToString("RemoteReentrantLock[k]");
    }

    @Test
    void nothingIsStoredOfALockThatNobodyHolds() throws Exception {
        for (int number = 0; number < 100; number++) {
            RemoteReentrantLock other = locks.get("other:" + number);
            other.lock();
            other.unlock();
        }
        assertThat(isFreeForTheOtherThread()).isTrue();
        assertThat(((ThreadHolds) Leftovers.of(locks, "holds")).size()).isZero();
    }
}
