package io.github.cassandralock.sample;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where the bank's tables and its locks live. */
final class BankKeyspace {

    static final String NAME = "bank";

    private static final int USUAL_COPIES = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final CqlSession session;
    private final String datacenter;

    /** @param session one without a keyspace */
    BankKeyspace(CqlSession session, String datacenter) {
        this.session = session;
        this.datacenter = datacenter;
    }

    /**
     * Instances that start together may all do this: unlike a table, a keyspace has no identity besides its name.
     *
     * @param copies of each row; null for three, or as many as there are nodes
     */
    void createIfMissing(@Nullable Integer copies) {
        int factor = copies == null ? Math.min(USUAL_COPIES, nodes()) : copies;
        session.execute(SimpleStatement.newInstance("CREATE KEYSPACE IF NOT EXISTS " + NAME
                        + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + datacenter + "': " + factor
                        + "}")
                .setTimeout(TIMEOUT));
    }

    private int nodes() {
        return (int) session.getMetadata().getNodes().values().stream()
                .filter(node -> datacenter.equals(node.getDatacenter()))
                .count();
    }
}
