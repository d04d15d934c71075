package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.migration.MigrationAlgorithm;
import io.github.cassandralock.spi.LockAlgorithm;

/** An algorithm that a process of a {@link FleetWorld} runs. */
@FunctionalInterface
public interface SimulatedAlgorithm {

    SimulatedAlgorithm QUEUE = FleetWorld::queue;
    SimulatedAlgorithm SHADOW = FleetWorld::shadow;
    SimulatedAlgorithm TICKET = FleetWorld::ticket;

    LockAlgorithm on(FleetWorld world, SimulatedProcess process);

    /** The migration from this one to another one. */
    default SimulatedAlgorithm migratingTo(SimulatedAlgorithm to) {
        return (world, process) -> new MigrationAlgorithm(on(world, process), to.on(world, process));
    }
}
