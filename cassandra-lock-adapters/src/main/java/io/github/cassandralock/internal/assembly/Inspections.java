package io.github.cassandralock.internal.assembly;

import io.github.cassandralock.internal.cassandra.CassandraCellStore;
import io.github.cassandralock.internal.cassandra.CassandraForceReleaseRequestStore;
import io.github.cassandralock.internal.cassandra.CassandraInspectionStore;
import io.github.cassandralock.internal.cassandra.CqlRequests;
import io.github.cassandralock.internal.cassandra.LockSchema;
import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.QualifiedTable;
import io.github.cassandralock.internal.inspect.ForceReleaseRequestStore;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.migration.MigrationAlgorithm;
import io.github.cassandralock.internal.migration.MigrationInspection;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.thesis.queue.QueueAlgorithm;
import io.github.cassandralock.internal.thesis.queue.QueueInspection;
import io.github.cassandralock.internal.thesis.shadow.ShadowAlgorithm;
import io.github.cassandralock.internal.thesis.shadow.ShadowInspection;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.operator.TicketForceReleaser;
import io.github.cassandralock.internal.ticket.operator.TicketInspection;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Creates the inspection and the force-release of an algorithm's locks.
 *
 * @param parts of the algorithm; their clock is compared with the times at which threads arrived, for people
 * @param cassandra is not used for an algorithm of the application's own
 * @param threadIdPrefix of the locker
 */
public record Inspections(AlgorithmParts parts, Supplier<CassandraPorts> cassandra, Supplier<String> threadIdPrefix) {

    /** Returns what the process needs to force-release locks. Blocks: statements may be prepared. */
    public TicketForceReleaser.Means forceReleaseMeans(TicketAlgorithm algorithm) {
        return new TicketForceReleaser.Means(algorithm, ticket(algorithm), forceReleaseRequests());
    }

    /** Empty for an algorithm of the application's own. Blocks: statements may be prepared. */
    public Optional<LockInspection> of(LockAlgorithm present) {
        if (present instanceof TicketAlgorithm ticket) {
            return Optional.of(ticket(ticket));
        }
        if (present instanceof QueueAlgorithm) {
            return Optional.of(new QueueInspection(
                    cells(LockTable.QUEUE), cells(LockTable.QUEUE_MAIN), parts.wallClock(), threadIdPrefix.get()));
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
        LockSettings settings = parts.settings();
        return new TicketInspection(
                new CassandraInspectionStore(
                        requests(),
                        table(LockTable.SLOTS),
                        table(LockTable.SESSIONS),
                        lease -> new SessionSettings(lease, settings.clockDrift()).rowLife()),
                ticket::ownSession,
                TicketSettings.of(settings.longestHandOver()),
                parts.timers(),
                parts.timers().ticker());
    }

    private ForceReleaseRequestStore forceReleaseRequests() {
        return new CassandraForceReleaseRequestStore(requests(), table(LockTable.FORCE_RELEASES));
    }

    private CassandraCellStore cells(LockTable table) {
        return new CassandraCellStore(requests(), table(table));
    }

    private CqlRequests requests() {
        return parts.requests(cassandra.get().operations());
    }

    private QualifiedTable table(LockTable table) {
        return new QualifiedTable(
                LockSchema.keyspace(parts.settings().keyspace(), cassandra.get().session()), table);
    }
}
