package io.github.cassandralock.autoconfigure.majority;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.github.cassandralock.autoconfigure.CassandraLockProperties;
import io.github.cassandralock.autoconfigure.InvalidLockPropertyException;
import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.autoconfigure.MajorityProperties;
import io.github.cassandralock.autoconfigure.MajorityProperties.Entry;
import io.github.cassandralock.autoconfigure.session.CassandraAccess;
import io.github.cassandralock.autoconfigure.session.OwnSession;
import io.github.cassandralock.autoconfigure.startup.StartFailures;
import io.github.cassandralock.cassandra.LockingAlgorithm;
import io.github.cassandralock.internal.assembly.AlgorithmFactory;
import io.github.cassandralock.internal.assembly.AlgorithmParts;
import io.github.cassandralock.internal.assembly.LockSettings;
import io.github.cassandralock.internal.connection.DriverReconnection;
import io.github.cassandralock.internal.connection.KnownContactPoints;
import io.github.cassandralock.internal.majority.Cluster;
import io.github.cassandralock.internal.majority.MajorityAlgorithm;
import io.github.cassandralock.internal.majority.MajorityContext;
import io.github.cassandralock.internal.majority.MajoritySettings;
import io.github.cassandralock.internal.startup.ConnectingSession;
import io.github.cassandralock.internal.startup.ExplainedException;
import io.github.cassandralock.internal.startup.StartReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/** Creates the algorithm majority: a session for each cluster, and the algorithm ticket over it. */
public record MajorityFactory(
        CassandraLockProperties properties,
        AlgorithmParts parts,
        MajorityProperties majority,
        ListableBeanFactory beans,
        Environment environment) {

    /** Longer than the driver needs to report that no contact point answers, and than tables need to be created. */
    private static final Duration START = Duration.ofSeconds(60);

    private static final Logger log = LoggerFactory.getLogger(MajorityFactory.class);

    /**
     * Creates the algorithm, and connects the clusters. With eager startup, waits until a majority of them can be used; the log
     * names those that come later. With lazy startup, they are connected in the background.
     *
     * @throws InvalidLockPropertyException if the list of clusters cannot be used
     * @throws ExplainedException if a majority cannot be used, or if the configuration differs from other processes;
     *     only with eager startup
     */
    public MajorityAlgorithm create() {
        requireSound();
        boolean eager = properties.startup() == CassandraLockProperties.Startup.EAGER;
        MajorityAlgorithm algorithm = create(eager);
        return eager ? requireSound(algorithm) : algorithm;
    }

    private MajorityAlgorithm create(boolean eager) {
        List<MajorityCluster> clusters = new ArrayList<>();
        try {
            for (Entry entry : majority.clusters()) {
                clusters.add(cluster(clusters.size(), entry));
            }
            clusters.forEach(MajorityCluster::begin);
            if (eager) {
                requireMajority(clusters);
            }
            return algorithm(clusters);
        } catch (RuntimeException | Error e) {
            clusters.forEach(MajorityCluster::close);
            throw e;
        }
    }

    /** Checks the birth rows of the clusters that answer now. */
    private static MajorityAlgorithm requireSound(MajorityAlgorithm algorithm) {
        try {
            await(algorithm.watched().toCompletableFuture());
            algorithm.misconfiguration().ifPresent(text -> {
                throw new ExplainedException(text + ".", "Correct the configuration, and start the application again.");
            });
            return algorithm;
        } catch (RuntimeException | Error e) {
            algorithm.close();
            throw e;
        }
    }

    private static void requireMajority(List<MajorityCluster> clusters) {
        await(CompletableFuture.allOf(
                clusters.stream().map(MajorityCluster::firstTry).toArray(CompletableFuture<?>[]::new)));
        List<MajorityCluster> missing =
                clusters.stream().filter(cluster -> !cluster.isUsable()).toList();
        if (missing.isEmpty()) {
            return;
        }
        String problems = missing.stream().map(MajorityCluster::problem).collect(Collectors.joining(" "));
        int usable = clusters.size() - missing.size();
        String found =
                usable + " of " + clusters.size() + " clusters can be used (cassandra-lock.majority). " + problems;
        if (usable <= clusters.size() / 2) {
            throw new ExplainedException(
                    "Locks need a majority of the clusters, and only " + found,
                    "Start the clusters that are missing, or correct their entries under 'cassandra-lock.majority.clusters'."
                            + " With 'cassandra-lock.startup: lazy' the application starts without them, and locks cannot be"
                            + " taken until a majority is there.");
        }
        log.warn("Locks start with a majority: {}", found);
    }

    private static void await(CompletableFuture<?> end) {
        try {
            end.get(START.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The thread was interrupted while the clusters were being connected", e);
        } catch (TimeoutException | ExecutionException e) {
            log.debug("Not all clusters have answered", e);
        }
    }

    private MajorityAlgorithm algorithm(List<MajorityCluster> clusters) {
        return new MajorityAlgorithm(
                clusters.stream()
                        .map(cluster -> new Cluster(cluster.id(), cluster, cluster, cluster))
                        .toList(),
                new MajorityContext(
                        settings(), parts.timers().ticker(), parts.timers(), UUID::randomUUID, parts.wallClock()));
    }

    private MajoritySettings settings() {
        return new MajoritySettings(
                properties.lease(),
                Optional.ofNullable(majority.maxLease()).orElse(properties.lease()),
                Optional.ofNullable(majority.clusterTimeout())
                        .orElse(properties.lease().dividedBy(10)),
                true,
                majority.tokenMaturity());
    }

    /**
     * Needs no session.
     *
     * @throws InvalidLockPropertyException if the list of clusters cannot be used
     */
    public void requireSound() {
        List<String> ids = majority.clusters().stream()
                .map(entry -> String.valueOf(entry.id()))
                .toList();
        if (ids.size() != 3 && ids.size() != 5) {
            throw MajorityProperties.invalid(
                    "clusters",
                    ids,
                    "must list 3 or 5 clusters. An even number survives no more losses than one less, and fewer than"
                            + " three survive none",
                    "[north, south, west]");
        }
        if (ids.stream().distinct().count() < ids.size()) {
            throw MajorityProperties.invalid(
                    "clusters", ids, "must give each cluster an id of its own", "[north, south, west]");
        }
        Duration timeout = majority.clusterTimeout();
        if (timeout != null) {
            InvalidLockPropertyException.check(() -> LockSettings.requireFraction(
                    "majority.cluster-timeout",
                    timeout,
                    3,
                    properties.lease(),
                    "1500ms",
                    ": calls would wait for too long for a cluster that is down"));
        }
        Duration longest = majority.maxLease();
        if (longest != null && longest.compareTo(properties.lease()) < 0) {
            throw MajorityProperties.invalid("max-lease", longest, "must be at least 'cassandra-lock.lease'", "1m");
        }
        requireTablesOfItsOwn();
    }

    /**
     * During a migration between the algorithms ticket and majority, a process acquires a lock under both. If both used the same
     * tables, the process would wait for itself.
     */
    private void requireTablesOfItsOwn() {
        LockSettings settings = properties.settings();
        LockSettings.Halves migration = settings.migration();
        if (settings.algorithm() == LockingAlgorithm.MIGRATION
                && migration != null
                && migration.has(LockingAlgorithm.TICKET)) {
            Optional<CqlIdentifier> taken = properties.keyspaceName();
            if (taken.isEmpty()) {
                throw new InvalidLockPropertyException(
                        "keyspace",
                        "",
                        "must name the keyspace of the tables of the algorithm 'ticket' as long as instances migrate."
                                + " The clusters of the majority need other keyspaces",
                        "locks",
                        null);
            }
            majority.clusters().forEach(entry -> requireOtherKeyspace(entry, taken.get()));
        }
    }

    private static void requireOtherKeyspace(Entry entry, CqlIdentifier taken) {
        Optional<CqlIdentifier> keyspace = entry.keyspaceName();
        if (keyspace.isEmpty() || keyspace.get().equals(taken)) {
            throw MajorityProperties.invalid(
                    "clusters[].keyspace",
                    Objects.requireNonNullElse(entry.keyspace(), ""),
                    "must name another keyspace than '" + taken.asCql(true) + "' for the cluster '" + entry.id()
                            + "' as long as instances migrate. The algorithm 'ticket' has its tables there, and an"
                            + " instance that migrates would wait for itself. Create a keyspace for the majority in"
                            + " each cluster",
                    "majority_locks");
        }
    }

    private MajorityCluster cluster(int number, Entry entry) {
        String id = Objects.requireNonNull(entry.id());
        String property = "majority.clusters[" + number + "]";
        String bean = entry.sessionBean();
        boolean own = bean == null;
        Function<Throwable, String> explanation =
                new StartFailures(environment, own ? "cassandra-lock." + property : "spring.cassandra");
        CqlSession session = bean == null
                ? connecting(entry, explanation)
                : CassandraAccess.bean(property + ".session-bean", bean, CqlSession.class, beans);
        return new MajorityCluster(
                LockerName.of(environment).threads(),
                id,
                session,
                own,
                new AlgorithmFactory(parts, CassandraAccess.of(session)),
                entry.keyspaceName().or(properties::keyspaceName),
                explanation,
                longestPause());
    }

    private Duration longestPause() {
        return DriverReconnection.longestPause(properties.reconnection().maxDelay());
    }

    /** Uses the settings of the session that Spring Boot configures, apart from those that name the cluster. */
    private CqlSession connecting(Entry entry, Function<Throwable, String> explanation) {
        CqlSessionBuilder builder = new OwnSession(
                        entry.contactPoints(), entry.localDatacenter(), entry.username(), entry.password())
                .builder(beans, beans.getBean(DriverConfigLoader.class));
        return ConnectingSession.begin(
                LockerName.of(environment).threads() + "connect",
                builder::buildAsync,
                KnownContactPoints.of(builder),
                new StartReport(log, "The session to the cluster '" + entry.id() + "'", explanation),
                longestPause());
    }
}
