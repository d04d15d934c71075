package io.github.cassandralock.internal.thesis.shadow;

import io.github.cassandralock.internal.simulation.LockSimulation;
import io.github.cassandralock.internal.simulation.SimulatedAlgorithm;
import java.util.Collections;
import java.util.List;

class ShadowLockSimulationTest extends LockSimulation {

    @Override
    protected List<SimulatedAlgorithm> fleet(long seed, int processes) {
        return Collections.nCopies(processes, SimulatedAlgorithm.SHADOW);
    }
}
