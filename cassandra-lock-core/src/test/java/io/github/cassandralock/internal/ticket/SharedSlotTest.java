package io.github.cassandralock.internal.ticket;

import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Threads that hold a lock with one slot: its lease, its loss and its minimum times are those of all of them (lock modes, section
 * 2). Costs nothing. Catches whatever treats the first or the last of them as the only one.
 */
class SharedSlotTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    /** Stores for how long each write of a slot was to live. */
    private static final class LifeStore extends InstantStore {

        private final List<Duration> lives = new ArrayList<>();

        LifeStore(SimulatedTime time) {
            super(time);
        }

        @Override
        public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
            lives.add(ttl);
            return super.write(lockId, slot, timestamp, ttl);
        }
    }

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final LifeStore store = new LifeStore(time);
    private final AtomicLong ids = new AtomicLong();

    /** By how much the clock is ahead of the timers: they are late when a process was paused. */
    private final AtomicLong ahead = new AtomicLong();

    private final TicketAlgorithm algorithm = new TicketAlgorithm(
            store,
            new SessionContext(
                    store,
                    new SessionSettings(LEASE, 0.05),
                    () -> process.nanos() + ahead.get(),
                    process,
                    () -> new UUID(0, ids.incrementAndGet()),
                    "test"),
            TicketSettings.of(Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250))),
            process);

    private Grant reader() {
        return algorithm
                .acquire(AcquireRequest.waits("lock", "reader").in(PROTECTED_READ))
                .getOutcome()
                .toCompletableFuture()
                .getNow(Optional.empty())
                .orElseThrow();
    }

    @Test
    void threadDoesNotShareASlotWhoseLeaseHasRunOut() {
        Grant first = reader();
        ahead.set(LEASE.toNanos());
        Grant second = reader();
        assertThat(first.isValid()).isFalse();
        assertThat(second.isValid()).isTrue();
        assertThat(GrantedSlots.of(second).session())
                .isNotEqualTo(GrantedSlots.of(first).session());
    }

    @Test
    void allThatShareALostSlotAreTold() {
        List<Grant> readers = Stream.generate(this::reader).limit(3).toList();
        algorithm.forceRelease(
                "lock",
                GrantedSlots.of(readers.get(0)).session(),
                GrantedSlots.of(readers.get(0)).attempt(),
                new LockLoss(LockLoss.Reason.OTHER, "test"));
        assertThat(readers)
                .allSatisfy(reader -> assertThat(reader.getLoss().toCompletableFuture())
                        .isCompletedWithValue(new LockLoss(LockLoss.Reason.OTHER, "test")));
    }

    @Test
    void slotStaysTakenForTheLongestOfTheMinimumTimesWhicheverComesLast() {
        List<Grant> readers = Stream.generate(this::reader).limit(3).toList();
        store.lives.clear();
        readers.get(0).keepTaken(Duration.ofMinutes(1));
        readers.get(1).keepTaken(Duration.ofHours(10));
        readers.get(2).keepTaken(Duration.ofMinutes(5));
        assertThat(store.lives.get(store.lives.size() - 1)).isGreaterThan(Duration.ofHours(10));
    }

    @Test
    void slotIsReleasedByTheLastOfItsHolders() {
        List<Grant> readers = Stream.generate(this::reader).limit(3).toList();
        readers.get(0).release();
        readers.get(2).release();
        assertThat(store.slot("lock")).as("with one holder left").isPresent();
        readers.get(1).release();
        assertThat(store.slot("lock")).isEmpty();
    }
}
