package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The data centre whose quorum a local consistency level means. Cassandra uses the data centre of the node that coordinates a
 * request. The quorums of two data centres do not exclude each other, so one data centre must coordinate all requests.
 */
final class LocalDatacenter {

    private static final String WHY =
            "A quorum of another data centre is another quorum, so two processes could write the same version. ";
    private static final String REMEDY =
            " Or use the consistency levels QUORUM and SERIAL for registers, in all processes.";

    private LocalDatacenter() {}

    /**
     * Refuses a session that may send requests at a local consistency level to several data centres. Sends no request.
     *
     * @param session whose default profile the requests use
     * @throws StoreUnfitException if the level is local and the driver may send requests to several data centres
     */
    static void requireOne(ConsistencyLevel level, CqlSession session) {
        if (!level.isDcLocal()) {
            return;
        }
        DriverExecutionProfile profile = session.getContext().getConfig().getDefaultProfile();
        requireNoFailover(level, profile);
        SortedSet<String> planned = planned(level, profile, session);
        if (planned.size() > 1) {
            throw new StoreUnfitException("The load-balancing policy of the driver sends requests at the consistency '"
                    + level + "' to several data centres: " + String.join(", ", planned) + ". " + WHY
                    + "Configure the local data centre of the session, and use a policy that sends requests to this data centre"
                    + " alone." + REMEDY);
        }
    }

    private static void requireNoFailover(ConsistencyLevel level, DriverExecutionProfile profile) {
        int nodes = profile.getInt(DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, 0);
        if (nodes > 0
                && profile.getBoolean(
                        DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_ALLOW_FOR_LOCAL_CONSISTENCY_LEVELS, false)) {
            throw new StoreUnfitException("The driver may send requests at the consistency '" + level
                    + "' to another data centre while the local one is down (dc-failover.max-nodes-per-remote-dc is "
                    + nodes + ", and dc-failover.allow-for-local-consistency-levels is true). " + WHY
                    + "Set 'allow-for-local-consistency-levels' below 'advanced.load-balancing-policy.dc-failover' of the"
                    + " driver's configuration to 'false'." + REMEDY);
        }
    }

    /** A query plan shows what no option shows, such as a policy of the application's own. */
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
}
