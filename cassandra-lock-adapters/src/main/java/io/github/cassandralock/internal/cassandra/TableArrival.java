package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.github.cassandralock.internal.startup.StatementNodes;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether all nodes that receive statements have a new table. Until a node has the table, it rejects statements on it.
 * Equal schema versions of the nodes are not enough. Nodes that have not received the change agree on the old schema.
 */
record TableArrival(StartStatements statements, CqlSession session) {

    private static final Logger log = LoggerFactory.getLogger(TableArrival.class);

    /**
     * Sends a statement to each node. A node that does not answer counts as one that has the table: the start does not wait for it.
     *
     * @throws UnauthorizedException if the application's user may not read the table
     */
    List<Node> nodesWithout(QualifiedTable table) {
        // the empty list matches no row: the node validates the statement and reads nothing
        SimpleStatement probe = SimpleStatement.newInstance("SELECT * FROM " + table.cql() + " WHERE "
                + table.table().primaryKey().get(0) + " IN ()");
        return StatementNodes.of(session).stream()
                .filter(node -> !takes(probe, node))
                .toList();
    }

    private boolean takes(SimpleStatement probe, Node node) {
        try {
            statements.execute(probe.setNode(node));
            return true;
        } catch (DriverException answer) {
            if (answer instanceof UnauthorizedException refusal && Refusals.isFinal(refusal)) {
                throw refusal;
            }
            log.debug("{} did not take a statement on a lock table", node, answer);
            return !(answer instanceof InvalidQueryException);
        }
    }
}
