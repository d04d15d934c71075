package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.migration.MigrationAlgorithm;
import io.github.cassandralock.internal.migration.MigrationTokens;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.Set;

/** An algorithm that a process of a {@link FleetWorld} runs. */
@FunctionalInterface
public interface SimulatedAlgorithm {

    SimulatedAlgorithm QUEUE = FleetWorld::queue;
    SimulatedAlgorithm SHADOW = FleetWorld::shadow;
    SimulatedAlgorithm TICKET = FleetWorld::ticket;
    SimulatedAlgorithm MAJORITY = FleetWorld::majority;

    LockAlgorithm on(FleetWorld world, SimulatedProcess process);

    /** The migration from this one to another one. */
    default SimulatedAlgorithm migratingTo(SimulatedAlgorithm to) {
        MigrationTokens tokens = Set.of(this, to).equals(Set.of(TICKET, MAJORITY))
                ? MigrationTokens.NONE
                : MigrationTokens.OF_THE_HALF_THAT_HAS_THEM;
        return (world, process) -> new MigrationAlgorithm(on(world, process), to.on(world, process), tokens);
    }
}
