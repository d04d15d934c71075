package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How calls end that convert a lock, whatever the algorithm does. Costs a second. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LockConversionTest {

    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final ScheduledTimers timers = new ScheduledTimers();
    private final ConvertingGrant grant = new ConvertingGrant();
    private boolean supportsAll = true;
    private final AlgorithmLocker locker = new AlgorithmLocker(
            new GrantingAlgorithm(grant, mode -> supportsAll),
            Duration.ofSeconds(15),
            Ticker.system(),
            timers,
            List.of());

    @AfterEach
    void close() {
        locker.close(Duration.ZERO);
        timers.close();
    }

    /** Its conversions end when the test says so, or when they are given up. */
    private static final class ConvertingGrant extends PlainGrant {

        private volatile CompletableFuture<Optional<Grant>> conversion = new CompletableFuture<>();
        private volatile Runnable whileGivingUp = () -> {};
        private volatile boolean answersLater;
        private volatile LockMode asked = LockMode.NULL;
        private volatile LockMode present = LockMode.PROTECTED_READ;

        @Override
        public Optional<LockMode> getMode() {
            return Optional.of(present);
        }

        void converted() {
            present = asked;
            conversion.complete(Optional.of(this));
        }

        @Override
        public Attempt convert(LockMode mode) {
            asked = mode;
            CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
            conversion = outcome;
            return new Attempt() {
                @Override
                public CompletionStage<Optional<Grant>> getOutcome() {
                    return outcome;
                }

                @Override
                public void giveUp() {
                    whileGivingUp.run();
                    if (!answersLater) {
                        outcome.completeExceptionally(new CancellationException("given up"));
                    }
                }
            };
        }

        @Override
        public CompletionStage<Void> release() {
            conversion.completeExceptionally(new IllegalStateException("released"));
            return super.release();
        }
    }

    private RemoteLock reader() {
        return locker.getLock(LockRequest.of("prices").mode(LockMode.PROTECTED_READ));
    }

    @Test
    void lockHasTheModeWhenTheAlgorithmSaysSo() {
        RemoteLock lock = reader();
        CompletableFuture<Void> call = lock.convertAsync(LockMode.EXCLUSIVE);
        assertThat(lock.getMode()).isEqualTo(LockMode.PROTECTED_READ);
        grant.converted();
        assertThat(call).succeedsWithin(BOUND);
        assertThat(lock.getMode()).isEqualTo(LockMode.EXCLUSIVE);
    }

    @Test
    void conversionToThePresentModeAsksNobody() {
        RemoteLock lock = reader();
        lock.convert(LockMode.PROTECTED_READ);
        assertThat(lock.tryConvert(LockMode.PROTECTED_READ)).isTrue();
        assertThat(grant.asked).isEqualTo(LockMode.NULL);
    }

    @Test
    void lockThatIsConvertedWhileTheTimeOutPassesIsConverted() {
        RemoteLock lock = reader();
        grant.whileGivingUp = () -> grant.converted();
        lock.convert(LockMode.EXCLUSIVE, SHORT);
        assertThat(lock.getMode()).isEqualTo(LockMode.EXCLUSIVE);
    }

    @Test
    void timeOutLeavesTheLockAsItWasAndFreeForAnotherConversion() {
        RemoteLock lock = reader();
        assertThatThrownBy(() -> lock.convert(LockMode.EXCLUSIVE, SHORT))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("it is still held in mode PROTECTED_READ")
                .hasMessageEndingWith("each waits for the other: release it, and begin again");
        assertThat(lock.convertAsync(LockMode.EXCLUSIVE, SHORT))
                .failsWithin(BOUND)
                .withThrowableThat()
                .withCauseInstanceOf(LockTimeoutException.class);
        assertThat(lock.isHeld()).isTrue();
        CompletableFuture<Boolean> next = lock.tryConvertAsync(LockMode.EXCLUSIVE);
        grant.conversion.complete(Optional.empty());
        assertThat(next).succeedsWithin(BOUND).isEqualTo(false);
        assertThat(lock.getMode()).isEqualTo(LockMode.PROTECTED_READ);
    }

    @Test
    void futureThatTheCallerEndsGivesTheConversionUp() {
        RemoteLock lock = reader();
        for (int end = 0; end < 2; end++) {
            CompletableFuture<Void> call = lock.convertAsync(LockMode.EXCLUSIVE);
            assertThat(end == 0 ? call.cancel(true) : call.complete(null)).isTrue();
            assertThat(grant.conversion).isCompletedExceptionally();
        }
        assertThat(lock.getMode()).isEqualTo(LockMode.PROTECTED_READ);
    }

    @Test
    void futureOfAConversionThatIsDoneCannotBeCancelled() {
        RemoteLock lock = reader();
        CompletableFuture<Void> call = lock.convertAsync(LockMode.EXCLUSIVE);
        grant.whileGivingUp = () -> grant.converted();
        assertThat(call.cancel(true)).isFalse();
        assertThat(call).isCompleted();
        assertThat(lock.getMode()).isEqualTo(LockMode.EXCLUSIVE);
    }

    /** The algorithm writes still what it has decided. */
    @Test
    void whoeverGivesUpIsToldAtOnceWhatIsDecided() {
        RemoteLock lock = reader();
        grant.answersLater = true;
        CompletableFuture<Void> decided = lock.convertAsync(LockMode.EXCLUSIVE);
        grant.whileGivingUp = () -> grant.present = LockMode.EXCLUSIVE;
        assertThat(decided.cancel(true)).isFalse();
        assertThat(decided).isCompleted();
        grant.whileGivingUp = () -> {};
        CompletableFuture<Void> undecided = lock.convertAsync(LockMode.NULL);
        assertThat(undecided.cancel(true)).isTrue();
        assertThat(lock.tryConvertAsync(LockMode.EXCLUSIVE))
                .as("another conversion")
                .isNotNull();
    }

    @Test
    void conversionEndsWithTheLossOfTheLock() {
        RemoteLock lock = reader();
        CompletableFuture<Void> call = lock.convertAsync(LockMode.EXCLUSIVE);
        grant.abandon(new LockLoss(LockLoss.Reason.OTHER, "its lease ran out"));
        grant.conversion.completeExceptionally(new IllegalStateException("the lock is lost"));
        assertThat(call).failsWithin(BOUND).withThrowableThat().withCauseInstanceOf(LockLostException.class);
    }

    @Test
    void lockThatStaysTakenAfterItWasClosedIsNotConvertedAnyMore() {
        RemoteLock lock = locker.getLock(
                LockRequest.of("prices").mode(LockMode.PROTECTED_READ).holdAtLeast(BOUND));
        CompletableFuture<Void> call = lock.convertAsync(LockMode.EXCLUSIVE);
        lock.close();
        assertThat(call).failsWithin(BOUND).withThrowableThat().withMessageContaining("was closed");
        assertThatThrownBy(() -> lock.convert(LockMode.EXCLUSIVE)).hasMessageContaining("was closed");
        assertThat(grant.conversion).isCompletedExceptionally();
        assertThat(lock.getMode()).isEqualTo(LockMode.PROTECTED_READ);
    }

    @Test
    void failureOfTheStoreSaysThatTheLockIsStillHeld() {
        RemoteLock lock = reader();
        CompletableFuture<Void> call = lock.convertAsync(LockMode.EXCLUSIVE);
        grant.conversion.completeExceptionally(new java.io.IOException("no quorum"));
        assertThat(call)
                .failsWithin(BOUND)
                .withThrowableThat()
                .withCauseInstanceOf(LockStoreException.class)
                .withMessageContaining("It is still held in mode PROTECTED_READ");
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void lockerThatClosesEndsConversions() {
        RemoteLock lock = reader();
        CompletableFuture<Void> call = lock.convertAsync(LockMode.EXCLUSIVE);
        locker.close();
        assertThat(call).failsWithin(BOUND);
    }

    @Test
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void badInputIsRefusedAtOnce() {
        RemoteLock lock = reader();
        assertThat(locker.tryGetLock(LockRequest.of("prices").mode(LockMode.PROTECTED_READ)))
                .isPresent();
        assertThatThrownBy(() -> lock.convert(null))
                .as("beside another handle of this thread")
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is null");
        assertThatThrownBy(() -> lock.convert(LockMode.EXCLUSIVE, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use tryConvert");
        supportsAll = false;
        assertThatThrownBy(() -> lock.convert(LockMode.CONCURRENT_READ))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("the algorithm 'granting' does not support that mode");
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.getMode()).isEqualTo(LockMode.PROTECTED_READ);
    }
}
