package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.cassandra.CassandraCellStore;
import io.github.cassandralock.cassandra.CassandraGlobalTimeStore;
import io.github.cassandralock.cassandra.CqlRequests;
import io.github.cassandralock.cassandra.LockSchema;
import io.github.cassandralock.cassandra.LockTable;
import io.github.cassandralock.cassandra.QualifiedTable;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Ticker;
import io.github.cassandralock.spi.Timers;
import io.github.cassandralock.spi.WallClock;
import io.github.cassandralock.thesis.lease.LeaseTerms;
import io.github.cassandralock.thesis.queue.PollBounds;
import io.github.cassandralock.thesis.queue.QueueAlgorithm;
import io.github.cassandralock.thesis.time.GlobalTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Makes the configured algorithm, on tables that exist and are fit for it. */
final class AlgorithmFactory {

    /** Deletions are remembered for several lives of a cell: a replica may be down for a while. */
    private static final int REMEMBERED_LIVES = 4;

    private final CassandraLockProperties properties;
    private final CassandraAccess cassandra;
    private final Timers timers;

    AlgorithmFactory(CassandraLockProperties properties, CassandraAccess cassandra, Timers timers) {
        this.properties = properties;
        this.cassandra = cassandra;
        this.timers = timers;
    }

    LockAlgorithm create() {
        return switch (properties.algorithm()) {
            case QUEUE -> queue();
        };
    }

    private LockAlgorithm queue() {
        LeaseTerms terms =
                new LeaseTerms(properties.lease(), properties.clockDrift().fraction());
        CqlIdentifier keyspace =
                ensureTables(terms.ttlSeconds(), List.of(LockTable.QUEUE, LockTable.QUEUE_MAIN, LockTable.GLOBAL_TIME));
        CqlRequests requests = new CqlRequests(cassandra.sessions(), properties.consistency());
        GlobalTime time = GlobalTime.start(
                new CassandraGlobalTimeStore(requests, new QualifiedTable(keyspace, LockTable.GLOBAL_TIME)),
                systemClock(),
                timers);
        return new QueueAlgorithm(
                new CassandraCellStore(requests, new QualifiedTable(keyspace, LockTable.QUEUE)),
                new CassandraCellStore(requests, new QualifiedTable(keyspace, LockTable.QUEUE_MAIN)),
                time,
                terms,
                new PollBounds(properties.poll().min(), properties.poll().max()),
                Ticker.system(),
                timers,
                threadLocalRandom());
    }

    private CqlIdentifier ensureTables(int cellLifeSeconds, List<LockTable> tables) {
        CqlIdentifier keyspace = LockSchema.keyspace(Optional.ofNullable(properties.keyspace()), cassandra.session());
        new LockSchema(
                        cassandra.cql(),
                        cassandra.session(),
                        keyspace,
                        cellLifeSeconds,
                        cellLifeSeconds * REMEMBERED_LIVES)
                .ensure(properties.schemaAction(), properties.consistency(), tables);
        return keyspace;
    }

    private static WallClock systemClock() {
        return () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    private static RandomGenerator threadLocalRandom() {
        return () -> ThreadLocalRandom.current().nextLong();
    }
}
