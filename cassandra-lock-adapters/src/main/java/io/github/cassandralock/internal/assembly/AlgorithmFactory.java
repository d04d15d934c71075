package io.github.cassandralock.internal.assembly;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.cassandra.LockingAlgorithm;
import io.github.cassandralock.internal.cassandra.CassandraBirthStore;
import io.github.cassandralock.internal.cassandra.CassandraCellStore;
import io.github.cassandralock.internal.cassandra.CassandraGlobalTimeStore;
import io.github.cassandralock.internal.cassandra.CassandraSessionStore;
import io.github.cassandralock.internal.cassandra.CassandraSlotStore;
import io.github.cassandralock.internal.cassandra.CassandraWaitStore;
import io.github.cassandralock.internal.cassandra.CqlRequests;
import io.github.cassandralock.internal.cassandra.LockSchema;
import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.MajorityCheck;
import io.github.cassandralock.internal.cassandra.QualifiedTable;
import io.github.cassandralock.internal.deadlock.DeadlockSettings;
import io.github.cassandralock.internal.driver.Throttlers;
import io.github.cassandralock.internal.migration.MigrationAlgorithm;
import io.github.cassandralock.internal.migration.MigrationTokens;
import io.github.cassandralock.internal.notice.AuthenticatedChannel;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.startup.ContactedCluster;
import io.github.cassandralock.internal.startup.ExactDuration;
import io.github.cassandralock.internal.startup.StartProgress;
import io.github.cassandralock.internal.startup.StartStage;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.thesis.lease.CellContext;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.internal.thesis.lease.LeaseSettings;
import io.github.cassandralock.internal.thesis.queue.QueueAlgorithm;
import io.github.cassandralock.internal.thesis.shadow.ShadowAlgorithm;
import io.github.cassandralock.internal.thesis.time.GlobalTime;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.lock.Deadlocks;
import io.github.cassandralock.internal.ticket.operator.TicketForceReleaser;
import io.github.cassandralock.spi.LockAlgorithm;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the configured algorithm, after it has created or validated the tables. */
public final class AlgorithmFactory {

    private static final Logger log = LoggerFactory.getLogger(AlgorithmFactory.class);

    private final AlgorithmParts parts;
    private final LockSettings settings;
    private final CassandraPorts cassandra;

    public AlgorithmFactory(AlgorithmParts parts, CassandraPorts cassandra) {
        this.parts = parts;
        this.settings = parts.settings();
        this.cassandra = cassandra;
    }

    /**
     * Creates the algorithm and logs it. A roll-out is complete when all instances have logged one algorithm.
     *
     * @param majority creates the algorithm majority, if it is configured
     * @param progress is called for each stage
     */
    public LockAlgorithm create(Supplier<LockAlgorithm> majority, StartProgress progress) {
        LockAlgorithm algorithm = create(settings.algorithm(), majority, progress);
        settings.logChosen(algorithm);
        if (hasCells() && settings.lease().compareTo(LeaseSettings.SHORTEST_SAFE_LEASE) < 0) {
            log.warn(
                    "The algorithm '{}' with a lease of {} depends on the clocks of Cassandra's servers. It is unsafe"
                            + " if these clocks differ by more than a small part of the lease. A server removes the"
                            + " cells of a lock by its own clock, and then two callers may hold the lock. Set"
                            + " 'cassandra-lock.lease' to {}m or more on all instances, or use the algorithm 'ticket'."
                            + " With 'ticket', servers' clocks may differ by two hours",
                    algorithm.getName(),
                    ExactDuration.text(settings.lease()),
                    LeaseSettings.SHORTEST_SAFE_LEASE.toMinutes());
        }
        return algorithm;
    }

    /** Whether locks are cells with a time to live. */
    private boolean hasCells() {
        return switch (settings.algorithm()) {
            case QUEUE, SHADOW -> true;
            case TICKET, MAJORITY -> false;
            case MIGRATION -> {
                LockSettings.Halves migration = settings.halves();
                yield migration.has(LockingAlgorithm.QUEUE) || migration.has(LockingAlgorithm.SHADOW);
            }
        };
    }

