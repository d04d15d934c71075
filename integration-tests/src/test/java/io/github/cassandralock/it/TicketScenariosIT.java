package io.github.cassandralock.it;

class TicketScenariosIT extends ThesisScenarios {

    TicketScenariosIT(CassandraCluster cluster) {
        super(cluster, "ticket");
    }
}
