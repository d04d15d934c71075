package io.github.cassandralock.it;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.internal.cassandra.CassandraCellStore;
import io.github.cassandralock.internal.cassandra.CassandraGlobalTimeStore;
import io.github.cassandralock.internal.cassandra.CassandraSessionStore;
import io.github.cassandralock.internal.cassandra.CassandraSlotStore;
import io.github.cassandralock.internal.cassandra.CqlRequests;
import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.QualifiedTable;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.cassandra.StoredIds;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.quorum.LocalQuorum;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.thesis.lease.CellContext;
import io.github.cassandralock.internal.thesis.lease.LeaseSettings;
import io.github.cassandralock.internal.thesis.queue.QueueAlgorithm;
import io.github.cassandralock.internal.thesis.time.GlobalTime;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import io.github.cassandralock.testing.applications.Application;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Many lockers in one JVM, each with what a process has: a session, a queue, a clock of its own. They share the session to
 * Cassandra of one application, whose tables must be there.
 */
final class Lockers implements AutoCloseable {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final double DRIFT = 0.05;

    private final CqlRequests requests;
    private final CqlIdentifier keyspace;
    private final ScheduledExecutorService timers = Executors.newScheduledThreadPool(2);
    private final List<AlgorithmLocker> all = new ArrayList<>();

    Lockers(Application application) {
        requests = new CqlRequests(
                application::session,
                LockConsistency.QUORUM,
                LockSerialConsistency.SERIAL,
                LocalQuorum.NOT_USED,
                StoredIds.WITHOUT_PREFIX,
                RequestObserver.NONE);
        keyspace = application.session().getKeyspace().orElseThrow();
    }

    /** @param clockOffset how far its wall clock is ahead */
    RemoteLocker ticket(Duration clockOffset) {
        return locker(new TicketAlgorithm(
                new CassandraSlotStore(requests, table(LockTable.SLOTS)),
                new SessionContext(
                        new CassandraSessionStore(requests, table(LockTable.SESSIONS), CassandraSessionStore.UNCHECKED),
                        new SessionSettings(LEASE, DRIFT),
                        Ticker.system(),
                        this::after,
                        UUID::randomUUID,
                        "test"),
                TicketSettings.of(Duration.ofMillis(50)),
                wallClock(clockOffset)));
    }

    RemoteLocker queue() {
        return locker(new QueueAlgorithm(
                new CassandraCellStore(requests, table(LockTable.QUEUE)),
                GlobalTime.start(
                        new CassandraGlobalTimeStore(requests, table(LockTable.GLOBAL_TIME)),
                        wallClock(Duration.ZERO),
                        this::after),
                PollBounds.OF_WAITERS,
                new CellContext(
                        new CassandraCellStore(requests, table(LockTable.QUEUE_MAIN)),
                        new LeaseSettings(LEASE, DRIFT),
                        Ticker.system(),
                        this::after,
                        () -> ThreadLocalRandom.current().nextLong(),
                        new ProtocolCounters())));
    }

    private RemoteLocker locker(LockAlgorithm algorithm) {
        AlgorithmLocker locker = new AlgorithmLocker(algorithm, LEASE, Ticker.system(), this::after, List.of());
        all.add(locker);
        return locker;
    }

    private QualifiedTable table(LockTable table) {
        return new QualifiedTable(keyspace, table);
    }

    private static WallClock wallClock(Duration offset) {
        return () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(offset));
    }

    private CompletableFuture<Void> after(Duration delay) {
        CompletableFuture<Void> timer = new CompletableFuture<>();
        ScheduledFuture<?> task = timers.schedule(() -> timer.complete(null), delay.toNanos(), TimeUnit.NANOSECONDS);
        timer.whenComplete((done, cancelled) -> task.cancel(false));
        return timer;
    }

    @Override
    public void close() {
        all.parallelStream().forEach(AlgorithmLocker::close);
        timers.shutdownNow();
    }
}
