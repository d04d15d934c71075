package io.github.cassandralock.it;

import io.github.cassandralock.testing.clusters.CassandraCluster;

class QueueScenariosIT extends ThesisScenarios {

    QueueScenariosIT(CassandraCluster cluster) {
        super(cluster, "--cassandra-lock.algorithm=queue");
    }
}
