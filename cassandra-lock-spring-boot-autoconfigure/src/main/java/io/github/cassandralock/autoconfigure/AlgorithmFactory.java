package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.autoconfigure.CassandraLockProperties.Algorithm;
import io.github.cassandralock.internal.cassandra.CassandraBirthStore;
import io.github.cassandralock.internal.cassandra.CassandraCellStore;
import io.github.cassandralock.internal.cassandra.CassandraGlobalTimeStore;
import io.github.cassandralock.internal.cassandra.CassandraSessionStore;
import io.github.cassandralock.internal.cassandra.CassandraSlotStore;
import io.github.cassandralock.internal.cassandra.CassandraWaitStore;
import io.github.cassandralock.internal.cassandra.CqlRequests;
import io.github.cassandralock.internal.cassandra.LocalQuorum;
import io.github.cassandralock.internal.cassandra.LockSchema;
import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.MajorityCheck;
import io.github.cassandralock.internal.cassandra.QualifiedTable;
import io.github.cassandralock.internal.connection.ContactedCluster;
import io.github.cassandralock.internal.deadlock.DeadlockSettings;
import io.github.cassandralock.internal.driver.Throttlers;
import io.github.cassandralock.internal.migration.MigrationAlgorithm;
import io.github.cassandralock.internal.migration.MigrationTokens;
import io.github.cassandralock.internal.notice.AuthenticatedChannel;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.startup.StartProgress;
import io.github.cassandralock.internal.startup.StartStage;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.SessionStore;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.thesis.lease.CellContext;
import io.github.cassandralock.internal.thesis.lease.CellStore;
import io.github.cassandralock.internal.thesis.lease.LeaseSettings;
import io.github.cassandralock.internal.thesis.queue.QueueAlgorithm;
import io.github.cassandralock.internal.thesis.shadow.ShadowAlgorithm;
import io.github.cassandralock.internal.thesis.time.GlobalTime;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.operator.TicketBreaker;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.spi.LockAlgorithm;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the configured algorithm, after it has created or validated the tables. */
final class AlgorithmFactory {

    private static final Logger log = LoggerFactory.getLogger(AlgorithmFactory.class);

    private final AlgorithmParts parts;
    private final CassandraLockProperties properties;
    private final CassandraAccess cassandra;

    AlgorithmFactory(AlgorithmParts parts, CassandraAccess cassandra) {
        this.parts = parts;
        this.properties = parts.properties();
        this.cassandra = cassandra;
    }

    /**
     * Logs the algorithm: a roll-out is complete when all instances have logged the same one.
     *
     * @param majority is used only if the algorithm majority is one of those that are configured
     */
    LockAlgorithm create(MajorityFactory majority, StartProgress progress) {
        LockAlgorithm algorithm = create(properties.algorithm(), majority, progress);
        log.info("Locks are taken with the algorithm '{}'", algorithm.name());
        if (hasCells() && properties.lease().compareTo(LeaseSettings.SHORTEST_SAFE_LEASE) < 0) {
            log.warn(
                    "The algorithm '{}' with a lease of {} is unsafe if the clocks of Cassandra's servers differ by more than a small"
                            + " part of it: a server removes the cells of a lock by its own clock, and then two callers may hold"
                            + " the lock. Set 'cassandra-lock.lease' to {}m or more on all instances, or use the algorithm"
                            + " 'ticket', for which servers' clocks may differ by two hours",
                    algorithm.name(),
                    DurationText.exactly(properties.lease()),
                    LeaseSettings.SHORTEST_SAFE_LEASE.toMinutes());
        }
        return algorithm;
    }

    /** Whether locks are cells with a time to live. */
    private boolean hasCells() {
        return switch (properties.algorithm()) {
            case QUEUE, SHADOW -> true;
            case TICKET, MAJORITY -> false;
            case MIGRATION -> {
                CassandraLockProperties.Migration migration = Objects.requireNonNull(properties.migration());
                yield migration.has(Algorithm.QUEUE) || migration.has(Algorithm.SHADOW);
            }
        };
    }

