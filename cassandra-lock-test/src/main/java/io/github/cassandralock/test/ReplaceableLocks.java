package io.github.cassandralock.test;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.test.CountedTasks;
import io.github.cassandralock.internal.test.InMemoryStore;
import io.github.cassandralock.internal.test.LosableAlgorithm;
import io.github.cassandralock.internal.test.MovableTime;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** The parts of {@link InMemoryRemoteLocker} that a reset replaces. */
record ReplaceableLocks(InMemoryStore store, LosableAlgorithm algorithm, AlgorithmLocker locker, MovableTime time) {

    /** A lease so long that no debugger's stop ends it. */
    private static final Duration LEASE = Duration.ofDays(30);

    private static final Duration LOCAL_HANDOVER = Duration.ofMillis(50);

    static ReplaceableLocks in(InMemoryStore store, LockListener... listeners) {
        CallbackThreads threads = CallbackThreads.create();
        AtomicInteger underWay = new AtomicInteger();
        MovableTime time = new MovableTime(() -> underWay.get() == 0);
        LosableAlgorithm algorithm = new LosableAlgorithm(new TicketAlgorithm(
                store,
                new SessionContext(store, new SessionSettings(LEASE, 0), time, time, UUID::randomUUID, "in memory"),
                TicketSettings.of(LOCAL_HANDOVER),
                WallClock.system()));
        AlgorithmLocker locker = new AlgorithmLocker(
                algorithm,
                LEASE,
                time,
                time,
                List.of(listeners),
                () -> CallObserver.NONE,
                new CallbackThreads(
                        new CountedTasks(threads.callbacks(), underWay),
                        new CountedTasks(threads.steps(), underWay),
                        threads.losses(),
                        threads.listener()),
                Optional::empty,
                AbandonedPolicy.WARN);
        return new ReplaceableLocks(store, algorithm, locker, time);
    }

    void close() {
        locker.close(Duration.ZERO);
        time.close();
    }
}
