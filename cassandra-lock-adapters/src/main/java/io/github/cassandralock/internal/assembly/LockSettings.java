package io.github.cassandralock.internal.assembly;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.cassandra.LockingAlgorithm;
import io.github.cassandralock.cassandra.SchemaAction;
import io.github.cassandralock.internal.migration.MigrationAlgorithm;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.startup.ExactDuration;
import io.github.cassandralock.internal.thesis.lease.LeaseSettings;
import io.github.cassandralock.spi.LockAlgorithm;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a locker, with the names of the properties. A value outside its bounds is refused with a {@link
 * WrongSettingException}.
 *
 * @param keyspace of the lock tables; empty for the session's keyspace
 * @param prefix of all lock ids of the application; empty for none
 * @param clockDrift highest relative difference between the rates of two machines' clocks; 0.05 for five percent
 * @param longestHandOver between threads of one process
 * @param notices whether this process exchanges notices
 * @param forceRelease whether locks can be released by force
 * @param deadlocks whether this process looks for deadlocks
 * @param migration the two algorithms of a migration; other algorithms ignore it
 */
public record LockSettings(
        Optional<CqlIdentifier> keyspace,
        Optional<String> prefix,
        SchemaAction schemaAction,
        LockingAlgorithm algorithm,
        @Nullable Halves migration,
        LockConsistency consistency,
        LockSerialConsistency serialConsistency,
        Duration lease,
        double clockDrift,
        Duration longestHandOver,
        boolean notices,
        boolean forceRelease,
        boolean deadlocks) {

    private static final Logger log = LoggerFactory.getLogger(LockSettings.class);
    private static final Duration MIN_LEASE = Duration.ofSeconds(2);
    private static final Duration MAX_LEASE = Duration.ofHours(1);

    private static final int MAX_PREFIX_BYTES = 64;

    /** Keeps 3 h · (1 − drift) − 2 h positive. A session may rely on a slot for that long; a slot's time to live is 3 h. */
    private static final double MAX_DRIFT = 0.25;

    /** The two algorithms of a migration. A lock is held under both. */
    public record Halves(LockingAlgorithm from, LockingAlgorithm to) {

        /** Requires two different algorithms, neither of them {@code MIGRATION}. */
        public static Halves of(@Nullable LockingAlgorithm from, @Nullable LockingAlgorithm to) {
            if (from == null || from == LockingAlgorithm.MIGRATION) {
                throw wrongHalf("migration.from", from);
            }
            if (to == null || to == LockingAlgorithm.MIGRATION || to == from) {
                throw wrongHalf("migration.to", to);
            }
            return new Halves(from, to);
        }

        public boolean has(LockingAlgorithm algorithm) {
            return from == algorithm || to == algorithm;
        }
    }

    private static WrongSettingException wrongHalf(String setting, @Nullable LockingAlgorithm value) {
        return new WrongSettingException(
                setting,
                value == null ? "" : value.getText(),
                "must be 'shadow', 'queue', 'ticket' or 'majority', and 'migration.from' and 'migration.to' must differ",
                "ticket",
                null);
    }

    public LockSettings {
        prefix.ifPresent(LockSettings::requirePrefix);
        if (lease.compareTo(MIN_LEASE) < 0 || lease.compareTo(MAX_LEASE) > 0) {
            throw new WrongSettingException("lease", lease, "must be from 2s to 1h", "15s", null);
        }
        if (!(clockDrift >= 0 && clockDrift <= MAX_DRIFT)) {
            throw wrongDrift(clockDrift * 100 + "%", null);
        }
        if (algorithm == LockingAlgorithm.MIGRATION && migration == null) {
            throw wrongHalf("migration.from", null);
        }
        requireFraction(
                "local-handover.max-duration",
                longestHandOver,
                4,
                lease,
                "50ms",
                "; with a longer one other processes would wait too long");
        if (notices && !exchangesNotices(algorithm, migration)) {
            throw new WrongSettingException(
                    "notices.enabled",
                    true,
                    "the algorithm '" + name(algorithm, migration)
                            + "' exchanges no notices; switch notices off, or move all instances to the algorithm 'ticket', in"
                            + " the steps of docs/guide/moving.md",
                    "false",
                    null);
        }
        if (forceRelease && algorithm != LockingAlgorithm.TICKET) {
            throw new WrongSettingException(
                    "force-release.enabled",
                    true,
                    "the algorithm '" + algorithm.getText()
                            + "' cannot release locks by force; leave it off, or move all instances to the algorithm 'ticket', in"
                            + " the steps of docs/guide/moving.md",
                    "false",
                    null);
        }
        if (consistency == LockConsistency.QUORUM && serialConsistency == LockSerialConsistency.LOCAL_SERIAL) {
            throw new WrongSettingException(
                    "serial-consistency",
                    "local-serial",
                    "must be 'serial' unless 'cassandra-lock.consistency' is 'local-quorum': processes in two data"
                            + " centres could both hold a lock",
                    "serial",
                    null);
        }
    }

    private static void requirePrefix(String prefix) {
        if (prefix.isBlank()) {
            throw wrongPrefix(prefix, "a prefix has visible characters; remove the setting to have none", null);
        }
        if (!prefix.equals(prefix.strip())) {
            throw wrongPrefix(prefix, "a prefix neither begins nor ends with white space", null);
        }
        if (prefix.contains("${")) {
            throw wrongPrefix(prefix, "it has a placeholder without a value: set the property that it names", null);
        }
        try {
            LockRequest.of(prefix);
        } catch (IllegalArgumentException e) {
            throw wrongPrefix(prefix, "a prefix has to be valid as a lock id. " + e.getMessage(), e);
        }
        int bytes = prefix.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_PREFIX_BYTES) {
            throw wrongPrefix(
                    prefix,
                    "it has " + bytes + " bytes in UTF-8, and at most " + MAX_PREFIX_BYTES + " are allowed",
                    null);
        }
    }

    private static WrongSettingException wrongPrefix(String prefix, String why, @Nullable Throwable cause) {
        return new WrongSettingException("prefix", prefix, why, "billing", cause);
    }

    /** @throws WrongSettingException if the time is negative */
    public static void requireNotNegative(String setting, Duration value, String example) {
        if (value.isNegative()) {
            throw new WrongSettingException(setting, value, "must not be less than zero", example, null);
        }
    }

    /**
     * Requires a time that is not negative, and at most a part of the lease.
     *
     * @param parts 3 for a third, 4 for a quarter
     * @param consequence of a longer time, which ends the message
     * @throws WrongSettingException if the time is outside these bounds
     */
    public static void requireFraction(
            String setting, Duration value, int parts, Duration lease, String example, String consequence) {
        requireNotNegative(setting, value, example);
        if (value.multipliedBy(parts).compareTo(lease) > 0) {
            throw new WrongSettingException(
                    setting,
                    value,
                    "must be at most a " + (parts == 3 ? "third" : "quarter") + " of 'cassandra-lock.lease', which is '"
                            + ExactDuration.text(lease) + "'" + consequence,
                    example,
                    null);
        }
    }

    /** Returns the refusal of a drift that is no percentage or out of bounds. */
    public static WrongSettingException wrongDrift(String value, @Nullable Throwable cause) {
        return new WrongSettingException("clock-drift", value, "must be a percentage from 0% to 25%", "5%", cause);
    }

    /** Notices belong to one cluster: the locks in the clusters of a majority exchange none. */
    private static boolean exchangesNotices(LockingAlgorithm algorithm, @Nullable Halves migration) {
        return algorithm == LockingAlgorithm.TICKET
                || (algorithm == LockingAlgorithm.MIGRATION
                        && migration != null
                        && migration.has(LockingAlgorithm.TICKET)
                        && !migration.has(LockingAlgorithm.MAJORITY));
    }

    private static String name(LockingAlgorithm algorithm, @Nullable Halves migration) {
        return algorithm == LockingAlgorithm.MIGRATION && migration != null
                ? MigrationAlgorithm.name(
                        migration.from().getText(), migration.to().getText())
                : algorithm.getText();
    }

    /** Logs what all processes that share locks must have in common. */
    public void logChosen(LockAlgorithm algorithm) {
        log.info(
                "Locks are taken with the algorithm '{}'{}",
                algorithm.getName(),
                prefix.map(present -> ", and stored with the prefix '" + present + "'")
                        .orElse(""));
    }

    public String algorithmName() {
        return name(algorithm, migration);
    }

    /** Whether instances migrate from or to the algorithm majority. */
    public boolean migratesMajority() {
        return algorithm == LockingAlgorithm.MIGRATION && halves().has(LockingAlgorithm.MAJORITY);
    }

    Halves halves() {
        return Objects.requireNonNull(migration);
    }

    public SessionSettings sessions() {
        return new SessionSettings(lease, clockDrift);
    }

    LeaseSettings leases() {
        return new LeaseSettings(lease, clockDrift);
    }
}
