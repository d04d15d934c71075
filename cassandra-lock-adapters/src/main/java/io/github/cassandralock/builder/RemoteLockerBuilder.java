package io.github.cassandralock.builder;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.LockListener;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.cassandra.LockingAlgorithm;
import io.github.cassandralock.cassandra.NoticeOptions;
import io.github.cassandralock.cassandra.SchemaAction;
import io.github.cassandralock.internal.assembly.AlgorithmFactory;
import io.github.cassandralock.internal.assembly.AlgorithmParts;
import io.github.cassandralock.internal.assembly.CassandraPorts;
import io.github.cassandralock.internal.assembly.Inspections;
import io.github.cassandralock.internal.assembly.LockSettings;
import io.github.cassandralock.internal.assembly.LockTuning;
import io.github.cassandralock.internal.assembly.NoticePort;
import io.github.cassandralock.internal.assembly.WrongSettingException;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.driver.DriverThreads;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.netty.NettyNoticeTransport;
import io.github.cassandralock.internal.netty.TransportSettings;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.startup.CqlName;
import io.github.cassandralock.internal.startup.ExplainedException;
import io.github.cassandralock.internal.startup.StartProgress;
import io.github.cassandralock.internal.text.ProcessName;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.operator.TicketForceReleaser;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.TimerThreads;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link io.github.cassandralock.RemoteLocker} on Apache Cassandra, without Spring. The settings have the names, defaults
 * and bounds of the properties below {@code cassandra-lock}. All processes that share locks need equal settings. Processes with and
 * without Spring may share locks.
 *
 * <p>Not thread-safe. A builder makes one locker or several.
 */
public final class RemoteLockerBuilder {

    private final CqlSession session;
    private final List<LockListener> listeners = new ArrayList<>();
    private @Nullable String applicationName;
    private @Nullable String keyspace;
    private @Nullable String prefix;
    private SchemaAction schemaAction = SchemaAction.CREATE_IF_NOT_EXISTS;
    private LockingAlgorithm algorithm = LockingAlgorithm.TICKET;
    private LockSettings.@Nullable Halves migration;
    private LockConsistency consistency = LockConsistency.QUORUM;
    private LockSerialConsistency serialConsistency = LockSerialConsistency.SERIAL;
    private Duration lease = Duration.ofSeconds(15);
    private double clockDrift = 0.05;
    private Duration localHandover = Duration.ofMillis(50);
    private Optional<NoticeOptions> notices = Optional.empty();
    private boolean forceRelease;
    private boolean deadlocks;
    private AbandonedPolicy abandoned = AbandonedPolicy.WARN;