    private LockAlgorithm create(LockingAlgorithm algorithm, Supplier<LockAlgorithm> majority, StartProgress progress) {
        return switch (algorithm) {
            case TICKET -> ticket(progress);
            case QUEUE -> queue(progress);
            case SHADOW -> shadow(progress);
            case MAJORITY -> majority.get();
            case MIGRATION -> migration(settings.halves(), majority, progress);
        };
    }

    /** A majority is created last, because it opens sessions, and the creation of the other algorithm may fail. */
    private LockAlgorithm migration(
            LockSettings.Halves migration, Supplier<LockAlgorithm> majority, StartProgress progress) {
        boolean oldFirst = migration.from() != LockingAlgorithm.MAJORITY;
        LockAlgorithm first = create(oldFirst ? migration.from() : migration.to(), majority, progress);
        try {
            LockAlgorithm second = create(oldFirst ? migration.to() : migration.from(), majority, progress);
            MigrationTokens tokens = migration.has(LockingAlgorithm.TICKET) && migration.has(LockingAlgorithm.MAJORITY)
                    ? MigrationTokens.NONE
                    : MigrationTokens.OF_THE_HALF_THAT_HAS_THEM;
            return new MigrationAlgorithm(oldFirst ? first : second, oldFirst ? second : first, tokens);
        } catch (RuntimeException | Error e) {
            first.close();
            throw e;
        }
    }

    /**
     * The algorithm ticket with its tables.
     *
     * @param slots also keeps tokens
     */
    public record Ticket(
            TicketAlgorithm algorithm, CqlRequests requests, CqlIdentifier keyspace, CassandraSlotStore slots) {

        /** Prepares its statements; may block. */
        public CassandraBirthStore births() {
            return new CassandraBirthStore(
                    requests,
                    new QualifiedTable(keyspace, LockTable.SLOTS),
                    new QualifiedTable(keyspace, LockTable.SESSIONS));
        }
    }

    private LockAlgorithm ticket(StartProgress progress) {
        CqlIdentifier keyspace = ticketTables(settings.keyspace(), progress);
        CqlRequests requests = requests();
        MajorityCheck check = MajorityCheck.of(requests, keyspace);
        check.requireNoMajority();
        return ticket(keyspace, requests, check::beforeSession).algorithm();
    }

    /** Creates or validates the tables that the algorithm ticket needs. Blocks. */
    public CqlIdentifier ticketTables(Optional<CqlIdentifier> keyspace, StartProgress progress) {
        return ensureTables(keyspace, ticketTables(), progress);
    }

    /** Creates or validates the tables, and creates the algorithm ticket. Blocks. */
    public Ticket ticket(Optional<CqlIdentifier> configuredKeyspace, StartProgress progress) {
        return ticket(ticketTables(configuredKeyspace, progress), requests(), CassandraSessionStore.UNCHECKED);
    }

    /** @param beforeSession is called before a session is opened, which is not opened if this fails */
    private Ticket ticket(CqlIdentifier keyspace, CqlRequests requests, Supplier<CompletionStage<Void>> beforeSession) {
        CassandraSessionStore sessions =
                new CassandraSessionStore(requests, new QualifiedTable(keyspace, LockTable.SESSIONS), beforeSession);
        NoticeChannel channel = parts.notices()
                .get()
                .map(transport -> channel(transport, sessions))
                .orElse(NoticeChannel.OFF);
        CassandraSlotStore slots = new CassandraSlotStore(requests, new QualifiedTable(keyspace, LockTable.SLOTS));
        SessionContext context = new SessionContext(
                sessions,
                settings.sessions(),
                parts.timers().ticker(),
                parts.timers(),
                UUID::randomUUID,
                parts.owner(),
                channel::open,
                parts.counters());
        Optional<Deadlocks> deadlocks = settings.deadlocks()
                ? Optional.of(Deadlocks.of(
                        new CassandraWaitStore(requests, new QualifiedTable(keyspace, LockTable.WAITS)),
                        slots,
                        context,
                        parts.tuning().deadlocks()))
                : Optional.empty();
        TicketAlgorithm algorithm =
                new TicketAlgorithm(slots, context, channel, parts.tickets(), parts.wallClock(), deadlocks);
        return new Ticket(algorithm, requests, keyspace, slots);
    }

