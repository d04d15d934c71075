package io.github.cassandralock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks with permits in memory: who gets one, and what a permit cannot do. Costs nothing. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class PermitsInMemoryTest {

    private static final LockRequest PERMIT = LockRequest.of("api").permits(3);
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final InMemoryRemoteLocker locker = new InMemoryRemoteLocker();

    @AfterEach
    void close() {
        locker.close();
    }

    private RemoteLock permit() {
        return locker.getLockAsync(PERMIT, BOUND).join();
    }

    @Test
    void asManyHoldTheLockAsThereArePermits() {
        RemoteLock first = permit();
        assertThat(List.of(first, permit(), permit())).allMatch(lock -> lock.isHeld() && lock.getPermits() == 3);
        assertThat(locker.tryGetLock(PERMIT)).isEmpty();
        CompletableFuture<RemoteLock> next = locker.getLockAsync(PERMIT, BOUND);
        CompletableFuture<RemoteLock> alone = locker.getLockAsync("api", BOUND);
        first.close();
        next.join();
        assertThat(alone).as("a request without permits").isNotDone();
    }

    @Test
    void permitHasNoTokenValueOrPeriodAndIsNotConverted() {
        RemoteLock permit = permit();
        List<ThrowingCallable> refused = List.of(
                permit::reserveFencingToken,
                permit::reserveFencingTokenAsync,
                permit::readValue,
                () -> permit.writeValue(new byte[] {1}),
                () -> permit.beginPeriod(LocalDate.of(2026, 9, 30)),
                () -> permit.completePeriod(LocalDate.of(2026, 9, 30)),
                () -> permit.convert(LockMode.PROTECTED_READ));
        assertThat(refused)
                .allSatisfy(call -> assertThatExceptionOfType(UnsupportedOperationException.class)
                        .isThrownBy(call)
                        .withMessageContainingAll("'api'", "3 permits"));
        assertThat(permit.isHeld()).isTrue();
    }

    @Test
    void ownerThatHoldsAPermitDoesNotWaitForAnotherOne() {
        try (RemoteLock held = locker.getLock(PERMIT)) {
            assertThat(held.isHeld()).isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(() -> locker.getLock(PERMIT))
                    .withMessageContainingAll("already holds lock 'api'", "3 permits", "tryGetLock");
            assertThat(locker.tryGetLock(PERMIT)).isPresent();
        }
    }

    @Test
    void permitIsLostLikeAnyOtherLock() {
        RemoteLock lost = permit();
        locker.lose("api", "the lease ran out");
        assertThat(lost.isHeld()).isFalse();
        assertThat(List.of(permit(), permit(), permit())).allMatch(RemoteLock::isHeld);
    }

    @Test
    void permitsAreTakenTogetherWithOtherLocks() {
        MultiLockRequest both = MultiLockRequest.ofAll(List.of(PERMIT, LockRequest.of("order")));
        try (RemoteLocks taken = locker.getLocks(both, BOUND)) {
            assertThat(taken.isHeld()).isTrue();
            assertThat(permit().isHeld()).isTrue();
            assertThat(locker.tryGetLocks(both)).isEmpty();
        }
    }

    @Test
    void permitStaysTakenForItsMinimumTime() {
        LockRequest twoForAMinute = LockRequest.of("api").permits(2).holdAtLeast(Duration.ofMinutes(1));
        locker.getLockAsync(twoForAMinute).join().close();
        locker.getLockAsync(twoForAMinute).join().close();
        assertThat(locker.tryGetLock(twoForAMinute)).isEmpty();
        locker.advance(Duration.ofMinutes(2));
        assertThat(locker.tryGetLock(twoForAMinute)).isPresent();
    }

    @Test
    void everyFormOfCallThatWaitsForAPermitThrowsAtTheEndOfTheLocker() {
        assertThat(List.of(permit(), permit(), permit())).allMatch(RemoteLock::isHeld);
        MultiLockRequest both = MultiLockRequest.ofAll(List.of(PERMIT, LockRequest.of("order")));
        List<CompletableFuture<?>> calls = List.of(
                locker.getLockAsync(PERMIT),
                locker.getLockAsync(PERMIT, BOUND),
                locker.tryGetLockAsync(PERMIT, BOUND),
                locker.getLocksAsync(both),
                locker.tryGetLocksAsync(both, BOUND),
                CompletableFuture.supplyAsync(() -> locker.getLock(PERMIT)),
                CompletableFuture.supplyAsync(() -> locker.getLocks(both, BOUND)));
        locker.close();
        assertThat(calls)
                .allSatisfy(call -> assertThat(call)
                        .failsWithin(BOUND)
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOf(IllegalStateException.class)
                        .withMessageContaining("closed"));
        assertThat(locker.isTaken("api") || locker.isTaken("order")).isFalse();
    }
}
