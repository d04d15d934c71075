package io.github.cassandralock.internal.quorum;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The data centre whose quorum a local consistency level means. In Cassandra, the coordinator of a request decides that. All
 * requests must be coordinated in one data centre. The quorums of two data centres do not exclude each other.
 *
 * @param datacenter empty if the consistency level is not local
 */
public record LocalQuorum(Optional<String> datacenter) {

    /** For consistency levels that count the replicas of all data centres. */
    public static final LocalQuorum NOT_USED = new LocalQuorum(Optional.empty());

    private static final String WHY =
            "A quorum of another data centre is another quorum, so two processes could act at once";

    /**
     * Returns the data centre to which the driver sends requests. Sends none itself.
     *
     * @param level of the requests
     * @param remedy how a level is configured that counts all data centres, as the beginning of a sentence
     * @param session whose default profile the requests use
     * @throws ExplainedException if the driver may send requests to other data centres
     */
    public static LocalQuorum of(ConsistencyLevel level, String remedy, CqlSession session) {
        if (!level.isDcLocal()) {
            return NOT_USED;
        }
        DriverExecutionProfile profile = session.getContext().getConfig().getDefaultProfile();
        requireNoFailover(level, profile, remedy);
        SortedSet<String> planned = planned(level, profile, session);
        if (planned.size() > 1) {
            throw new ExplainedException(
                    "The load-balancing policy of the driver sends requests at the consistency '" + level
                            + "' to several data centres: " + String.join(", ", planned) + ". " + WHY + ".",
                    "Set 'spring.cassandra.local-datacenter' in application.yml, and use a policy that sends requests to this"
                            + " data centre alone. " + remedy);
        }
        return new LocalQuorum(planned.stream()
                .findFirst()
                .or(() -> Optional.ofNullable(
                        profile.getString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, null))));
    }

    private static void requireNoFailover(ConsistencyLevel level, DriverExecutionProfile profile, String remedy) {
        int nodes = profile.getInt(DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 0);
        if (nodes > 0
                && profile.getBoolean(
                        DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_ALLOW_FOR_LOCAL_CONSISTENCY_LEVELS, false)) {
            throw new ExplainedException(
                    "The driver may send requests at the consistency '" + level
                            + "' to another data centre while the local data centre is down. The setting"
                            + " dc-failover.max-nodes-per-remote-dc is " + nodes
                            + ", and dc-failover.allow-for-local-consistency-levels is true. " + WHY + ".",
                    "Set 'allow-for-local-consistency-levels' below 'advanced.load-balancing-policy.dc-failover' of the"
                            + " driver's configuration to 'false'. " + remedy);
        }
    }

    /** Finds what no option shows, such as a policy of the application's own. */
    private static SortedSet<String> planned(
            ConsistencyLevel level, DriverExecutionProfile profile, CqlSession session) {
        return session
                .getContext()
                .getLoadBalancingPolicy(profile.getName())
                .newQueryPlan(SimpleStatement.newInstance("").setConsistencyLevel(level), session)
                .stream()
                .map(Node::getDatacenter)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether this coordinator's answer comes from another quorum. */
    boolean isForeign(Node coordinator) {
        return datacenter.isPresent() && !datacenter.get().equals(coordinator.getDatacenter());
    }
}