    private RemoteLockerBuilder(CqlSession session) {
        this.session = Objects.requireNonNull(session, "session");
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param session through which the locks reach Cassandra. It belongs to the caller, and must stay open until the locker is
     *     closed
     * @return a new builder
     */
    public static RemoteLockerBuilder on(CqlSession session) {
        return new RemoteLockerBuilder(session);
    }

    /**
     * Sets the name by which administrators recognise the process, beside the machine's name.
     *
     * @param name of the application
     * @return this builder
     */
    public RemoteLockerBuilder applicationName(String name) {
        applicationName = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the keyspace of the lock tables. The default is the session's keyspace.
     *
     * @param name as CQL writes it: in lower case, or in double quotes
     * @return this builder
     */
    public RemoteLockerBuilder keyspace(String name) {
        keyspace = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the prefix of all lock ids of this locker. Lockers with different prefixes do not share locks. The default is none. Ids in
     * messages, and ids that methods return, are without the prefix.
     *
     * @param name at most 64 bytes in UTF-8; it has to be valid as a lock id
     * @return this builder
     */
    public RemoteLockerBuilder prefix(String name) {
        prefix = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets what is done with the lock tables. The default creates missing ones and validates existing ones.
     *
     * @param action what to do
     * @return this builder
     */
    public RemoteLockerBuilder schemaAction(SchemaAction action) {
        schemaAction = Objects.requireNonNull(action, "action");
        return this;
    }

    /**
     * Sets the algorithm. The default is {@link LockingAlgorithm#TICKET}.
     *
     * @param chosen one of {@code TICKET}, {@code QUEUE} and {@code SHADOW}
     * @return this builder
     */
    public RemoteLockerBuilder algorithm(LockingAlgorithm chosen) {
        algorithm = Objects.requireNonNull(chosen, "chosen");
        return this;
    }

    /**
     * Acquires locks under two algorithms at once, to change the algorithm instance by instance.
     *
     * @param from the algorithm before the migration
     * @param to the algorithm after the migration
     * @return this builder
     * @throws IllegalArgumentException if these are not two different ones of {@code TICKET}, {@code QUEUE} and {@code SHADOW}
     */
    public RemoteLockerBuilder migration(LockingAlgorithm from, LockingAlgorithm to) {
        requireOneCluster(from);
        requireOneCluster(to);
        migration = LockSettings.Halves.of(from, to);
        algorithm = LockingAlgorithm.MIGRATION;
        return this;
    }

    /**
     * Sets the consistency levels. The default is {@code QUORUM} and {@code SERIAL}.
     *
     * @param reads of reads and writes
     * @param serial of the lightweight transactions that renew sessions; {@code LOCAL_SERIAL} needs {@code LOCAL_QUORUM}
     * @return this builder
     */
    public RemoteLockerBuilder consistency(LockConsistency reads, LockSerialConsistency serial) {
        consistency = Objects.requireNonNull(reads, "reads");
        serialConsistency = Objects.requireNonNull(serial, "serial");
        return this;
    }

    /**
     * Sets the lease of the locks. The default is 15 seconds.
     *
     * @param time from 2 seconds to 1 hour
     * @return this builder
     */
    public RemoteLockerBuilder lease(Duration time) {
        lease = Objects.requireNonNull(time, "time");
        return this;
    }

    /**
     * Sets the highest relative difference between the rates of two machines' clocks. The default is 0.05.
     *
     * @param fraction from 0 to 0.25
     * @return this builder
     */
    public RemoteLockerBuilder clockDrift(double fraction) {
        clockDrift = fraction;
        return this;
    }

    /**
     * Sets for how long threads of this process may hand a lock to each other. The default is 50 ms.
     *
     * @param maxDuration 0 for none; at most a quarter of the lease
     * @return this builder
     */
    public RemoteLockerBuilder localHandover(Duration maxDuration) {
        localHandover = Objects.requireNonNull(maxDuration, "maxDuration");
        return this;
    }

    /**
     * Exchanges notices with other processes. By default, no port is opened.
     *
     * @param options where this process listens
     * @return this builder
     */
    public RemoteLockerBuilder notices(NoticeOptions options) {
        notices = Optional.of(options);
        return this;
    }

    /**
     * Sets whether this process force-releases a lock when the endpoint of another process requests it. The default is false.
     *
     * @param enabled equal in all processes that share locks
     * @return this builder
     */
    public RemoteLockerBuilder forceRelease(boolean enabled) {
        forceRelease = enabled;
        return this;
    }

    /**
     * Sets whether this process looks for deadlocks. The default is false.
     *
     * @param enabled equal in all processes that share locks
     * @return this builder
     */
    public RemoteLockerBuilder deadlocks(boolean enabled) {
        deadlocks = enabled;
        return this;
    }

    /**
     * Sets whether locks whose owner has gone are released, beside the warning. The default is false.
     *
     * @param release whether to release them
     * @return this builder
     */
    public RemoteLockerBuilder releaseAbandoned(boolean release) {
        abandoned = release ? AbandonedPolicy.RELEASE : AbandonedPolicy.WARN;
        return this;
    }

    /**
     * Adds a listener.
     *
     * @param listener called for locks that are acquired, released or lost, on a thread of the locker
     * @return this builder
     */
    public RemoteLockerBuilder listener(LockListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Creates or validates the tables, and makes the locker. Does I/O, and blocks: for some seconds if tables have to be created,
     * and for minutes at most. Renewals run on two daemon threads of the locker. If the method throws, nothing stays open.
     *
     * @return the locker, which the caller closes before the session
     * @throws IllegalArgumentException if a setting is outside its bounds, contradicts another, or cannot be followed on this
     *     machine. The message names the setting, and what is accepted
     * @throws IllegalStateException if locks cannot use the cluster, the keyspace or a table. The message has the reason, and
     *     what to do
     * @throws RuntimeException if Cassandra cannot be reached
     */
    public CloseableLocker build() {
        requireOneCluster(algorithm);
        LockSettings settings = settings();
        Deque<Runnable> endings = new ArrayDeque<>();
        ScheduledTimers timers = new ScheduledTimers();
        endings.addFirst(timers::close);
        try {
            return build(settings, timers, endings);
        } catch (ExplainedException e) {
            endAll(endings, e);
            throw new IllegalStateException(e.getMessage() + " " + e.action(), e);
        } catch (RuntimeException | Error e) {
            endAll(endings, e);
            throw e;
        }
    }

    private static void endAll(Iterable<Runnable> endings, Throwable failure) {
        try {
            OwningLocker.endAll(endings);
        } catch (RuntimeException notEnded) {
            failure.addSuppressed(notEnded);
        }
    }

    /** @param endings what has to be ended, in this order */
    private CloseableLocker build(LockSettings settings, ScheduledTimers timers, Deque<Runnable> endings) {
        ProtocolCounters counters = new ProtocolCounters();
        DriverThreads threads = new DriverThreads(timers, settings.lease());
        Optional<NettyNoticeTransport> transport = notices.map(options -> new NoticePort(
                        TimerThreads.PREFIX,
                        options,
                        settings.lease(),
                        session,
                        options.ssl().map(RemoteLockerBuilder::certificates),
                        timers,
                        counters)
                .open());
        transport.ifPresent(open -> endings.addFirst(open::close));
        AlgorithmParts parts = new AlgorithmParts(
                settings,
                LockTuning.USUAL,
                timers,
                WallClock.system(),
                () -> transport.map(NoticeTransport.class::cast),
                counters,
                RequestObserver.NONE,
                ProcessName.withApplication(applicationName),
                threads);
        LockAlgorithm created = new AlgorithmFactory(parts, CassandraPorts.of(session))
                .create(
                        () -> {
                            throw new IllegalStateException("a majority is refused before");
                        },
                        StartProgress.UNHEARD);
        try {
            if (created instanceof TicketAlgorithm ticket && settings.forceRelease()) {
                endings.addFirst(releaser(parts, ticket)::close);
            }
            return new OwningLocker(
                    created,
                    settings.lease(),
                    timers,
                    threads,
                    List.copyOf(listeners),
                    abandoned,
                    List.copyOf(endings));
        } catch (RuntimeException | Error e) {
            created.close();
            throw e;
        }
    }

    private TicketForceReleaser releaser(AlgorithmParts parts, TicketAlgorithm ticket) {
        TicketForceReleaser.Means means =
                new Inspections(parts, () -> CassandraPorts.of(session), () -> "").forceReleaseMeans(ticket);
        TicketForceReleaser releaser = new TicketForceReleaser(
                () -> Optional.of(means), parts.settings().sessions(), parts.timers());
        releaser.start();
        return releaser;
    }

    private static Supplier<TransportSettings.Tls> certificates(SSLContext context) {
        TransportSettings.Tls both = NoticePort.tls(context);
        return () -> both;
    }

    private LockSettings settings() {
        notices.ifPresent(options -> NoticePort.requirePort(options.port()));
        return new LockSettings(
                Optional.ofNullable(keyspace).map(RemoteLockerBuilder::identifier),
                Optional.ofNullable(prefix),
                schemaAction,
                algorithm,
                migration,
                consistency,
                serialConsistency,
                lease,
                clockDrift,
                localHandover,
                notices.isPresent(),
                forceRelease,
                deadlocks);
    }

    private static CqlIdentifier identifier(String name) {
        try {
            return CqlName.of(name);
        } catch (IllegalArgumentException e) {
            throw new WrongSettingException("keyspace", name, String.valueOf(e.getMessage()), CqlName.quoted(name), e);
        }
    }

    private static void requireOneCluster(LockingAlgorithm algorithm) {
        if (algorithm == LockingAlgorithm.MAJORITY) {
            throw new WrongSettingException(
                    "algorithm",
                    "majority",
                    "a majority needs a session for each cluster, and this locker has one",
                    "ticket",
                    null);
        }
    }
}
