package io.github.cassandralock.it;

import io.github.cassandralock.testing.clusters.CassandraCluster;

class ShadowScenariosIT extends ThesisScenarios {

    ShadowScenariosIT(CassandraCluster cluster) {
        super(cluster, "--cassandra-lock.algorithm=shadow");
    }
}