    /** Whether {@link #create}'s algorithm will support this mode. */
    static boolean supports(CassandraLockProperties properties, LockMode mode) {
        return properties.algorithm() == Algorithm.TICKET || mode == LockMode.EXCLUSIVE;
    }

    private LockAlgorithm create(Algorithm algorithm, MajorityFactory majority, StartProgress progress) {
        return switch (algorithm) {
            case TICKET -> ticket(progress);
            case QUEUE -> queue(progress);
            case SHADOW -> shadow(progress);
            case MAJORITY -> majority.create();
            case MIGRATION -> migration(Objects.requireNonNull(properties.migration()), majority, progress);
        };
    }

    /** A majority is created last: that opens sessions, and the other one may fail. */
    private LockAlgorithm migration(
            CassandraLockProperties.Migration migration, MajorityFactory majority, StartProgress progress) {
        boolean oldFirst = migration.from() != Algorithm.MAJORITY;
        LockAlgorithm first = create(oldFirst ? migration.from() : migration.to(), majority, progress);
        try {
            LockAlgorithm second = create(oldFirst ? migration.to() : migration.from(), majority, progress);
            MigrationTokens tokens = migration.has(Algorithm.TICKET) && migration.has(Algorithm.MAJORITY)
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
    record Ticket(TicketAlgorithm algorithm, CqlRequests requests, CqlIdentifier keyspace, CassandraSlotStore slots) {

        /** Prepares its statements; may block. */
        CassandraBirthStore births() {
            return new CassandraBirthStore(
                    requests,
                    new QualifiedTable(keyspace, LockTable.SLOTS),
                    new QualifiedTable(keyspace, LockTable.SESSIONS));
        }
    }

    private LockAlgorithm ticket(StartProgress progress) {
        CqlIdentifier keyspace = ticketTables(properties.keyspaceName(), progress);
        CqlRequests requests = requests();
        MajorityCheck check = MajorityCheck.of(requests, keyspace);
        check.requireNoMajority();
        return ticket(keyspace, requests, check::before).algorithm();
    }

    /** Creates or validates the tables that the algorithm ticket needs. Blocks. */
    CqlIdentifier ticketTables(Optional<CqlIdentifier> keyspace, StartProgress progress) {
        return ensureTables(keyspace, ticketTables(ticketSettings(), sessionSettings()), progress);
    }

    private SessionSettings sessionSettings() {
        return new SessionSettings(properties.lease(), properties.clockDrift().fraction());
    }

    private TicketSettings ticketSettings() {
        return TicketSettings.of(properties.localHandover().maxDuration(), pollBounds())
                .keeping(properties.notices().keep());
    }

    /** Creates or validates the tables, and creates the algorithm ticket. Blocks. */
    Ticket ticket(Optional<CqlIdentifier> configuredKeyspace, StartProgress progress) {
        return ticket(ticketTables(configuredKeyspace, progress), requests(), sessions -> sessions);
    }

    /** @param opening opens the sessions of this process */
    private Ticket ticket(CqlIdentifier keyspace, CqlRequests requests, UnaryOperator<SessionStore> opening) {
        CassandraSessionStore sessions =
                new CassandraSessionStore(requests, new QualifiedTable(keyspace, LockTable.SESSIONS));
        NoticeChannel channel =
                parts.notices().map(transport -> channel(transport, sessions)).orElse(NoticeChannel.OFF);
        CassandraSlotStore slots = new CassandraSlotStore(requests, new QualifiedTable(keyspace, LockTable.SLOTS));
        SessionContext context = new SessionContext(
                opening.apply(sessions),
                sessionSettings(),
                Ticker.system(),
                parts.timers(),
                UUID::randomUUID,
                parts.owner(),
                channel::open,
                parts.counters());
        TicketAlgorithm algorithm = properties.deadlock().enabled()
                ? new TicketAlgorithm(
                        slots,
                        context,
                        channel,
                        ticketSettings(),
                        parts.wallClock(),
                        new CassandraWaitStore(requests, new QualifiedTable(keyspace, LockTable.WAITS)),
                        deadlockSettings())
                : new TicketAlgorithm(slots, context, channel, ticketSettings(), parts.wallClock());
        return new Ticket(algorithm, requests, keyspace, slots);
    }

    private DeadlockSettings deadlockSettings() {
        return new DeadlockSettings(
                properties.deadlock().checkAfter(), properties.deadlock().checkInterval());
    }

    private Map<LockTable, Integer> ticketTables(TicketSettings settings, SessionSettings sessions) {
        Map<LockTable, Integer> lives = new EnumMap<>(LockTable.class);
        lives.put(LockTable.SLOTS, Math.toIntExact(settings.slotLife().toSeconds()));
        lives.put(LockTable.SESSIONS, Math.toIntExact(sessions.rowLife().toSeconds()));
        if (properties.deadlock().enabled()) {
            lives.put(LockTable.WAITS, Math.toIntExact(DeadlockSettings.LONGEST_ROW_LIFE.toSeconds()));
        }
        if (properties.breaking().enabled()) {
            lives.put(LockTable.BREAKS, Math.toIntExact(TicketBreaker.LONGEST_REQUEST.toSeconds()));
        }
        return lives;
    }

    private NoticeChannel channel(NoticeTransport transport, CassandraSessionStore sessions) {
        return new AuthenticatedChannel(
                transport,
                sessions::contact,
                properties.lease(),
                Ticker.system(),
                parts.timers(),
                new SecureRandom(),
                parts.counters());
    }

    private LockAlgorithm queue(StartProgress progress) {
        int life = leaseSettings().ttlSeconds();
        CqlIdentifier keyspace = ensureTables(
                properties.keyspaceName(),
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
                pollBounds(),
                cells(new CassandraCellStore(requests, new QualifiedTable(keyspace, LockTable.QUEUE_MAIN))));
    }

    private LockAlgorithm shadow(StartProgress progress) {
        int life = leaseSettings().ttlSeconds();
        CqlIdentifier keyspace = ensureTables(
                properties.keyspaceName(), Map.of(LockTable.SHADOW, life, LockTable.SHADOW_MAIN, life), progress);
        CqlRequests requests = requests();
        return new ShadowAlgorithm(
                new CassandraCellStore(requests, new QualifiedTable(keyspace, LockTable.SHADOW)),
                parts.wallClock(),
                cells(new CassandraCellStore(requests, new QualifiedTable(keyspace, LockTable.SHADOW_MAIN))));
    }

    private CellContext cells(CellStore mainRow) {
        return new CellContext(
                mainRow, leaseSettings(), Ticker.system(), parts.timers(), threadLocalRandom(), parts.counters());
    }

    private LeaseSettings leaseSettings() {
        return new LeaseSettings(properties.lease(), properties.clockDrift().fraction());
    }

    private PollBounds pollBounds() {
        return new PollBounds(properties.poll().min(), properties.poll().max());
    }

    private CqlRequests requests() {
        return new CqlRequests(
                cassandra.requests(),
                properties.consistency(),
                properties.serialConsistency(),
                localQuorum(properties, cassandra.session()),
                parts.observer());
    }

    /** Whose quorum answers. Refuses a driver that may send requests at a local consistency level to several data centres. */
    static LocalQuorum localQuorum(CassandraLockProperties properties, CqlSession session) {
        return LocalQuorum.of(
                properties.consistency().level(),
                "Or set 'cassandra-lock.consistency: quorum' and 'cassandra-lock.serial-consistency: serial' in all instances.",
                session);
    }

    private CqlIdentifier ensureTables(
            Optional<CqlIdentifier> configured, Map<LockTable, Integer> lives, StartProgress progress) {
        ContactedCluster.require(cassandra.session());
        progress.reached(StartStage.TABLES);
        localQuorum(properties, cassandra.session());
        CqlIdentifier keyspace = LockSchema.keyspace(configured, cassandra.session());
        new LockSchema(cassandra.operations(), cassandra.session(), keyspace)
                .ensure(
                        properties.schemaAction(),
                        properties.consistency(),
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
