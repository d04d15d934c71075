package io.github.cassandralock.it;

import io.github.cassandralock.testing.clusters.CassandraCluster;
import org.junit.jupiter.api.Tag;

/** Costs fifteen seconds. */
@Tag("slow")
@Tag("nightly")
class TicketWithNoticesScenariosIT extends ThesisScenarios {

    TicketWithNoticesScenariosIT(CassandraCluster cluster) {
        super(cluster, "--cassandra-lock.algorithm=ticket", "--cassandra-lock.notices.enabled=true");
    }
}