    private Map<LockTable, Integer> ticketTables() {
        Map<LockTable, Integer> lives = new EnumMap<>(LockTable.class);
        lives.put(LockTable.SLOTS, Math.toIntExact(parts.tickets().slotLife().toSeconds()));
        lives.put(
                LockTable.SESSIONS,
                Math.toIntExact(settings.sessions().rowLife().toSeconds()));
        if (settings.deadlocks()) {
            lives.put(LockTable.WAITS, Math.toIntExact(DeadlockSettings.LONGEST_ROW_LIFE.toSeconds()));
        }
        if (settings.forceRelease()) {
            lives.put(LockTable.FORCE_RELEASES, Math.toIntExact(TicketForceReleaser.LONGEST_REQUEST.toSeconds()));
        }
        return lives;
    }

    private NoticeChannel channel(NoticeTransport transport, CassandraSessionStore sessions) {
        return new AuthenticatedChannel(
                transport,
                sessions::contact,
                settings.lease(),
                parts.timers().ticker(),
                parts.timers(),
                new SecureRandom(),
                parts.counters());
    }

    private LockAlgorithm queue(StartProgress progress) {
        int life = settings.leases().ttlSeconds();
        CqlIdentifier keyspace = ensureTables(
                settings.keyspace(),
                Map.of(LockTable.QUEUE, life, LockTable.QUEUE_MAIN, life, LockTable.GLOBAL_TIME, life),
                progress);
        CqlRequests requests = requests();
        GlobalTime time = GlobalTime.start(
                new CassandraGlobalTimeStore(requests, new QualifiedTable(keyspace, LockTable.GLOBAL_TIME)),
                parts.wallClock(),
                parts.timers());
        return new QueueAlgorithm(
                new CassandraCellStore(requests, new QualifiedTable(keyspace, LockTable.QUEUE)),
                time,
                PollBounds.OF_WAITERS,
                cells(new CassandraCellStore(requests, new QualifiedTable(keyspace, LockTable.QUEUE_MAIN))));
    }

    private LockAlgorithm shadow(StartProgress progress) {
        int life = settings.leases().ttlSeconds();
        CqlIdentifier keyspace = ensureTables(
                settings.keyspace(), Map.of(LockTable.SHADOW, life, LockTable.SHADOW_MAIN, life), progress);
        CqlRequests requests = requests();
        return new ShadowAlgorithm(
                new CassandraCellStore(requests, new QualifiedTable(keyspace, LockTable.SHADOW)),
                parts.wallClock(),
                cells(new CassandraCellStore(requests, new QualifiedTable(keyspace, LockTable.SHADOW_MAIN))));
    }

    private CellContext cells(CellStore mainRow) {
        return new CellContext(
                mainRow,
                settings.leases(),
                parts.timers().ticker(),
                parts.timers(),
                threadLocalRandom(),
                parts.counters());
    }

    private CqlRequests requests() {
        return parts.requests(cassandra.requests());
    }

    private CqlIdentifier ensureTables(
            Optional<CqlIdentifier> configured, Map<LockTable, Integer> lives, StartProgress progress) {
        ContactedCluster.require(cassandra.session());
        progress.reached(StartStage.TABLES);
        parts.localQuorum(cassandra.session());
        CqlIdentifier keyspace = LockSchema.keyspace(configured, cassandra.session());
        new LockSchema(cassandra.operations(), cassandra.session(), keyspace)
                .ensure(
                        settings.schemaAction(),
                        settings.consistency(),
                        new EnumMap<>(lives),
                        () -> progress.reached(StartStage.CREATION));
        progress.reached(StartStage.ALGORITHM);
        parts.threads().watch(cassandra.session());
        Throttlers.warnOf(cassandra.session());
        return keyspace;
    }

    private static RandomGenerator threadLocalRandom() {
        return () -> ThreadLocalRandom.current().nextLong();
    }
}
