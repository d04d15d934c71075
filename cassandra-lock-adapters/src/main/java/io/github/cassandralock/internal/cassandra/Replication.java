package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.metadata.Node;
import io.github.cassandralock.cassandra.LockConsistency;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The replication of a keyspace.
 *
 * @param keyspace its name, as CQL writes it
 * @param options as {@code system_schema.keyspaces} has them: the class, and replication factors
 */
record Replication(String keyspace, Map<String, String> options) {

    private static final String CLASS = "class";
    private static final String ALL = "replication_factor";

    static Map<String, String> options(@Nullable Object column) {
        Map<String, String> options = new LinkedHashMap<>();
        if (column instanceof Map<?, ?> map) {
            map.forEach((name, value) -> options.put(String.valueOf(name), String.valueOf(value)));
        }
        return options;
    }

    /**
     * @throws LockSchemaException if there are fewer nodes for replicas than a quorum needs
     */
    void requireQuorum(LockConsistency consistency, Collection<Node> nodes, String localDatacenter) {
        boolean local = consistency == LockConsistency.LOCAL_QUORUM;
        int replicas = 0;
        int present = 0;
        for (Map.Entry<String, Integer> factor : factors().entrySet()) {
            String datacenter = factor.getKey();
            if (local && !datacenter.equals(ALL) && !datacenter.equals(localDatacenter)) {
                continue;
            }
            Predicate<Node> holdsReplicas =
                    datacenter.equals(ALL) ? node -> true : node -> Objects.equals(node.getDatacenter(), datacenter);
            replicas += factor.getValue();
            present += Math.min(factor.getValue(), (int)
                    nodes.stream().filter(holdsReplicas).count());
        }
        int quorum = replicas / 2 + 1;
        if (replicas == 0 || present < quorum) {
            throw noQuorum(consistency, replicas, present, quorum, localDatacenter);
        }
    }

    private Map<String, Integer> factors() {
        Map<String, Integer> factors = new LinkedHashMap<>();
        options.forEach((name, value) -> {
            if (!name.equals(CLASS)) {
                factors.put(name, replicas(value));
            }
        });
        return factors;
    }

    /** "3", or "3/1" if one of three replicas is transient. */
    private static int replicas(String value) {
        return Integer.parseInt(value.contains("/") ? value.substring(0, value.indexOf('/')) : value.trim());
    }

    private LockSchemaException noQuorum(
            LockConsistency consistency, int replicas, int present, int quorum, String localDatacenter) {
        String level = consistency.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return new LockSchemaException(
                "The keyspace " + keyspace + " is replicated as " + options + ". Consistency '" + level + "' needs "
                        + quorum + " of " + replicas + " replicas"
                        + (present < replicas ? ", but only " + present + " node(s) can hold them" : "")
                        + ". No lock could ever be taken.",
                "Lower the replication factor or add nodes, e.g. ALTER KEYSPACE " + keyspace
                        + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + localDatacenter + "': "
                        + Math.max(1, present) + "}; for locks in another keyspace set 'cassandra-lock.keyspace:"
                        + " my_keyspace' in application.yml.");
    }
}
