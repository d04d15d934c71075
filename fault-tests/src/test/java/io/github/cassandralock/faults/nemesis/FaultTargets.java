package io.github.cassandralock.faults.nemesis;

import io.github.cassandralock.faults.cluster.Fleet;
import io.github.cassandralock.faults.cluster.Nodes;

/** What faults are injected into. */
public record FaultTargets(Nodes nodes, Fleet fleet) {}
