package io.github.cassandralock.it;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Conversions by the public interface, between instances of an application on a real node. Costs a few seconds. Would catch a base
 * that is written or read wrongly, and calls that end in another way than the interface says.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ConversionIT {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration BOUND = Duration.ofMinutes(1);

    private final Instances instances;
    private String lockId = "";

    ConversionIT(CassandraCluster cluster) {
        instances = Instances.start(2, cluster, "conversions", List.of());
    }

    @AfterAll
    void stop() {
        instances.close();
    }

    @BeforeEach
    void anotherLock() {
        lockId = "conversion:" + UUID.randomUUID();
    }

    private RemoteLocker one() {
        return instances.get(0).locker();
    }

    private RemoteLocker other() {
        return instances.get(1).locker();
    }

    private LockRequest in(LockMode mode) {
        return LockRequest.of(lockId).mode(mode);
    }

    private boolean isFreeElsewhere(LockMode mode) {
        Optional<RemoteLock> lock = other().tryGetLock(in(mode));
        lock.ifPresent(RemoteLock::close);
        return lock.isPresent();
    }

    @Test
    void readerBecomesAWriterAndAReaderAgain() {
        try (RemoteLock lock = one().getLock(in(PROTECTED_READ))) {
            assertThat(isFreeElsewhere(PROTECTED_READ)).isTrue();
            lock.convert(EXCLUSIVE);
            assertThat(lock.getMode()).isEqualTo(EXCLUSIVE);
            assertThat(isFreeElsewhere(PROTECTED_READ)).isFalse();
            lock.convert(PROTECTED_READ);
            assertThat(lock.getMode()).isEqualTo(PROTECTED_READ);
            assertThat(isFreeElsewhere(PROTECTED_READ)).isTrue();
            assertThat(isFreeElsewhere(EXCLUSIVE)).isFalse();
        }
        assertThat(isFreeElsewhere(EXCLUSIVE)).isTrue();
    }

    @Test
    void handleIsConvertedSidewaysByTheModeThatCoversBoth() {
        try (RemoteLock lock = one().getLock(in(CONCURRENT_WRITE))) {
            assertThat(isFreeElsewhere(CONCURRENT_WRITE)).isTrue();
            lock.convert(PROTECTED_READ);
            assertThat(isFreeElsewhere(CONCURRENT_WRITE)).isFalse();
            assertThat(isFreeElsewhere(PROTECTED_READ)).isTrue();
        }
    }

    @Test
    void conversionGoesBeforeAWriterThatWaits() {
        RemoteLock reader = one().getLock(in(PROTECTED_READ));
        CompletableFuture<RemoteLock> writer = other().getLockAsync(in(EXCLUSIVE));
        assertThat(writer).failsWithin(SHORT);
        long first = reader.reserveFencingToken();
        reader.convert(EXCLUSIVE, BOUND);
        long second = reader.reserveFencingToken();
        assertThat(second).isGreaterThan(first);
        assertThat(writer).isNotDone();
        reader.close();
        try (RemoteLock lock = writer.join()) {
            assertThat(lock.reserveFencingToken()).isGreaterThan(second);
        }
    }

    @Test
    void ofTwoReadersThatBothWantToWriteOneGetsItWhenTheOtherLetsGo() {
        RemoteLock first = one().getLock(in(PROTECTED_READ));
        RemoteLock second = other().getLock(in(PROTECTED_READ));
        CompletableFuture<Void> conversion = first.convertAsync(EXCLUSIVE, BOUND);
        assertThatThrownBy(() -> second.convert(EXCLUSIVE, SHORT))
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining(
                        "was not converted to mode EXCLUSIVE within 300 ms; it is still held in mode PROTECTED_READ");
        assertThat(second.isHeld()).isTrue();
        assertThat(second.tryConvert(EXCLUSIVE)).isFalse();
        second.close();
        conversion.join();
        assertThat(first.getMode()).isEqualTo(EXCLUSIVE);
        first.close();
    }

    @Test
    void holderIsToldOfAConversionThatWaits() throws InterruptedException {
        try (RemoteLock first = one().getLock(in(PROTECTED_READ));
                RemoteLock second = one().getLockAsync(in(PROTECTED_READ)).join()) {
            CountDownLatch told = new CountDownLatch(1);
            second.onContention(() -> {
                second.convert(CONCURRENT_READ);
                told.countDown();
            });
            first.convert(PROTECTED_WRITE, BOUND);
            assertThat(told.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(second.getMode()).isEqualTo(CONCURRENT_READ);
        }
    }

    @Test
    void cancelledAndInterruptedConversionsLeaveTheLockAsItWas() throws InterruptedException {
        try (RemoteLock first = one().getLock(in(PROTECTED_READ));
                RemoteLock second = other().getLock(in(PROTECTED_READ))) {
            first.convertAsync(EXCLUSIVE).cancel(true);
            assertThat(triedAfterTheOneBefore(first)).isFalse();
            CompletableFuture<Throwable> outcome = new CompletableFuture<>();
            Thread converting = new Thread(
                    () -> {
                        try {
                            first.convert(EXCLUSIVE);
                            outcome.complete(new AssertionError("it was converted"));
                        } catch (RuntimeException e) {
                            outcome.complete(e);
                        }
                    },
                    "converting");
            converting.start();
            assertThat(outcome).failsWithin(SHORT);
            converting.interrupt();
            assertThat(outcome).succeedsWithin(BOUND).isInstanceOf(LockInterruptedException.class);
            converting.join();
            assertThat(first.isHeld()).isTrue();
            assertThat(first.getMode()).isEqualTo(PROTECTED_READ);
            second.close();
            first.convert(EXCLUSIVE, BOUND);
        }
    }

    @Test
    void whatCannotBeConvertedIsRefusedAtOnceAndNothingIsLost() {
        RemoteLock lock = one().getLock(in(PROTECTED_READ));
        assertRefused(
                lock, each -> each.convert(EXCLUSIVE, Duration.ZERO), IllegalArgumentException.class, "more than zero");
        RemoteLock reader = other().getLock(in(PROTECTED_READ));
        CompletableFuture<Void> first = lock.convertAsync(EXCLUSIVE);
        assertRefused(lock, each -> each.convert(EXCLUSIVE), IllegalStateException.class, "another conversion");
        assertThat(lock.isHeld()).isTrue();
        lock.close();
        assertThat(first)
                .failsWithin(BOUND)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class);
        assertRefused(lock, each -> each.convert(EXCLUSIVE), IllegalStateException.class, "was closed");
        reader.close();
    }

    private static void assertRefused(
            RemoteLock lock, Consumer<RemoteLock> call, Class<? extends Exception> type, String message) {
        assertThatThrownBy(() -> call.accept(lock)).isInstanceOf(type).hasMessageContaining(message);
    }

    /** A conversion that was cancelled ends a moment later, and until then another one is refused. */
    private static boolean triedAfterTheOneBefore(RemoteLock lock) {
        while (true) {
            try {
                return lock.tryConvert(EXCLUSIVE);
            } catch (IllegalStateException underWay) {
                Thread.onSpinWait();
            }
        }
    }
}
