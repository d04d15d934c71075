package io.github.cassandralock.it;

import io.github.cassandralock.testing.clusters.CassandraCluster;
import org.junit.jupiter.api.Tag;

@Tag("slow")
@Tag("nightly")
class QueueScenariosIT extends ThesisScenarios {

    QueueScenariosIT(CassandraCluster cluster) {
        super(cluster, "--cassandra-lock.algorithm=queue");
    }
}
