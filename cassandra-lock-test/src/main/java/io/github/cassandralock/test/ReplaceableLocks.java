package io.github.cassandralock.test;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.test.InMemoryStore;
import io.github.cassandralock.internal.test.LosableAlgorithm;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The parts of {@link InMemoryRemoteLocker} that a reset replaces. */
record ReplaceableLocks(
        InMemoryStore store, LosableAlgorithm algorithm, AlgorithmLocker locker, ScheduledTimers timers) {

    private static final Duration LEASE = Duration.ofDays(365);
    private static final Duration LOCAL_HANDOVER = Duration.ofMillis(50);

    static ReplaceableLocks in(InMemoryStore store, LockListener... listeners) {
        ScheduledTimers timers = new ScheduledTimers();
        LosableAlgorithm algorithm = new LosableAlgorithm(new TicketAlgorithm(
                store,
                new SessionContext(
                        store, new SessionSettings(LEASE, 0), Ticker.system(), timers, UUID::randomUUID, "in memory"),
                TicketSettings.of(LOCAL_HANDOVER),
                WallClock.system()));
        return new ReplaceableLocks(
                store,
                algorithm,
                new AlgorithmLocker(algorithm, LEASE, Ticker.system(), timers, List.of(listeners)),
                timers);
    }

    void close() {
        locker.close(Duration.ZERO);
        timers.close();
    }
}
