package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much memory locks need in the process that uses them. */
class TicketMemoryTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final InstantStore store = new InstantStore(time);
    private final AlgorithmLocker locker = new AlgorithmLocker(
            new TicketAlgorithm(
                    store,
                    new SessionContext(
                            store, new SessionSettings(LEASE, 0.05), process, process, UUID::randomUUID, "test"),
                    TicketSettings.of(
                            Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250))),
                    process),
            LEASE,
            process,
            process,
            List.of());

    @AfterEach
    void close() {
        locker.close();
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 4; round++) {
            System.gc();
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    private void takeAndRelease(int from, int to) {
        for (int i = from; i < to; i++) {
            locker.getLock("lock:" + i).close();
        }
    }

    @Test
    @Tag("slow")
    void millionDistinctLockIdsInTurnLeaveNothingBehind() {
        takeAndRelease(0, 50_000);
        long before = usedHeap();
        takeAndRelease(50_000, 1_000_000);
        assertThat(usedHeap() - before)
                .as("bytes that a million locks, taken and released one after the other, leave on the heap")
                .isLessThan(1_000_000);
    }

    @Test
    void twentyMinutesOfManyLockIdsLeaveRowsOfFiveMinutesAndNoTombstone() {
        int mostRows = 0;
        for (int minute = 0; minute < 20; minute++) {
            takeAndRelease(minute * 10_000, (minute + 1) * 10_000);
            time.run(Duration.ofMinutes(1));
            mostRows = Math.max(mostRows, store.rows());
        }
        assertThat(mostRows).as("rows at the end of a minute").isLessThanOrEqualTo(50_000);
        assertThat(store.deletions()).as("rows deleted").isZero();
    }

    @Test
    void heldLockNeedsLittleMoreThanAKilobyteOfHeap() {
        takeAndRelease(0, 50_000);
        int count = 40_000; // what else changes on the heap meanwhile is shared by many
        List<RemoteLock> held = new ArrayList<>(count);
        long before = usedHeap();
        for (int i = 0; i < count; i++) {
            held.add(locker.getLock("held:" + i));
        }
        long perLock = (usedHeap() - before) / count;
        assertThat(perLock).as("bytes of heap per held lock").isLessThan(1_250);
        assertThat(held).as("locks held all the while").allMatch(RemoteLock::isHeld);
    }

    @Test
    void tenThousandHeldLocksAreRenewedByOneTransactionPerThirdOfALease() {
        for (int i = 0; i < 10_000; i++) {
            locker.getLock("held:" + i);
        }
        time.run(LEASE.multipliedBy(10));
        assertThat(store.renewals()).as("renewals in ten leases").isBetween(29L, 31L);
    }
}
