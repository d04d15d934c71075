package io.github.cassandralock.it;

import io.github.cassandralock.testing.clusters.CassandraCluster;

class TicketScenariosIT extends ThesisScenarios {

    TicketScenariosIT(CassandraCluster cluster) {
        super(cluster, "--cassandra-lock.algorithm=ticket");
    }
}
