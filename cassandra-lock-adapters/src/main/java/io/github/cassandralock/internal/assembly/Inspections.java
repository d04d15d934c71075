package io.github.cassandralock.internal.assembly;

import io.github.cassandralock.internal.cassandra.CassandraBreakRequestStore;
import io.github.cassandralock.internal.cassandra.CassandraCellStore;
import io.github.cassandralock.internal.cassandra.CassandraInspectionStore;
import io.github.cassandralock.internal.cassandra.CqlRequests;
import io.github.cassandralock.internal.cassandra.LockSchema;
import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.QualifiedTable;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.inspect.BreakRequestStore;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.migration.MigrationAlgorithm;
import io.github.cassandralock.internal.migration.MigrationInspection;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.thesis.queue.QueueAlgorithm;
import io.github.cassandralock.internal.thesis.queue.QueueInspection;
import io.github.cassandralock.internal.thesis.shadow.ShadowAlgorithm;
import io.github.cassandralock.internal.thesis.shadow.ShadowInspection;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.operator.TicketBreaker;
import io.github.cassandralock.internal.ticket.operator.TicketInspection;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Creates what shows and breaks locks of an algorithm.
 *
 * @param cassandra is not used for an algorithm of the application's own
 * @param observer receives every request
 * @param wallClock is compared with the times at which threads arrived, for people
 * @param threadIdPrefix of the locker
 */
public record Inspections(
        LockSettings settings,
        Supplier<CassandraPorts> cassandra,
        RequestObserver observer,
        Timers timers,
        WallClock wallClock,
        Supplier<String> threadIdPrefix) {

    /** Returns what the process needs to break locks. Blocks: statements may be prepared. */
    public TicketBreaker.Means meansToBreak(TicketAlgorithm algorithm) {
        return new TicketBreaker.Means(algorithm, ticket(algorithm), requestsToBreak());
    }

    /** Empty for an algorithm of the application's own. Blocks: statements may be prepared. */
    public Optional<LockInspection> of(LockAlgorithm present) {
        if (present instanceof TicketAlgorithm ticket) {
            return Optional.of(ticket(ticket));
        }
        if (present instanceof QueueAlgorithm) {
            return Optional.of(new QueueInspection(
                    cells(LockTable.QUEUE), cells(LockTable.QUEUE_MAIN), wallClock, threadIdPrefix.get()));
        }
        if (present instanceof ShadowAlgorithm) {
            return Optional.of(
                    new ShadowInspection(cells(LockTable.SHADOW), cells(LockTable.SHADOW_MAIN), threadIdPrefix.get()));
        }
        return present instanceof MigrationAlgorithm both
                ? of(both.from()).flatMap(from -> of(both.to()).map(to -> new MigrationInspection(from, to)))
                : Optional.empty();
    }

    private TicketInspection ticket(TicketAlgorithm ticket) {
        return new TicketInspection(
                new CassandraInspectionStore(
                        requests(),
                        table(LockTable.SLOTS),
                        table(LockTable.SESSIONS),
                        lease -> new SessionSettings(lease, settings.clockDrift()).rowLife()),
                ticket::ownSession,
                TicketSettings.of(settings.longestHandOver(), settings.poll()),
                timers);
    }

    private BreakRequestStore requestsToBreak() {
        return new CassandraBreakRequestStore(requests(), table(LockTable.BREAKS));
    }

    private CassandraCellStore cells(LockTable table) {
        return new CassandraCellStore(requests(), table(table));
    }

    private CqlRequests requests() {
        return new CqlRequests(
                cassandra.get().operations(),
                settings.consistency(),
                settings.serialConsistency(),
                AlgorithmFactory.localQuorum(settings, cassandra.get().session()),
                observer);
    }

    private QualifiedTable table(LockTable table) {
        return new QualifiedTable(
                LockSchema.keyspace(settings.keyspace(), cassandra.get().session()), table);
    }
}
