package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.ReentrantLocks;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.locker.held.AbandonedLocks;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.time.Ticker;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Which locks count as abandoned. The garbage is collected until a lock is found that is, and then no other one must be. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
@SuppressWarnings("LockNotBeforeTry") // a lock that nobody unlocks is what is tested
class AbandonedLocksTest {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final Logger log = (Logger) LoggerFactory.getLogger(AbandonedLocks.class);
    private final Level usual = log.getLevel();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Queue<CompletableFuture<Void>> timers = new ConcurrentLinkedQueue<>();
    private final SharingAlgorithm algorithm = new SharingAlgorithm();
    private final List<AlgorithmLocker> lockers = new ArrayList<>();

    @BeforeEach
    void listen() {
        lines.start();
        log.setLevel(Level.WARN);
        log.addAppender(lines);
    }

    @AfterEach
    void end() {
        log.detachAppender(lines);
        log.setLevel(usual);
        lockers.forEach(AlgorithmLocker::close);
    }

    private AlgorithmLocker locker(AbandonedPolicy policy) {
        AlgorithmLocker locker = new AlgorithmLocker(
                algorithm,
                Duration.ofSeconds(15),
                Ticker.system(),
                delay -> {
                    CompletableFuture<Void> timer = new CompletableFuture<>();
                    timers.add(timer);
                    return timer;
                },
                List.of(),
                () -> CallObserver.NONE,
                CallbackThreads.create(),
                Optional::empty,
                policy);
        lockers.add(locker);
        return locker;
    }

    private void look() {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        for (CompletableFuture<Void> timer = timers.poll(); timer != null; timer = timers.poll()) {
            due.add(timer);
        }
        due.forEach(timer -> timer.complete(null));
    }

    private List<String> found() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private void collectUntilFound(String lockId) {
        long end = System.nanoTime() + BOUND.toNanos();
        while (found().stream().noneMatch(line -> line.contains("'" + lockId + "'")) && System.nanoTime() - end < 0) {
            System.gc();
            look();
        }
    }

    private static void dropped(AlgorithmLocker locker, String lockId) {
        assertThat(locker.getLock(lockId).isHeld()).isTrue();
    }

    /** The lock that is dropped is the only one. */
    private void onlyTheDroppedLockIsFound(AlgorithmLocker locker, Object used) {
        try {
            dropped(locker, "dropped");
            collectUntilFound("dropped");
            look();
            assertThat(found()).singleElement().asString().startsWith("Lock 'dropped' was never closed");
        } finally {
            Reference.reachabilityFence(used);
        }
    }

    @Test
    void lockThatNothingReferencesIsFoundAndStaysTaken() {
        AlgorithmLocker locker = locker(AbandonedPolicy.WARN);
        dropped(locker, "a");
        collectUntilFound("a");
        assertThat(found())
                .singleElement()
                .asString()
                .contains("no object of the application references its RemoteLock", "It stays taken", "took it");
        assertThat(locker.tryGetLock("a")).isEmpty();
    }

    @Test
    void lockThatNothingReferencesIsReleasedIfThatIsConfigured() {
        AlgorithmLocker locker = locker(AbandonedPolicy.RELEASE);
        dropped(locker, "a");
        collectUntilFound("a");
        assertThat(found()).singleElement().asString().contains("It is released now");
        assertThat(locker.tryGetLock("a")).isPresent();
    }

    @Test
    void lockOfAThreadThatHasEndedIsFoundAtTheNextLook() throws InterruptedException {
        AlgorithmLocker locker = locker(AbandonedPolicy.RELEASE);
        ReentrantLocks locks = new ReentrantLocks(locker);
        Thread thread = new Thread(() -> locks.get("a").lock(), "worker");
        thread.start();
        thread.join();
        look();
        assertThat(found()).singleElement().asString().contains("has ended", "Thread 'worker' took it");
        locks.get("a").lock();
        locks.get("a").unlock();
    }

    @Test
    void eachLockIsFoundOnce() {
        AlgorithmLocker locker = locker(AbandonedPolicy.WARN);
        dropped(locker, "a");
        collectUntilFound("a");
        onlyOneMoreIsFound(locker);
    }

    private void onlyOneMoreIsFound(AlgorithmLocker locker) {
        dropped(locker, "b");
        collectUntilFound("b");
        assertThat(found()).hasSize(2);
    }

    @Test
    void stackIsShownIfItWasRecorded() {
        log.setLevel(Level.DEBUG);
        dropped(locker(AbandonedPolicy.WARN), "a");
        collectUntilFound("a");
        assertThat(lines.list)
                .singleElement()
                .satisfies(line -> assertThat(line.getThrowableProxy().getStackTraceElementProxyArray())
                        .anyMatch(frame ->
                                frame.getStackTraceElement().getMethodName().equals("dropped")));
    }

    @Test
    void lockThatIsReferencedIsNotFound() {
        AlgorithmLocker locker = locker(AbandonedPolicy.RELEASE);
        onlyTheDroppedLockIsFound(locker, locker.getLock("a"));
    }

    @Test
    void lockOfAFutureIsNotFound() {
        AlgorithmLocker locker = locker(AbandonedPolicy.RELEASE);
        CompletableFuture<RemoteLock> future = locker.getLockAsync("a");
        assertThat(future).succeedsWithin(BOUND);
        onlyTheDroppedLockIsFound(locker, future);
    }

    @Test
    void locksOfAGroupAreNotFoundWhileOneOfItsHandlesIsReferenced() {
        AlgorithmLocker locker = locker(AbandonedPolicy.RELEASE);
        onlyTheDroppedLockIsFound(
                locker, locker.getLocks(MultiLockRequest.of(List.of("a", "b"))).get("a"));
    }

    @Test
    void lockThatACallbackForItsLossReferencesIsNotFound() {
        AlgorithmLocker locker = locker(AbandonedPolicy.RELEASE);
        register(locker.getLock("a"));
        onlyTheDroppedLockIsFound(locker, locker);
    }

    private static void register(RemoteLock lock) {
        lock.onLost(reason -> lock.close());
    }

    @Test
    void lockThatWasClosedIsNotFoundAlsoIfItStaysTaken() {
        AlgorithmLocker locker = locker(AbandonedPolicy.RELEASE);
        locker.getLock(LockRequest.of("a").holdAtLeast(BOUND)).close();
        onlyTheDroppedLockIsFound(locker, locker);
    }

    @Test
    void handlesAndGroupsPrintWhatTheyAre() {
        AlgorithmLocker locker = locker(AbandonedPolicy.WARN);
        RemoteLock lock = locker.getLock("a");
        RemoteLocks locks = locker.getLocks(MultiLockRequest.of(List.of("b", "c")));
        assertThat(lock).hasToString("RemoteLock[a, EXCLUSIVE, held]");
        assertThat(locks).hasToString("RemoteLocks[b, c, held]");
        assertThat(locker).hasToString("RemoteLocker[sharing]");
        lock.close();
        locks.close();
        assertThat(lock).hasToString("RemoteLock[a, EXCLUSIVE, closed]");
        assertThat(locks).hasToString("RemoteLocks[b, c, not held]");
    }

    @Test
    void callbackOfAClosedHandleIsRefused() {
        RemoteLock lock = locker(AbandonedPolicy.WARN).getLock("a");
        lock.close();
        assertThatThrownBy(() -> lock.onLost(reason -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed, so the callback would never run: call onLost while");
    }
}
