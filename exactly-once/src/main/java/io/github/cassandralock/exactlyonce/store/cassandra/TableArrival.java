package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.time.Pauser;
import io.github.cassandralock.exactlyonce.time.Ticker;
import io.github.cassandralock.internal.startup.StatementNodes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Waits until each node that receives statements has a new table. Until then, the node refuses statements on it. Equal schema
 * versions of the nodes are not enough. Nodes that have not received the change agree on the old schema. Blocks.
 */
record TableArrival(CqlSession session, String table, Ticker ticker, Pauser pauser) {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration BETWEEN_PROBES = Duration.ofMillis(100);

    TableArrival(CqlSession session, CassandraStoreSettings settings) {
        this(session, settings.qualifiedTable(), Ticker.system(), Pauser.ofThread());
    }

    /**
     * Waits while some nodes have the table and others do not. A table that no node has is missing: the wait ends at once.
     *
     * @throws RegisterUnavailableException if a node still has no table after 30 seconds, or if the thread is interrupted
     */
    void await() {
        long startedAt = ticker.readNanos();
        for (Refusals refusals = probe(); refusals.areOfSome(); refusals = probe()) {
            if (ticker.readNanos() - startedAt > LIMIT.toNanos()) {
                throw new RegisterUnavailableException(
                        "After " + LIMIT.toSeconds() + " seconds, these nodes still do not have the table " + table
                                + " of registers: " + refusals.byNode().keySet()
                                + ". Check 'nodetool describecluster'; then open the registers again.",
                        refusals.first());
            }
            pause();
        }
    }

    private void pause() {
        try {
            pauser.pause(BETWEEN_PROBES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegisterUnavailableException(
                    "The thread was interrupted while nodes received the table " + table + " of registers.", e);
        }
    }

    private Refusals probe() {
        List<Node> nodes = StatementNodes.of(session);
        Map<Node, InvalidQueryException> refusals = new LinkedHashMap<>();
        nodes.forEach(node -> refusal(node).ifPresent(refusal -> refusals.put(node, refusal)));
        return new Refusals(refusals, nodes.size());
    }

    /**
     * The empty list matches no row: the node validates the statement and reads nothing. Other failures are no reason to wait: the
     * checks of the table report them.
     */
    private Optional<InvalidQueryException> refusal(Node node) {
        try {
            session.execute(SimpleStatement.newInstance("SELECT name FROM " + table + " WHERE name IN ()")
                    .setNode(node));
            return Optional.empty();
        } catch (InvalidQueryException refusal) {
            return Optional.of(refusal);
        } catch (DriverException other) {
            return Optional.empty();
        }
    }

    private record Refusals(Map<Node, InvalidQueryException> byNode, int nodes) {

        boolean areOfSome() {
            return !byNode.isEmpty() && byNode.size() < nodes;
        }

        InvalidQueryException first() {
            return byNode.values().iterator().next();
        }
    }
}
