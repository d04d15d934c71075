package io.github.cassandralock.benchmarks.server;

/** How one kind of server is run. Stateless. */
interface PeerSoftware {

    boolean isInstalled();

    /** Chooses ports and says what to run on them. */
    PeerPlan plan();
}
