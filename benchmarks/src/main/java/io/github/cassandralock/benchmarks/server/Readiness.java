package io.github.cassandralock.benchmarks.server;

import java.io.IOException;
import java.sql.SQLException;

/** Asks a node, in its own protocol, whether it serves clients. */
@FunctionalInterface
interface Readiness {

    /**
     * Answers within some seconds.
     *
     * @throws IOException if the node cannot be asked, which is to be expected while it starts
     * @throws SQLException likewise
     */
    boolean serves() throws IOException, SQLException;
}
