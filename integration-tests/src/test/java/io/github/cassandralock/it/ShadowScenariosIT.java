package io.github.cassandralock.it;

class ShadowScenariosIT extends ThesisScenarios {

    ShadowScenariosIT(CassandraCluster cluster) {
        super(cluster, "shadow");
    }
}
