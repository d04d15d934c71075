package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
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
import io.github.cassandralock.internal.lazy.DeferredAlgorithm;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.migration.MigrationAlgorithm;
import io.github.cassandralock.internal.migration.MigrationInspection;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
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
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Creates what shows and breaks locks of an algorithm that the auto-configuration has created. With a lazy start, that is possible
 * once the algorithm is there.
 */
final class InspectionFactory {

    private final CassandraLockProperties properties;
    private final ListableBeanFactory beans;
    private final Timers timers;
    private final WallClock wallClock;
    private final AlgorithmLocker locker;
    private final LockAlgorithm algorithm;

    /**
     * @param wallClock is compared with the times at which threads arrived, for people
     * @param algorithm of the locker
     */
    InspectionFactory(
            CassandraLockProperties properties,
            ListableBeanFactory beans,
            Timers timers,
            WallClock wallClock,
            AlgorithmLocker locker,
            LockAlgorithm algorithm) {
        this.properties = properties;
        this.beans = beans;
        this.timers = timers;
        this.wallClock = wallClock;
        this.locker = locker;
        this.algorithm = algorithm;
    }

    /** The name of the algorithm. */
    String algorithm() {
        return algorithm.name();
    }

    /**
     * Empty for an algorithm of the application's own. Blocks: statements may be prepared.
     *
     * @throws IllegalStateException if the algorithm is not there yet
     */
    Optional<LockInspection> inspection() {
        return inspection(present()
                .orElseThrow(() -> new IllegalStateException(
                        "this application has not been able to use Cassandra since its start (health says why)")));
    }

    /** Empty unless the algorithm is {@code ticket}, and is there. */
    Optional<TicketBreaker.Means> meansToBreak() {
        return present()
                .filter(TicketAlgorithm.class::isInstance)
                .map(TicketAlgorithm.class::cast)
                .map(ticket -> new TicketBreaker.Means(ticket, ticket(ticket), requestsToBreak()));
    }

    private Optional<LockAlgorithm> present() {
        return algorithm instanceof DeferredAlgorithm deferred ? deferred.created() : Optional.of(algorithm);
    }

    private Optional<LockInspection> inspection(LockAlgorithm present) {
        if (present instanceof TicketAlgorithm ticket) {
            return Optional.of(ticket(ticket));
        }
        if (present instanceof QueueAlgorithm) {
            return Optional.of(new QueueInspection(
                    cells(LockTable.QUEUE), cells(LockTable.QUEUE_MAIN), wallClock, locker.threadIdPrefix()));
        }
        if (present instanceof ShadowAlgorithm) {
            return Optional.of(new ShadowInspection(
                    cells(LockTable.SHADOW), cells(LockTable.SHADOW_MAIN), locker.threadIdPrefix()));
        }
        return present instanceof MigrationAlgorithm both
                ? inspection(both.from())
                        .flatMap(from -> inspection(both.to()).map(to -> new MigrationInspection(from, to)))
                : Optional.empty();
    }

    private TicketInspection ticket(TicketAlgorithm ticket) {
        return new TicketInspection(
                new CassandraInspectionStore(
                        requests(),
                        table(LockTable.SLOTS),
                        table(LockTable.SESSIONS),
                        lease -> new SessionSettings(
                                        lease, properties.clockDrift().fraction())
                                .rowLife()),
                ticket::ownSession,
                TicketSettings.of(
                        properties.localHandover().maxDuration(),
                        new PollBounds(
                                properties.poll().min(), properties.poll().max())),
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
                cassandra().operations(),
                properties.consistency(),
                properties.serialConsistency(),
                AlgorithmFactory.localQuorum(properties, cassandra().session()),
                beans.getBeanProvider(RequestObserver.class).getIfAvailable(() -> RequestObserver.NONE));
    }

    private QualifiedTable table(LockTable table) {
        CqlIdentifier keyspace =
                LockSchema.keyspace(properties.keyspaceName(), cassandra().session());
        return new QualifiedTable(keyspace, table);
    }

    private CassandraAccess cassandra() {
        return beans.getBean(CassandraAccess.class);
    }
}
