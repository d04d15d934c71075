package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.internal.cassandra.CassandraBreakRequestStore;
import io.github.cassandralock.internal.cassandra.CassandraCellStore;
import io.github.cassandralock.internal.cassandra.CassandraInspectionStore;
import io.github.cassandralock.internal.cassandra.CqlRequests;
import io.github.cassandralock.internal.cassandra.LockSchema;
import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.QualifiedTable;
import io.github.cassandralock.internal.inspect.BreakRequestStore;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.migration.MigrationAlgorithm;
import io.github.cassandralock.internal.migration.MigrationInspection;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.startup.DeferredAlgorithm;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.thesis.queue.QueueAlgorithm;
import io.github.cassandralock.internal.thesis.queue.QueueInspection;
import io.github.cassandralock.internal.thesis.shadow.ShadowAlgorithm;
import io.github.cassandralock.internal.thesis.shadow.ShadowInspection;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.TicketBreaker;
import io.github.cassandralock.internal.ticket.TicketInspection;
import io.github.cassandralock.internal.ticket.TicketSettings;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import java.util.Optional;

/** Creates what shows and breaks locks of an algorithm that the auto-configuration has created. */
final class InspectionFactory {

    private final CassandraLockProperties properties;
    private final CassandraAccess cassandra;
    private final Timers timers;
    private final WallClock wallClock;
    private final String threadIdPrefix;

    /**
     * @param wallClock is compared with the times at which threads arrived, for people
     * @param threadIdPrefix what thread ids of this process begin with
     */
    InspectionFactory(
            CassandraLockProperties properties,
            CassandraAccess cassandra,
            Timers timers,
            WallClock wallClock,
            String threadIdPrefix) {
        this.properties = properties;
        this.cassandra = cassandra;
        this.timers = timers;
        this.wallClock = wallClock;
        this.threadIdPrefix = threadIdPrefix;
    }

    /**
     * Empty for an algorithm of the application's own. Blocks: statements are prepared for some algorithms.
     *
     * @throws IllegalStateException if the application has not been able to use Cassandra since its start
     */
    Optional<LockInspection> inspection(LockAlgorithm algorithm) {
        if (algorithm instanceof DeferredAlgorithm deferred) {
            return inspection(deferred.created().orElseThrow(InspectionFactory::notStarted));
        }
        if (algorithm instanceof TicketAlgorithm ticket) {
            return Optional.of(ticket(ticket));
        }
        if (algorithm instanceof QueueAlgorithm) {
            return Optional.of(new QueueInspection(
                    cells(LockTable.QUEUE), cells(LockTable.QUEUE_MAIN), wallClock, threadIdPrefix));
        }
        if (algorithm instanceof ShadowAlgorithm) {
            return Optional.of(
                    new ShadowInspection(cells(LockTable.SHADOW), cells(LockTable.SHADOW_MAIN), threadIdPrefix));
        }
        return algorithm instanceof MigrationAlgorithm both
                ? inspection(both.from())
                        .flatMap(from -> inspection(both.to()).map(to -> new MigrationInspection(from, to)))
                : Optional.empty();
    }

    private static IllegalStateException notStarted() {
        return new IllegalStateException(
                "this application has not been able to use Cassandra since its start (health says why)");
    }

    private TicketInspection ticket(TicketAlgorithm algorithm) {
        return new TicketInspection(
                new CassandraInspectionStore(
                        requests(),
                        table(LockTable.SLOTS),
                        table(LockTable.SESSIONS),
                        lease -> new SessionSettings(
                                        lease, properties.clockDrift().fraction())
                                .rowLife()),
                algorithm::ownSession,
                TicketSettings.of(
                        properties.localHandover().maxDuration(),
                        new PollBounds(
                                properties.poll().min(), properties.poll().max())),
                timers);
    }

    /** Breaks locks, and does so for others once it is started. */
    TicketBreaker breaker(TicketAlgorithm algorithm) {
        return new TicketBreaker(
                algorithm,
                ticket(algorithm),
                requestsToBreak(),
                new SessionSettings(properties.lease(), properties.clockDrift().fraction()),
                timers);
    }

    private BreakRequestStore requestsToBreak() {
        return new CassandraBreakRequestStore(requests(), table(LockTable.BREAKS));
    }

    private CassandraCellStore cells(LockTable table) {
        return new CassandraCellStore(requests(), table(table));
    }

    private CqlRequests requests() {
        return new CqlRequests(cassandra.sessions(), properties.consistency(), properties.serialConsistency());
    }

    private QualifiedTable table(LockTable table) {
        CqlIdentifier keyspace = LockSchema.keyspace(Optional.ofNullable(properties.keyspace()), cassandra.session());
        return new QualifiedTable(keyspace, table);
    }
}
