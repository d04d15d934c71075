package io.github.cassandralock.internal.startup;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** The nodes to which the driver sends statements. Does no I/O. */
public final class StatementNodes {

    private static final UUID NO_ID = new UUID(0, 0);

    private StatementNodes() {}

    /** Returns those that are up. */
    public static List<Node> of(CqlSession session) {
        return session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getState() == NodeState.UP && node.getDistance() != NodeDistance.IGNORED)
                .toList();
    }

    /**
     * Directs a statement that creates a table to one node, which all instances choose. Two nodes that create a table at the same
     * time give it different ids.
     */
    public static SimpleStatement onOneNode(SimpleStatement statement, CqlSession session) {
        return of(session).stream()
                .min(Comparator.comparing(node -> Objects.requireNonNullElse(node.getHostId(), NO_ID)))
                .map(statement::setNode)
                .orElse(statement);
    }
}
