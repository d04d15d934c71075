package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.cassandra.LockingAlgorithm;
import io.github.cassandralock.cassandra.SchemaAction;
import io.github.cassandralock.internal.assembly.LockSettings;
import io.github.cassandralock.internal.assembly.NoticePort;
import io.github.cassandralock.internal.startup.CqlName;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of the locks. A value outside its bounds stops the application at the start.
 *
 * @param enabled Whether to configure locks. If false, the auto-configuration creates no beans.
 * @param keyspace Keyspace of the lock tables, as CQL writes its name: in lower case, or in double quotes. Default: the keyspace
 *     of the session (spring.cassandra.keyspace-name).
 * @param prefix Prefix of all lock ids of the application, for example ${spring.application.name}. Applications with different
 *     prefixes share no locks. At most 64 bytes in UTF-8. Default: none; lock ids are global in the keyspace.
 * @param schemaAction What to do with the lock tables at the start: create-if-not-exists creates missing tables and validates
 *        existing ones; validate requires and validates all tables; none does nothing.
 * @param algorithm Algorithm that takes the locks. All processes that share locks must use the same one.
 * @param consistency Consistency level of reads and writes: quorum, or local-quorum if all processes that take locks run
 *     in one data centre.
 * @param serialConsistency Serial consistency level of the lightweight transactions that renew sessions (algorithm ticket):
 *        serial; or local-serial if consistency is local-quorum.
 * @param lease Lease of the locks. The process renews it in the background. If the process crashes, a waiting call gets its lock
 *        after one and a half leases at most. From 2 seconds to 1 hour.
 * @param clockDrift Highest relative difference between the rates of two machines' clocks, from 0% to 25%. A holder treats
 *     its lease as that much shorter. Above 15%, the locks of a crashed process may stay taken for longer than one and a half
 *     leases.
 * @param localHandover Hand-over of a lock between threads of one process (algorithm ticket).
 * @param notices Notices between processes: a waiting process receives a notice when its turn has come (algorithm ticket).
 * @param forceRelease Forced release of locks (algorithm ticket).
 * @param deadlock Search for deadlocks: owners that wait for each other in a cycle (algorithm ticket).
 * @param releaseAbandoned Whether to release a lock whose owner has gone. Nothing references its RemoteLock, or the only thread
 *        that may unlock it has ended. A warning names such a lock in any case.
 * @param migration The two algorithms of the algorithm migration. The other algorithms ignore it.
 * @param startup Whether the application needs Cassandra at its start. With eager, it does not start if Cassandra cannot be
 *     reached. With lazy, it starts. Until Cassandra can be reached, its health is DOWN, and calls for a lock fail at once.
 * @param sessionBean Name of the CqlSession bean whose session the locks use. Needed if the application has several and
 *     none is primary. The chosen one is left out where other beans are injected by type. Default: the session of the
 *     application's CassandraTemplate.
 * @param templateBean Name of the CassandraTemplate bean whose session and exception translator the locks use. Needed if the
 *     application has several and none is primary. The chosen one is left out where other beans are injected by type.
 * @param reconnection Return to nodes that were down.
 * @param aspect Advice of the annotation.
 */
