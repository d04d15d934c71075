package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.github.cassandralock.internal.startup.StatementNodes;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether all nodes that receive statements have the tables. Until a node has a new table, it rejects statements on it.
 * Equal schema versions of the nodes are not enough. Nodes that have not received the change agree on the old schema.
 */
record TableArrival(StartStatements statements, CqlSession session) {

    private static final Logger log = LoggerFactory.getLogger(TableArrival.class);

    /** A statement on a table that was sent to a node. */
    record Probe(QualifiedTable table, Node node, CompletionStage<AsyncResultSet> answer) {

        @Override
        public String toString() {
            return table.cql() + " on " + node;
        }
    }

    /**
     * Sends a statement on each table to each node, all at the same time. Returns the statements whose node has no such table. A node
     * that does not answer counts as one that has the table: the start does not wait for it.
     *
     * @throws LockSchemaException if the application's user may not read a table
     */
    List<Probe> rejected(Collection<QualifiedTable> tables) {
        List<Probe> probes = tables.stream()
                .flatMap(table -> StatementNodes.of(session).stream().map(node -> probe(table, node)))
                .toList();
        return probes.stream().filter(TableArrival::isRejected).toList();
    }

    /** The empty list matches no row: the node validates the statement and reads nothing. */
    private Probe probe(QualifiedTable table, Node node) {
        SimpleStatement statement = SimpleStatement.newInstance("SELECT * FROM " + table.cql() + " WHERE "
                        + table.table().primaryKey().get(0) + " IN ()")
                .setNode(node);
        return new Probe(table, node, statements.send(statement));
    }

    private static boolean isRejected(Probe probe) {
        try {
            StartStatements.await(probe.answer());
            return false;
        } catch (DriverException answer) {
            if (answer instanceof UnauthorizedException refusal && Refusals.isFinal(refusal)) {
                throw new LockSchemaException(
                        "The Cassandra user of this application may not read the table "
                                + probe.table().cql() + ".",
                        Refusals.grants(probe.table()),
                        refusal);
            }
            log.debug("A statement on the table {} was not carried out", probe, answer);
            return answer instanceof InvalidQueryException;
        }
    }
}
