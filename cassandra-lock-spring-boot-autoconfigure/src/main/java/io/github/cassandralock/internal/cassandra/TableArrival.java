package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a new table has arrived at all nodes that statements go to. Each learns of it in its own time, and until then
 * fails what uses the table. To compare what nodes say of their schema's version is not enough: those that have not heard
 * of the change yet agree with each other about the schema from before it.
 */
record TableArrival(CqlSession session) {

    private static final Logger log = LoggerFactory.getLogger(TableArrival.class);

    /** The nodes that statements go to. */
    Stream<Node> nodes() {
        return session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getState() == NodeState.UP && node.getDistance() != NodeDistance.IGNORED);
    }

    /**
     * Asks each node. One that does not answer counts as one that knows the table: the start does not wait for it.
     *
     * @throws UnauthorizedException if the application's user may not read the table
     */
    List<Node> nodesWithout(QualifiedTable table) {
        // no row has a key out of an empty list: the statement is checked, and nothing is read
        SimpleStatement probe = SimpleStatement.newInstance("SELECT * FROM " + table.cql() + " WHERE "
                + table.table().primaryKey().get(0) + " IN ()");
        return nodes().filter(node -> !takes(probe, node)).toList();
    }

    private boolean takes(SimpleStatement probe, Node node) {
        try {
            session.execute(probe.setNode(node));
            return true;
        } catch (InvalidQueryException e) {
            log.debug("{} does not know a table yet", node, e);
            return false;
        } catch (UnauthorizedException e) {
            if (Refusals.isFinal(e)) {
                throw e;
            }
            log.debug("{} cannot look up who may read a table", node, e);
            return true;
        } catch (DriverException e) {
            log.debug("{} does not say whether it knows a table", node, e);
            return true;
        }
    }
}