@ConfigurationProperties("cassandra-lock")
public record CassandraLockProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String keyspace,
        @Nullable String prefix,
        @DefaultValue("create-if-not-exists") SchemaAction schemaAction,
        @DefaultValue("ticket") LockingAlgorithm algorithm,
        @DefaultValue("quorum") LockConsistency consistency,
        @DefaultValue("serial") LockSerialConsistency serialConsistency,
        @DefaultValue("15s") Duration lease,
        @DefaultValue("5%") ClockDrift clockDrift,
        @DefaultValue LocalHandover localHandover,
        @DefaultValue Notices notices,
        @DefaultValue ForceRelease forceRelease,
        @DefaultValue Deadlock deadlock,
        @DefaultValue("false") boolean releaseAbandoned,
        @Nullable Migration migration,
        @DefaultValue("eager") Startup startup,
        @Nullable String sessionBean,
        @Nullable String templateBean,
        @DefaultValue Reconnection reconnection,
        @DefaultValue Aspect aspect)
        implements InitializingBean {

    /** Whether the application needs Cassandra at its start. */
    public enum Startup {
        /** The application does not start if Cassandra cannot be reached. The default. */
        EAGER,

        /** The application starts even if Cassandra cannot be reached. Calls for a lock fail until Cassandra can be reached. */
        LAZY
    }

    /**
     * Advice of the annotation.
     *
     * @param order Place of the lock among the advice of one method. Advice with a lower order runs outside the lock, advice with
     *     a higher order inside. The default is a hundred below the lowest precedence, which transactions, caching and aspects
     *     without an order have.
     * @param unadvisedBeans What to do about a bean whose annotated methods would run without locks, because Spring made no
     *        proxy. With fail, startup fails; warn writes a warning.
     */
    public record Aspect(
            @DefaultValue("2147483547") int order,
            @DefaultValue("fail") UnadvisedBeans unadvisedBeans) {

        /** What to do about a bean whose annotations have no effect. */
        public enum UnadvisedBeans {
            /** The application does not start, or the bean is not created. The default. */
            FAIL,

            /** A warning names the bean, and its methods run without their locks. */
            WARN
        }
    }

    /**
     * Return to nodes that were down.
     *
     * @param maxDelay Longest pause between two tries to connect to a node that was down, for sessions that Spring Boot
     *     configures. It also applies between two tries of a lazy start. The driver's own value is 60 seconds: locks could stay
     *     unavailable for that time after an outage. With 0, the driver decides the pauses. A reconnection policy that the
     *     application has configured itself stays in effect.
     */
    public record Reconnection(@DefaultValue("5s") Duration maxDelay) {

        public Reconnection {
            InvalidLockPropertyException.check(
                    () -> LockSettings.requireNotNegative("reconnection.max-delay", maxDelay, "5s"));
        }
    }

    /**
     * The two algorithms of a migration. A lock is held under both of them.
     *
     * @param from Algorithm before the migration: shadow, queue, ticket or majority.
     * @param to Algorithm after the migration: shadow, queue, ticket or majority, different from migration.from. It
     *     determines the order in which waiters get the lock during the migration.
     */
    public record Migration(
            @Nullable LockingAlgorithm from, @Nullable LockingAlgorithm to) {

        public Migration {
            InvalidLockPropertyException.check(() -> LockSettings.Halves.of(from, to));
        }

        LockSettings.Halves halves() {
            return LockSettings.Halves.of(from, to);
        }
    }

    /**
     * Notices between processes. A process that exchanges them opens a port.
     *
     * @param enabled Whether this process exchanges notices with others. If false, it opens no port, and reads from Cassandra
     *        instead.
     * @param bindAddress Address of this machine to listen on. Default: the address from which this process reaches Cassandra.
     * @param advertisedAddress Where other processes reach this process, host or host:port; an IPv6 address with a port is
     *     [host]:port. Default: the address and port it listens on.
     * @param port Port to listen on. With 0, any free port.
     * @param ssl Encryption of notices.
     */
    public record Notices(
            @DefaultValue("false") boolean enabled,
            @Nullable String bindAddress,
            @Nullable String advertisedAddress,
            @DefaultValue("0") int port,
            @DefaultValue Ssl ssl) {

        /**
         * Encryption of notices. Without it they are authenticated, and lock ids can be read on the network.
         *
         * @param bundle Name of the SSL bundle (spring.ssl.bundle) with the certificate that this process shows, and its trust
         *        store. Set it in all processes that exchange notices, or in none.
         */
        public record Ssl(@Nullable String bundle) {}

        public Notices {
            InvalidLockPropertyException.check(() -> NoticePort.requirePort(port));
        }
    }

    /**
     * Forced release of locks.
     *
     * @param enabled Whether the endpoint cassandralocks can force-release a lock, and whether this process carries out such
     *     requests of other processes. Needs one more table, and one more read per third of a lease. Set the same value in all
     *     processes that share locks.
     */
    public record ForceRelease(@DefaultValue("false") boolean enabled) {}

    /**
     * Search for deadlocks. One call of each deadlock gets a LockDeadlockException.
     *
     * @param enabled Whether deadlocks are looked for. A deadlock is found after about six seconds. If false, a call in a deadlock
     *     waits until its time-out. Needs one more table. Set the same value in all processes that share locks: calls of others
     *     cannot be found.
     */
    public record Deadlock(@DefaultValue("false") boolean enabled) {}

    /**
     * Hand-over of a lock between threads of one process, which needs no request to Cassandra.
     *
     * @param maxDuration Longest time for which threads of one process may hand a lock over before a waiting process gets it.
     *     With 0, threads do not hand it over, and the order is strictly first come, first served across processes. At most a
     *     quarter of the lease.
     */
    public record LocalHandover(@DefaultValue("50ms") Duration maxDuration) {}

    public CassandraLockProperties {
        requireName(
                "keyspace", keyspace, "must name a keyspace; remove it to use the keyspace of the session", "locks");
        if (keyspace != null) {
            keyspaceName("keyspace", keyspace);
        }
        requireName(
                "session-bean",
                sessionBean,
                "must name a CqlSession bean; remove it to use the session of the CassandraTemplate",
                "lockSession");
        requireName(
                "template-bean",
                templateBean,
                "must name a CassandraTemplate bean; remove it to use the only or primary one",
                "lockTemplate");
        if (sessionBean != null && templateBean != null) {
            throw new InvalidLockPropertyException(
                    "template-bean",
                    templateBean,
                    "'cassandra-lock.session-bean' is '" + sessionBean
                            + "': locks use one session. Remove the property that does not name it",
                    templateBean,
                    null);
        }
    }

    /** Refuses what is out of bounds, or contradicts something else. Needs all values, so it runs after the construction. */
    @Override
    public void afterPropertiesSet() {
        InvalidLockPropertyException.check(this::settings);
    }

    /** The settings of the locker. */
    public LockSettings settings() {
        return new LockSettings(
                keyspaceName(),
                Optional.ofNullable(prefix),
                schemaAction,
                algorithm,
                migration == null ? null : migration.halves(),
                consistency,
                serialConsistency,
                lease,
                clockDrift.fraction(),
                localHandover.maxDuration(),
                notices.enabled(),
                forceRelease.enabled(),
                deadlock.enabled());
    }

    private static void requireName(String property, @Nullable String name, String problem, String example) {
        if (name != null && name.isBlank()) {
            throw new InvalidLockPropertyException(property, name, problem, example, null);
        }
    }

    /** The keyspace of the lock tables; empty for the session's keyspace. */
    public Optional<CqlIdentifier> keyspaceName() {
        return Optional.ofNullable(keyspace).map(CqlName::of);
    }

    /** @throws InvalidLockPropertyException if CQL does not take the name */
    static CqlIdentifier keyspaceName(String property, String name) {
        try {
            return CqlName.of(name);
        } catch (IllegalArgumentException e) {
            throw new InvalidLockPropertyException(
                    property, name, String.valueOf(e.getMessage()), CqlName.quoted(name), e);
        }
    }
}
