package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.internal.assembly.LockSettings;
import io.github.cassandralock.internal.startup.CqlName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The clusters of the algorithm majority. The other algorithms ignore them.
 *
 * @param clusters Three or five independent clusters, in the same order in all processes that share locks.
 * @param maxLease Longest lease of any process that shares the locks, with one value in all of them. Default:
 *     cassandra-lock.lease.
 * @param clusterTimeout How long an answer of a cluster may take before it counts as down. Default: a tenth of the lease.
 * @param tokenMaturity By how much the calendars of processes may differ in sum. After a loss of its tables, a cluster takes part
 *        in fencing tokens after somewhat more than this. All processes need one value.
 */
@ConfigurationProperties("cassandra-lock.majority")
public record MajorityProperties(
        @DefaultValue List<Entry> clusters,
        @Nullable Duration maxLease,
        @Nullable Duration clusterTimeout,
        @DefaultValue("3h") Duration tokenMaturity) {

    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);

    /**
     * One cluster. It is reached through a CqlSession bean, or by contact points.
     *
     * @param id Name of the cluster, the same in all processes and for ever.
     * @param sessionBean Name of the CqlSession bean that is connected to it. Not together with contactPoints,
     *     localDatacenter, username or password.
     * @param contactPoints Contact points, host or host:port. The driver takes its other settings from
     *     spring.cassandra.
     * @param localDatacenter Data centre to which requests are sent. Default: spring.cassandra.local-datacenter.
     * @param username User; together with the password. Default: spring.cassandra.username.
     * @param password Password. Default: spring.cassandra.password.
     * @param keyspace Keyspace of the lock tables in this cluster, as CQL writes its name: in lower case, or in double quotes.
     *     Default: cassandra-lock.keyspace, else the session's keyspace.
     */
    public record Entry(
            @Nullable String id,
            @Nullable String sessionBean,
            @DefaultValue List<String> contactPoints,
            @Nullable String localDatacenter,
            @Nullable String username,
            @Nullable String password,
            @Nullable String keyspace) {

        public Entry {
            if (id == null || id.isBlank()) {
                throw invalid("clusters[].id", "", "must name the cluster", "north");
            }
            if ((sessionBean == null) == contactPoints.isEmpty()) {
                throw invalid(
                        "clusters[].contact-points",
                        contactPoints,
                        "must name nodes of the cluster '" + id
                                + "', unless 'session-bean' names the session that is connected to it; one of the two is"
                                + " needed, and not both",
                        "node1.example.com:9042");
            }
            requireBoth(id, username, password);
            requireNothingBeside(id, sessionBean, localDatacenter, username);
            if (keyspace != null) {
                CassandraLockProperties.keyspaceName("majority.clusters[].keyspace", keyspace);
            }
        }

        /** Empty for the keyspace of all lock tables. */
        public Optional<CqlIdentifier> keyspaceName() {
            return Optional.ofNullable(keyspace).map(CqlName::of);
        }

        private static void requireBoth(String id, @Nullable String username, @Nullable String password) {
            if (username == null && password != null) {
                throw invalid(
                        "clusters[].username",
                        "",
                        "must name the user of the cluster '" + id
                                + "', because 'password' is set. Write both, or neither to use the credentials of"
                                + " 'spring.cassandra'",
                        "locks");
            }
            if (username != null && password == null) {
                throw invalid(
                        "clusters[].password",
                        "",
                        "must be set for the cluster '" + id
                                + "', because 'username' is: write both, or neither to use the credentials of"
                                + " 'spring.cassandra'",
                        "${NORTH_PASSWORD}");
            }
        }

        private static void requireNothingBeside(
                String id, @Nullable String sessionBean, @Nullable String localDatacenter, @Nullable String username) {
            if (sessionBean != null && (localDatacenter != null || username != null)) {
                throw invalid(
                        "clusters[].session-bean",
                        sessionBean,
                        "that session of the cluster '" + id + "' is connected already. There, "
                                + (localDatacenter != null ? "'local-datacenter'" : "'username'")
                                + " would have no effect: remove it, or write 'contact-points' in place of 'session-bean'",
                        sessionBean);
            }
        }

        /** Without the password. */
        @Override
        public String toString() {
            return "cluster '" + id + "'";
        }
    }

    public MajorityProperties {
        if (clusterTimeout != null && clusterTimeout.compareTo(SHORTEST_TIMEOUT) < 0) {
            throw invalid("cluster-timeout", clusterTimeout, "must be at least 10ms", "1500ms");
        }
        InvalidLockPropertyException.check(
                () -> LockSettings.requireNotNegative("majority.token-maturity", tokenMaturity, "3h"));
    }

    public static InvalidLockPropertyException invalid(String property, Object value, String why, String example) {
        return new InvalidLockPropertyException("majority." + property, value, why, example, null);
    }
}
