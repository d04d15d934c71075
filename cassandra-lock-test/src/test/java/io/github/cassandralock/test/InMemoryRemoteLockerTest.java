package io.github.cassandralock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a test can do with the locker that no application can. That it is like the real one otherwise is the matter of {@code
 * LockerContract}.
 */
@Timeout(20)
class InMemoryRemoteLockerTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private final InMemoryRemoteLocker locker = new InMemoryRemoteLocker(new LockListener() {
        @Override
        public void onAcquired(String lockId, String threadId, Duration waited) {
            events.add("acquired " + lockId);
        }

        @Override
        public void onLost(String lockId, String threadId, LockLoss loss) {
            events.add("lost " + lockId + ": " + loss);
        }
    });

    @AfterEach
    void close() {
        locker.close();
    }

    @Test
    void lossHasTheReasonOfTheTest() {
        for (LockLoss.Reason reason : LockLoss.Reason.values()) {
            RemoteLock lock = locker.getLock("k");
            CompletableFuture<LockLoss> told = new CompletableFuture<>();
            lock.onLost(told::complete);
            LockLoss loss = new LockLoss(reason, "a test");
            locker.lose("k", loss);
            assertThat(told).succeedsWithin(SOON).isEqualTo(loss);
            assertThatThrownBy(lock::ensureHeld)
                    .isInstanceOfSatisfying(
                            LockLostException.class,
                            lost -> assertThat(lost.getReason()).isEqualTo(reason));
            lock.close();
        }
    }

    @Test
    void lockThatIsLostIsLostWhenTheCallReturnsAndGoesToTheNextWaiter() {
        RemoteLock lock = locker.getLock("k");
        CompletableFuture<LockLoss> told = new CompletableFuture<>();
        lock.onLost(told::complete);
        CompletableFuture<RemoteLock> waiter = locker.getLockAsync("k");
        locker.lose("k", "paused for too long");
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::ensureHeld)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("paused for too long");
        assertThat(told)
                .succeedsWithin(SOON)
                .isEqualTo(new LockLoss(LockLoss.Reason.LEASE_EXPIRED, "paused for too long"));
        assertThat(waiter)
                .succeedsWithin(SOON)
                .satisfies(next -> assertThat(next.isHeld()).isTrue());
        lock.close();
        assertThat(waiter.join().isHeld())
                .as("after the loser has closed its lock")
                .isTrue();
    }

    @Test
    void resetFreesAllLocksAndEndsWhatWasGoingOn() {
        RemoteLock held = locker.getLock("held");
        long token = held.reserveFencingToken();
        locker.getLock(LockRequest.of("left").holdAtLeast(Duration.ofHours(1))).close();
        CompletableFuture<RemoteLock> waiter = locker.getLockAsync("held");
        locker.reset();
        assertThat(held.isHeld()).isFalse();
        assertThat(waiter).failsWithin(SOON);
        assertThat(locker.isTaken("held") || locker.isTaken("left")).isFalse();
        assertThat(locker.getLock("held").reserveFencingToken()).isGreaterThan(token);
        assertThat(locker.tryGetLock("left")).isPresent();
        held.close();
        assertThat(locker.isTaken("held"))
                .as("after the loser has closed its lock")
                .isTrue();
    }

    @Test
    void resetAfterTheEndOpensNothing() {
        locker.close();
        locker.reset();
        assertThatThrownBy(() -> locker.getLock("k")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void otherLocksStayHeld() {
        RemoteLock other = locker.getLock("other");
        locker.getLock("k");
        locker.lose("k", "reason");
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void lockThatNobodyHoldsCannotBeLost() {
        locker.getLock("k").close();
        assertThatThrownBy(() -> locker.lose("k", "reason"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'k' is not held");
        locker.getLock("k");
        locker.lose("k", "reason");
        assertThatThrownBy(() -> locker.lose("k", "again")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void tellsWhetherALockIsTaken() {
        assertThat(locker.isTaken("k")).isFalse();
        RemoteLock lock = locker.getLock("k");
        assertThat(locker.isTaken("k")).isTrue();
        lock.close();
        assertThat(locker.isTaken("k")).isFalse();
    }

    @Test
    void listenersAreTold() throws InterruptedException {
        locker.getLock("k");
        locker.lose("k", "reason");
        assertThat(events.poll(10, TimeUnit.SECONDS)).isEqualTo("acquired k");
        assertThat(events.poll(10, TimeUnit.SECONDS)).isEqualTo("lost k: reason");
    }

    @Test
    void twoLockersShareNothing() {
        try (InMemoryRemoteLocker another = new InMemoryRemoteLocker()) {
            locker.getLock("k");
            assertThat(another.tryGetLock("k")).isPresent();
        }
    }
}
