package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.inspect.LocalLock;
import io.github.cassandralock.internal.inspect.LocalLocks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What listeners and operators receive about a locker. */
class ObservedLockerTest extends ScriptedLockerTest {

    @Test
    void listenersReceiveAllEventsAlthoughAnotherListenerFails() {
        RemoteLock lock = granted("k");
        attempt(0).grant.lost.complete(new LockLoss(LockLoss.Reason.OTHER, "test"));
        lock.close();
        await().atMost(BOUND).until(() -> events.size() == 3);
        assertThat(events).containsExactlyInAnyOrder("acquired k", "lost k: test", "released k");
        assertThatThrownBy(() -> locker.getLock("j", Duration.ofMillis(10))).isInstanceOf(LockTimeoutException.class);
        await().atMost(BOUND).untilAsserted(() -> assertThat(events).contains("given up j"));
    }

    @Test
    void listenersReceiveALossBeforeTheReleaseThatFollows() {
        granted("k");
        locker.close();
        await().atMost(BOUND)
                .untilAsserted(() -> assertThat(events)
                        .containsExactly("acquired k", "lost k: the application is shutting down", "released k"));
    }

    @Test
    void listenersReceiveHowLongACallWaitedAndHowLongTheLockWasHeld() {
        AtomicLong clock = new AtomicLong(Duration.ofHours(1).toNanos());
        List<String> told = new CopyOnWriteArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void onAcquired(String lockId, String threadId, Duration waited) {
                told.add("waited " + waited);
            }

            @Override
            public void onReleased(String lockId, String threadId, Duration held) {
                told.add("held " + held);
            }
        };
        try (AlgorithmLocker timed = new AlgorithmLocker(algorithm, LEASE, clock::get, timers, List.of(listener))) {
            CompletableFuture<RemoteLock> future = timed.getLockAsync("k");
            clock.addAndGet(Duration.ofSeconds(3).toNanos());
            attempt(0).outcome.complete(Optional.of(attempt(0).grant));
            RemoteLock lock = future.join();
            clock.addAndGet(Duration.ofSeconds(5).toNanos());
            lock.close();
            await().atMost(BOUND).untilAsserted(() -> assertThat(told).containsExactly("waited PT3S", "held PT5S"));
        }
    }

    /** The locks of all names that are listed together are the oldest thousand. */
    @Test
    void locksOfOneNameAreListedAlthoughThousandsOfOthersAreOlder() {
        int older = 2 * LocalLocks.MOST;
        algorithm.grantAtOnce = true;
        for (int number = 0; number < older; number++) {
            locker.getLock("older:" + number);
        }
        locker.getLock("k");
        algorithm.grantAtOnce = false;
        for (int number = 0; number < older; number++) {
            locker.getLockAsync("older:" + number);
        }
        locker.getLockAsync("k");
        LocalLocks all = locker.localLocks(lockId -> true);
        assertThat(List.of(all.held().size(), all.waiting().size())).containsExactly(LocalLocks.MOST, LocalLocks.MOST);
        assertThat(List.of(all.heldCount(), all.waitingCount())).containsExactly(older + 1, older + 1);
        LocalLocks named = locker.localLocks("k"::equals);
        assertThat(named.held()).extracting(LocalLock::lockId).containsExactly("k");
        assertThat(named.waiting()).extracting(LocalLock::lockId).containsExactly("k");
        assertThat(List.of(named.heldCount(), named.waitingCount())).containsExactly(1, 1);
    }
}
