package io.github.cassandralock.test;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.test.InMemoryStore;
import io.github.cassandralock.internal.test.LosableAlgorithm;
import io.github.cassandralock.internal.test.MovableTime;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The parts of {@link InMemoryRemoteLocker} that a reset replaces. */
record ReplaceableLocks(InMemoryStore store, LosableAlgorithm algorithm, AlgorithmLocker locker, MovableTime time) {

    /** So long that no debugger ends it. */
    private static final Duration LEASE = Duration.ofDays(30);

    private static final Duration LOCAL_HANDOVER = Duration.ofMillis(50);

    static ReplaceableLocks in(InMemoryStore store, LockListener... listeners) {
        MovableTime time = new MovableTime();
        LosableAlgorithm algorithm = new LosableAlgorithm(new TicketAlgorithm(
                store,
                new SessionContext(store, new SessionSettings(LEASE, 0), time, time, UUID::randomUUID, "in memory"),
                TicketSettings.of(LOCAL_HANDOVER),
                WallClock.system()));
        return new ReplaceableLocks(
                store, algorithm, new AlgorithmLocker(algorithm, LEASE, time, time, List.of(listeners)), time);
    }

    void close() {
        locker.close(Duration.ZERO);
        time.close();
    }
}
