package io.github.cassandralock.it;

class QueueScenariosIT extends ThesisScenarios {

    QueueScenariosIT(CassandraCluster cluster) {
        super(cluster, "queue");
    }
}
