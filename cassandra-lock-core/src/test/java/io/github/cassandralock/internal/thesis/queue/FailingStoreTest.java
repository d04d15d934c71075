package io.github.cassandralock.internal.thesis.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.thesis.lease.CellContext;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.internal.thesis.lease.LeaseSettings;
import io.github.cassandralock.internal.thesis.time.GlobalTime;
import io.github.cassandralock.internal.thesis.time.GlobalTimeStore;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Cassandra fails, at once or in silence, before or after it has applied a write. */
class FailingStoreTest {

    private static final Duration LEASE = Duration.ofSeconds(4);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final List<String> deleted = new ArrayList<>();
    private final QueueAlgorithm algorithm = new QueueAlgorithm(
            new FailingCells(),
            GlobalTime.start(new FixedTime(), process, process),
            new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250)),
            new CellContext(
                    new FailingCells(),
                    new LeaseSettings(LEASE, 0.05),
                    process,
                    process,
                    new SplittableRandom(1),
                    new ProtocolCounters()));
    private boolean throwing;

    private static final class FixedTime implements GlobalTimeStore {

        @Override
        public CompletionStage<OptionalLong> read() {
            return CompletableFuture.completedFuture(OptionalLong.of(1_000));
        }

        @Override
        public CompletionStage<WriteOutcome> write(long micros) {
            return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
        }
    }

    /** No write is ever acknowledged. */
    private final class FailingCells implements CellStore {

        @Override
        public CompletionStage<WriteOutcome> write(String lockId, String cell, long timestamp, int ttlSeconds) {
            if (throwing) {
                throw new IllegalStateException("session closed");
            }
            return CompletableFuture.completedFuture(new WriteOutcome.Unknown(new TimeoutException("write")));
        }

        @Override
        public CompletionStage<WriteOutcome> delete(String lockId, String cell, long timestamp) {
            deleted.add(cell);
            return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
        }

        @Override
        public CompletionStage<List<String>> read(String lockId, String fromCell, int limit) {
            return CompletableFuture.completedFuture(List.of());
        }
    }

    private static void assertFailedWith(Attempt attempt, Class<? extends Throwable> cause) {
        assertThat(attempt.getOutcome().handle((grant, failure) -> failure).toCompletableFuture())
                .isCompletedWithValueMatching(
                        failure ->
                                failure != null && (cause.isInstance(failure) || cause.isInstance(failure.getCause())),
                        "failed with " + cause.getSimpleName());
    }

    @Test
    void mandatoryAttemptFailsAfterALeaseAndDeletesWhatMayHaveBeenWritten() {
        Attempt attempt = algorithm.acquire(AcquireRequest.waits("lock", "thread"));
        time.run(LEASE.minusMillis(300));
        assertThat(attempt.getOutcome().toCompletableFuture()).isNotDone();
        time.run(Duration.ofSeconds(1));
        assertFailedWith(attempt, TimeoutException.class);
        assertThat(deleted).containsExactly(new QueueCell(1_000, "thread").name());
    }

    @Test
    void softAttemptFailsAtOnceAndCleansUp() {
        Attempt attempt = algorithm.acquire(AcquireRequest.tries("lock", "thread"));
        assertFailedWith(attempt, TimeoutException.class);
        assertThat(deleted).contains(new QueueCell(1_000, "thread").name());
    }

    @Test
    void attemptEndsAlthoughTheStoreThrowsInsteadOfAnswering() {
        throwing = true;
        Attempt attempt = algorithm.acquire(AcquireRequest.waits("lock", "thread"));
        time.run(LEASE.plusSeconds(1));
        assertFailedWith(attempt, IllegalStateException.class);
    }
}
