package io.github.cassandralock.benchmarks.server;

import java.util.List;

/**
 * All it takes to start a peer.
 *
 * @param address what its clients need, in the form they take it
 */
record PeerPlan(String address, List<NodePlan> nodes) {

    PeerPlan {
        nodes = List.copyOf(nodes);
    }
}
