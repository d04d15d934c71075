package io.github.cassandralock.it;

import io.github.cassandralock.testing.clusters.CassandraCluster;
import org.junit.jupiter.api.Tag;

@Tag("slow")
@Tag("nightly")
class ShadowScenariosIT extends ThesisScenarios {

    ShadowScenariosIT(CassandraCluster cluster) {
        super(cluster, "--cassandra-lock.algorithm=shadow");
    }
}
