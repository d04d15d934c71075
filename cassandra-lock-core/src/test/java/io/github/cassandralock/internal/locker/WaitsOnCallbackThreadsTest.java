package io.github.cassandralock.internal.locker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.RemoteLock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Code of applications that waits on all callback threads, for what callback threads deliver. */
class WaitsOnCallbackThreadsTest extends ScriptedLockerTest {

    private static final int THREADS = 4;
    private static final Set<Thread.State> WAITING = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    /** Four calls are granted. Then each waits on its callback thread. */
    private List<CompletableFuture<RemoteLock>> waiting(Function<String, RemoteLock> wait) {
        List<CompletableFuture<RemoteLock>> calls = IntStream.range(0, THREADS)
                .mapToObj(number -> locker.getLockAsync("outer" + number).thenApply(outer -> wait.apply("k" + number)))
                .toList();
        IntStream.range(0, THREADS).forEach(this::grant);
        attempt(2 * THREADS - 1);
        return calls;
    }

    private void grant(int number) {
        ScriptedAttempt attempt = attempt(number);
        attempt.outcome.complete(Optional.of(attempt.grant));
    }

    private void grantInner() {
        IntStream.range(THREADS, 2 * THREADS).forEach(this::grant);
    }

    private static void areGranted(List<CompletableFuture<RemoteLock>> calls) {
        assertThat(calls).allSatisfy(call -> assertThat(call).succeedsWithin(BOUND));
    }

    @Test
    void callbackThreadsThatWaitForAsynchronousCallsReceiveTheAnswers() {
        List<CompletableFuture<RemoteLock>> calls =
                waiting(lockId -> locker.getLockAsync(lockId).join());
        grantInner();
        areGranted(calls);
    }

    @Test
    void callbackThreadsThatWaitForDependentStagesReceiveTheAnswers() {
        List<CompletableFuture<RemoteLock>> calls = waiting(lockId -> locker.getLockAsync(lockId)
                .thenApply(Function.identity())
                .thenCompose(CompletableFuture::completedFuture)
                .join());
        grantInner();
        areGranted(calls);
    }

    /** The locks are free when a holder, whose own answer is behind these calls, has done its work. */
    @Test
    void blockingCallsOnCallbackThreadsDoNotKeepHoldersFromTheirAnswers() {
        List<CompletableFuture<RemoteLock>> calls = waiting(locker::getLock);
        locker.getLockAsync("holder").thenRun(this::grantInner);
        grant(2 * THREADS);
        areGranted(calls);
    }

    @Test
    void callbackThreadsThatWaitForReleasesReceiveTheirEnds() throws InterruptedException {
        List<RemoteLock> held = IntStream.range(0, THREADS)
                .mapToObj(number -> granted("held" + number))
                .toList();
        algorithm.attempts.forEach(attempt -> attempt.grant.release = new CompletableFuture<>());
        CountDownLatch closing = new CountDownLatch(THREADS);
        List<CompletableFuture<RemoteLock>> calls = held.stream()
                .map(lock -> locker.getLockAsync("k").thenApply(other -> {
                    CompletableFuture<Void> closed = lock.closeAsync();
                    closing.countDown();
                    closed.join();
                    return other;
                }))
                .toList();
        IntStream.range(THREADS, 2 * THREADS).forEach(this::grant);
        closing.await();
        algorithm.attempts.forEach(attempt -> attempt.grant.release.complete(null));
        areGranted(calls);
    }

    /** Four callback threads wait, and then a fifth action is due. */
    private void areNotReplaced(Consumer<RemoteLock> wait, Runnable answers) {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> calls = IntStream.rangeClosed(0, THREADS)
                .mapToObj(number -> locker.getLockAsync("k" + number).thenAccept(lock -> {
                    threads.add(Thread.currentThread());
                    wait.accept(lock);
                }))
                .toList();
        algorithm.attempts.forEach(attempt -> {
            attempt.grant.release = new CompletableFuture<>();
            attempt.grant.token = new CompletableFuture<>();
        });
        IntStream.range(0, THREADS).forEach(this::grant);
        await().until(() -> threads.size() == THREADS
                && threads.stream().map(Thread::getState).allMatch(WAITING::contains));
        grant(THREADS);
        answers.run();
        assertThat(calls).allSatisfy(call -> assertThat(call).succeedsWithin(BOUND));
        assertThat(threads).hasSize(THREADS);
    }

    /** The answers of the store come on threads of the driver. Otherwise a burst of actions starts a thread for each. */
    @Test
    void callbackThreadsThatWaitForTheStoreAreNotReplaced() {
        areNotReplaced(
                RemoteLock::close, () -> algorithm.attempts.forEach(attempt -> attempt.grant.release.complete(null)));
    }

    @Test
    void callbackThreadsThatWaitForTokensAreNotReplaced() {
        areNotReplaced(
                RemoteLock::reserveFencingToken,
                () -> algorithm.attempts.forEach(
                        attempt -> requireNonNull(attempt.grant.token).complete(1L)));
    }

    @Test
    void callbackThreadsThatTryAreNotReplaced() {
        areNotReplaced(
                lock -> locker.tryGetLock("tried"),
                () -> IntStream.rangeClosed(1, THREADS + 1)
                        .forEach(tried -> attempt(THREADS + tried).outcome.complete(Optional.empty())));
    }

    /** A callback may interrupt a worker. It must not wait until callbacks of others have released their locks. */
    @Test
    void callbacksForLossesRunWhileOthersWaitForTheStore() {
        List<RemoteLock> locks = IntStream.rangeClosed(0, THREADS)
                .mapToObj(number -> granted("k" + number))
                .toList();
        locks.subList(0, THREADS).forEach(lock -> lock.onLost(loss -> lock.close()));
        CompletableFuture<Void> last = new CompletableFuture<>();
        locks.get(THREADS).onLost(loss -> last.complete(null));
        algorithm.attempts.forEach(attempt -> {
            attempt.grant.release = new CompletableFuture<>();
            attempt.grant.lost.complete(new LockLoss(LockLoss.Reason.OTHER, "test"));
        });
        assertThat(last).succeedsWithin(BOUND);
        algorithm.attempts.forEach(attempt -> attempt.grant.release.complete(null));
    }
}
