package io.github.cassandralock.faults.schedule;

import io.github.cassandralock.faults.cluster.Fleet;
import io.github.cassandralock.faults.cluster.Nodes;

/** What faults strike. */
public record Scene(Nodes nodes, Fleet fleet) {}
