package io.github.cassandralock.internal.thesis.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CellLeaseTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final RecordingStore store = new RecordingStore();
    private final CellWriter writer = writer(process, process);
    private final Cell main = new Cell(store, "lock", "main");
    private final Cell queue = new Cell(store, "lock", "queue");
    private final List<String> losses = new ArrayList<>();

    private CellWriter writer(Ticker ticker, Timers timers) {
        LeaseSettings settings = new LeaseSettings(LEASE, 0.05);
        return new CellWriter(
                new CellContext(store, settings, ticker, timers, new SplittableRandom(1), new ProtocolCounters()),
                1_000);
    }

    /** Answers at once, as the test has set. */
    private static final class RecordingStore implements CellStore {

        private final List<String> operations = new ArrayList<>();
        private final TreeMap<String, Long> timestamps = new TreeMap<>();
        private boolean failing;
        private boolean hanging;
        private final List<CompletableFuture<WriteOutcome>> unanswered = new ArrayList<>();

        @Override
        public CompletionStage<WriteOutcome> write(String lockId, String cell, long timestamp, int ttlSeconds) {
            return record("write " + cell, cell, timestamp);
        }

        @Override
        public CompletionStage<WriteOutcome> delete(String lockId, String cell, long timestamp) {
            return record("delete " + cell, cell, timestamp);
        }

        private CompletionStage<WriteOutcome> record(String operation, String cell, long timestamp) {
            operations.add(operation);
            Long before = timestamps.put(cell, timestamp);
            assertThat(before == null ? 0 : before)
                    .as("timestamp before " + operation)
                    .isLessThanOrEqualTo(timestamp);
            if (hanging) {
                unanswered.add(new CompletableFuture<>());
                return unanswered.get(unanswered.size() - 1);
            }
            return CompletableFuture.completedFuture(
                    failing ? new WriteOutcome.Unknown(new TimeoutException()) : WriteOutcome.APPLIED);
        }

        @Override
        public CompletionStage<List<String>> read(String lockId, String fromCell, int limit) {
            return CompletableFuture.completedFuture(List.of());
        }
    }

    private CellLease hold() {
        CellLease lease = CellLease.hold(List.of(main, queue), writer, process.nanos(), "no token");
        lease.getLoss().thenAccept(loss -> losses.add(loss.text()));
        return lease;
    }

    @Test
    void bothCellsAreRewrittenEveryHalfLeaseWhileTheLockIsHeld() {
        CellLease lease = hold();
        time.run(Duration.ofSeconds(16));
        assertThat(store.operations)
                .containsExactly("write main", "write queue", "write main", "write queue", "write main", "write queue");
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void releaseStopsRenewalsAndDeletesTheMainCellBeforeTheQueueCell() {
        CellLease lease = hold();
        lease.release();
        time.run(Duration.ofMinutes(1));
        assertThat(store.operations).containsExactly("delete main", "delete queue");
        assertThat(lease.isValid()).isFalse();
        assertThat(losses).isEmpty();
    }

    @Test
    void aRenewalThatFailsIsRepeatedUntilItSucceeds() {
        CellLease lease = hold();
        store.failing = true;
        time.run(Duration.ofSeconds(8));
        store.failing = false;
        time.run(Duration.ofSeconds(30));
        assertThat(lease.isValid()).isTrue();
        assertThat(losses).isEmpty();
    }

    @Test
    void aLeaseThatCannotBeRenewedIsLostBeforeItsCellsCanExpireAndSaysSoOnce() {
        CellLease lease = hold();
        store.failing = true;
        time.run(Duration.ofMillis(9_499));
        assertThat(lease.isValid()).isTrue();
        time.run(Duration.ofMillis(2));
        assertThat(lease.isValid()).isFalse();
        assertThat(losses).singleElement().asString().contains("10 s");
        time.run(Duration.ofMinutes(1));
        assertThat(losses).hasSize(1);
    }

    @Test
    void renewalWithoutAnAnswerDoesNotDelayTheReportOfTheLoss() {
        CellLease lease = hold();
        store.hanging = true;
        time.run(Duration.ofSeconds(10));
        assertThat(lease.isValid()).isFalse();
        assertThat(losses).hasSize(1);
    }

    @Test
    void leaseIsLostAfterALongerPauseOfTheProcessAndNoRenewalIsSentAfterwards() {
        CellLease lease = hold();
        process.pauseFor(Duration.ofSeconds(11));
        time.run(Duration.ofSeconds(30));
        assertThat(lease.isValid()).isFalse();
        assertThat(losses).hasSize(1);
        assertThat(store.operations).doesNotContain("write main");
    }

    @Test
    void aDeletionThatFailsIsRepeatedUntilItIsAcknowledged() {
        CellLease lease = hold();
        store.failing = true;
        lease.release();
        time.run(Duration.ofSeconds(3));
        store.failing = false;
        time.run(Duration.ofSeconds(3));
        int acknowledged = store.operations.size();
        time.run(Duration.ofMinutes(1));
        assertThat(store.operations).hasSize(acknowledged).contains("delete main", "delete queue");
    }

    @Test
    void abandonedLeaseIsNotRenewedAndItsReleaseFreesTheLock() {
        CellLease lease = hold();
        lease.abandon(new LockLoss(LockLoss.Reason.OTHER, "shutting down"));
        assertThat(losses).containsExactly("shutting down");
        assertThat(lease.isValid()).isFalse();
        time.run(Duration.ofSeconds(6));
        assertThat(store.operations).as("before the release").isEmpty();
        assertThat(lease.release()).isCompleted();
        lease.release();
        assertThat(store.operations).containsExactly("delete main", "delete queue");
    }

    @Test
    void leaseThatAThreadSawExpireIsNotRevivedByARenewalConfirmedAtThatInstant() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        Ticker ticker = () -> {
            long now = process.nanos();
            meanwhile.getAndSet(() -> {}).run();
            return now;
        };
        AtomicBoolean first = new AtomicBoolean(true);
        Timers expiryIsLate = delay -> first.getAndSet(false) ? new CompletableFuture<>() : process.after(delay);
        CellLease lease = CellLease.hold(List.of(main), writer(ticker, expiryIsLate), process.nanos(), "no token");
        store.hanging = true;
        time.run(Duration.ofMillis(9_499));
        List<Boolean> seen = new ArrayList<>();
        meanwhile.set(() -> {
            time.run(Duration.ofMillis(2));
            seen.add(lease.isValid());
        });
        store.unanswered.get(0).complete(WriteOutcome.APPLIED);
        assertThat(seen)
                .as("validity after 9.5 s, while the answer is processed")
                .containsExactly(false);
        assertThat(lease.isValid()).as("validity afterwards").isFalse();
    }
}
