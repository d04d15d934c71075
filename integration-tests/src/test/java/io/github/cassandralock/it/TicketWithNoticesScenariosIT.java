package io.github.cassandralock.it;

import io.github.cassandralock.testing.clusters.CassandraCluster;

/** Costs fifteen seconds. */
class TicketWithNoticesScenariosIT extends ThesisScenarios {

    TicketWithNoticesScenariosIT(CassandraCluster cluster) {
        super(cluster, "--cassandra-lock.algorithm=ticket", "--cassandra-lock.notices.enabled=true");
    }
}
