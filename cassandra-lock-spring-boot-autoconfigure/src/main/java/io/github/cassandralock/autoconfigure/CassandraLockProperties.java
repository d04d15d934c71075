package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.cassandra.SchemaAction;
import io.github.cassandralock.internal.text.DurationText;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of the locks. Values outside their bounds are refused at start-up.
 *
 * @param enabled Whether the auto-configuration contributes any bean at all.
 * @param keyspace Keyspace in which the lock tables live, exactly as Cassandra stores its name. By default the keyspace
 *     of the session (spring.cassandra.keyspace-name).
 * @param schemaAction What happens to the lock tables at start-up: create-if-not-exists creates what is missing and
 *     validates the rest, validate requires all of them, none looks at nothing.
 * @param algorithm How processes agree on who holds a lock. All processes that share locks must use the same one.
 * @param consistency Quorum of reads and writes: quorum, or local-quorum where every process that takes locks lives in
 *     one data centre.
 * @param serialConsistency Consensus among which the sessions of the ticket algorithm are renewed: serial, or
 *     local-serial where consistency is local-quorum.
 * @param lease How long a crashed holder blocks others at most; renewed in the background while its process lives.
 *     From 2 seconds to 1 hour, and at least four times poll.max.
 * @param clockDrift How far the rates of two machines' clocks may differ, from 0% to 25%. A holder gives up its
 *     lease that much earlier.
 * @param poll Pauses of a waiter between two looks at who is ahead.
 * @param localHandover How threads of one process hand a lock to each other (ticket algorithm).
 * @param migration Which algorithms the algorithm migration takes together. Nothing to the others.
 */
@ConfigurationProperties("cassandra-lock")
public record CassandraLockProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String keyspace,
        @DefaultValue("create-if-not-exists") SchemaAction schemaAction,
        @DefaultValue("ticket") Algorithm algorithm,
        @DefaultValue("quorum") LockConsistency consistency,
        @DefaultValue("serial") LockSerialConsistency serialConsistency,
        @DefaultValue("15s") Duration lease,
        @DefaultValue("5%") ClockDrift clockDrift,
        @DefaultValue Poll poll,
        @DefaultValue LocalHandover localHandover,
        @Nullable Migration migration) {

    private static final Duration MIN_LEASE = Duration.ofSeconds(2);
    private static final Duration MAX_LEASE = Duration.ofHours(1);

    /** With a third, no slot would certainly exist at any time: it lives for three hours, two of which are for wrong clocks. */
    private static final double MAX_DRIFT = 0.25;

    /** How processes agree on who holds a lock. */
    public enum Algorithm {
        /** The ticket lock: fair, without clocks, with fencing tokens. */
        TICKET,

        /** The thesis's fair queue: threads queue by the time of their arrival. */
        QUEUE,

        /** The old algorithm that the thesis improves on: threads fight for the lock. */
        SHADOW,

        /** Two of the others at the same time, for a fleet that moves from one to the other: see migration. */
        MIGRATION
    }

    /**
     * The algorithms of a migration: a lock is held under both of them.
     *
     * @param from What the fleet comes from: shadow, queue or ticket.
     * @param to What the fleet moves to: shadow, queue or ticket, but another one. Decides who is served first.
     */
    public record Migration(Algorithm from, Algorithm to) {

        public Migration {
            if (!isSingle(from)) {
                throw invalid("migration.from", from);
            }
            if (!isSingle(to) || to == from) {
                throw invalid("migration.to", to);
            }
        }

        private static boolean isSingle(@Nullable Algorithm algorithm) {
            return algorithm != null && algorithm != Algorithm.MIGRATION;
        }

        static InvalidLockPropertyException invalid(String property, @Nullable Algorithm value) {
            return new InvalidLockPropertyException(
                    property,
                    value == null ? "" : value.name().toLowerCase(Locale.ROOT),
                    "must be 'shadow', 'queue' or 'ticket', and another one than the other side of the migration",
                    "ticket",
                    null);
        }
    }

    /**
     * Hand-over of a lock between threads of one process, which needs no database operation.
     *
     * @param maxTenure For how long threads of one process may hand a lock to each other before other processes get
     *     their turn. Zero: not at all, so that the order is strictly first come, first served across processes. At
     *     most a quarter of the lease.
     */
    public record LocalHandover(@DefaultValue("50ms") Duration maxTenure) {

        public LocalHandover {
            if (maxTenure.isNegative()) {
                throw new InvalidLockPropertyException(
                        "local-handover.max-tenure", maxTenure, "must not be less than zero", "50ms", null);
            }
        }
    }

    /**
     * Pauses of a waiter between two looks at who is ahead. A waiter adapts between them to how quickly the lock changes
     * hands.
     *
     * @param min Shortest pause, for a waiter that is next while the lock changes hands quickly. More than zero.
     * @param max Longest pause of a waiter that is next while the lock is held for long. At least poll.min.
     */
    public record Poll(
            @DefaultValue("1ms") Duration min,
            @DefaultValue("250ms") Duration max) {

        public Poll {
            if (min.isNegative() || min.isZero()) {
                throw new InvalidLockPropertyException("poll.min", min, "must be more than zero", "1ms", null);
            }
            if (max.compareTo(min) < 0) {
                throw new InvalidLockPropertyException(
                        "poll.max",
                        max,
                        "must be at least poll.min, which is '" + DurationText.exactly(min) + "'",
                        "250ms",
                        null);
            }
        }
    }

    public CassandraLockProperties {
        if (keyspace != null && keyspace.isBlank()) {
            throw new InvalidLockPropertyException(
                    "keyspace", keyspace, "must name a keyspace; leave it out to use the session's", "locks", null);
        }
        if (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_LEASE) > 0) {
            throw new InvalidLockPropertyException("lease", lease, "must be from 2s to 1h", "15s", null);
        }
        if (!(clockDrift.fraction() >= 0 && clockDrift.fraction() <= MAX_DRIFT)) {
            throw invalidDrift(clockDrift.toString(), null);
        }
        if (algorithm == Algorithm.MIGRATION && migration == null) {
            throw Migration.invalid("migration.from", null);
        }
        if (localHandover.maxTenure().multipliedBy(4).compareTo(lease) > 0) {
            throw new InvalidLockPropertyException(
                    "local-handover.max-tenure",
                    localHandover.maxTenure(),
                    "must be at most a quarter of 'cassandra-lock.lease', which is '" + DurationText.exactly(lease)
                            + "', or other processes would wait too long",
                    "50ms",
                    null);
        }
        if (consistency == LockConsistency.QUORUM && serialConsistency == LockSerialConsistency.LOCAL_SERIAL) {
            throw new InvalidLockPropertyException(
                    "serial-consistency",
                    "local-serial",
                    "must be 'serial' unless 'cassandra-lock.consistency' is 'local-quorum': processes in two data"
                            + " centres could both hold a lock",
                    "serial",
                    null);
        }
        if (poll.max().multipliedBy(4).compareTo(lease) > 0) {
            throw new InvalidLockPropertyException(
                    "poll.max",
                    poll.max(),
                    "must be at most a quarter of 'cassandra-lock.lease', which is '" + DurationText.exactly(lease)
                            + "', or a waiter could not keep its place",
                    "250ms",
                    null);
        }
    }

    static InvalidLockPropertyException invalidDrift(String value, @Nullable Throwable cause) {
        return new InvalidLockPropertyException("clock-drift", value, "must be a share from 0% to 25%", "5%", cause);
    }
}
