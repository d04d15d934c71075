package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockInterruptedException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How calls for a lock's value end, whatever the algorithm does. Costs half a second. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class LockValueTest {

    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final byte[] BYTES = "42".getBytes(StandardCharsets.UTF_8);

    private final ScheduledTimers timers = new ScheduledTimers();
    private final ValueGrant grant = new ValueGrant();
    private final AlgorithmLocker locker = new AlgorithmLocker(
            new GrantingAlgorithm(grant, mode -> true), Duration.ofMillis(300), Ticker.system(), timers, List.of());

    @AfterEach
    void close() {
        locker.close();
        timers.close();
    }

    private RemoteLock held(LockMode mode) {
        return locker.getLock(LockRequest.of("k").mode(mode));
    }

    /** Answers when the test does. */
    private static final class ValueGrant extends PlainGrant {

        private final CompletableFuture<LockValue> read = new CompletableFuture<>();
        private final CompletableFuture<Void> set = new CompletableFuture<>();
        private boolean keepsValues = true;

        @Override
        public CompletionStage<LockValue> readValue() {
            return keepsValues ? read : super.readValue();
        }

        @Override
        public CompletionStage<Void> writeValue(byte[] bytes) {
            return keepsValues ? set : super.writeValue(bytes);
        }
    }

    @Test
    void valueIsReadAndSet() {
        RemoteLock lock = held(LockMode.EXCLUSIVE);
        grant.read.complete(LockValue.of(BYTES, true));
        grant.set.complete(null);
        assertThat(lock.readValue().getBytes()).isEqualTo(BYTES);
        assertThat(lock.readValue().isDoubtful()).isTrue();
        lock.writeValue(BYTES);
    }

    @Test
    void callThatGaveUpLeavesNothingThatIsSetLater() {
        RemoteLock lock = held(LockMode.EXCLUSIVE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.writeValue(BYTES)).isInstanceOf(LockInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(grant.set).isCompletedExceptionally();
    }

    @Test
    void storeThatDoesNotAnswerEndsTheCallAndTheLockIsStillHeld() {
        RemoteLock lock = held(LockMode.EXCLUSIVE);
        assertThatThrownBy(() -> lock.writeValue(BYTES))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("The value of lock 'k' was not set because Cassandra did not answer");
        assertThat(grant.set).isCompletedExceptionally();
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void failureOfTheStoreIsTold() {
        RemoteLock lock = held(LockMode.PROTECTED_READ);
        grant.read.completeExceptionally(new IllegalStateException("no such column"));
        assertThatThrownBy(lock::readValue)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("The value of lock 'k' could not be read (no such column)");
    }

    @Test
    void algorithmThatKeepsNoValuesIsRefusedByTheNameOfTheLock() {
        grant.keepsValues = false;
        RemoteLock lock = held(LockMode.EXCLUSIVE);
        assertThatThrownBy(lock::readValue)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll("Lock 'k'", "Use the algorithm 'ticket'");
        assertThatThrownBy(() -> lock.writeValue(BYTES))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll("Lock 'k'", "Use the algorithm 'ticket'");
    }

    @Test
    void asynchronousCallsAreAnsweredWithoutBlocking() {
        RemoteLock lock = held(LockMode.EXCLUSIVE);
        CompletableFuture<byte[]> read = lock.readValueAsync().thenApply(LockValue::getBytes);
        CompletableFuture<Void> set = lock.writeValueAsync(BYTES);
        assertThat(read).isNotDone();
        assertThat(set).isNotDone();
        grant.read.complete(LockValue.of(BYTES, false));
        grant.set.complete(null);
        assertThat(read).succeedsWithin(BOUND).isEqualTo(BYTES);
        assertThat(set).succeedsWithin(BOUND);
        assertThat(lock.reserveFencingTokenAsync()).succeedsWithin(BOUND).isEqualTo(lock.reserveFencingToken());
    }

    @Test
    void asynchronousCallThatTheCallerEndsLeavesNothingThatIsSetLater() {
        CompletableFuture<Void> set = held(LockMode.EXCLUSIVE).writeValueAsync(BYTES);
        assertThat(set.cancel(false)).isTrue();
        assertThat(set).isCancelled();
        assertThat(grant.set).isCompletedExceptionally();
    }

    @Test
    void storeThatDoesNotAnswerEndsTheAsynchronousCall() {
        RemoteLock lock = held(LockMode.EXCLUSIVE);
        assertThat(lock.writeValueAsync(BYTES))
                .failsWithin(BOUND)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockStoreException.class)
                .withMessageContaining("The value of lock 'k' was not set because Cassandra did not answer");
        assertThat(grant.set).isCompletedExceptionally();
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void asynchronousCallsRefuseBadInputAtOnce() {
        RemoteLock lock = held(LockMode.PROTECTED_READ);
        assertThatThrownBy(() -> lock.writeValueAsync(BYTES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be set in mode PROTECTED_READ");
        lock.close();
        assertThatThrownBy(lock::readValueAsync).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::reserveFencingTokenAsync).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void handleThatWasClosedMeanwhileGetsNoAnswer() {
        RemoteLock lock = held(LockMode.EXCLUSIVE);
        CompletableFuture<LockValue> call = CompletableFuture.supplyAsync(lock::readValue);
        lock.close();
        grant.read.complete(LockValue.of(BYTES, false));
        assertThat(call)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    @SuppressWarnings("NullAway") // null is what a caller without null checks may pass
    void badCallsAreRefusedAtOnce() {
        assertThatThrownBy(() -> held(LockMode.PROTECTED_READ).writeValue(BYTES))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be set in mode PROTECTED_READ");
        RemoteLock nothing = locker.getLock(LockRequest.of("n").mode(LockMode.NULL));
        assertThatThrownBy(nothing::readValue)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot be read in mode NULL");
        RemoteLock lock = locker.getLock("x");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.writeValue(new byte[LockValue.MAX_BYTES + 1]))
                .withMessageContaining("at most 1024 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.writeValue(null))
                .withMessageContaining("null");
        lock.close();
        assertThatThrownBy(() -> lock.writeValue(BYTES)).isInstanceOf(IllegalStateException.class);
    }
}
