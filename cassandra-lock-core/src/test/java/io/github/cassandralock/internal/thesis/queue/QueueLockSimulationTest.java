package io.github.cassandralock.internal.thesis.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.FleetWorld;
import io.github.cassandralock.internal.simulation.LockSimulation;
import io.github.cassandralock.internal.simulation.SimulatedAlgorithm;
import io.github.cassandralock.spi.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueLockSimulationTest extends LockSimulation {

    @Override
    protected List<SimulatedAlgorithm> fleet(long seed, int processes) {
        return Collections.nCopies(processes, SimulatedAlgorithm.QUEUE);
    }

    @Test
    void arrivalsAreServedInOrder() {
        forEverySeed(4, false, (seed, world) -> {
            List<Integer> served = new ArrayList<>();
            Attempt first = world.acquire(world.members().get(0));
            world.time().run(Duration.ofSeconds(1));
            for (FleetWorld.Member member : world.members().subList(1, 4)) {
                world.acquire(member).getOutcome().thenAccept(grant -> {
                    served.add(member.number());
                    member.process()
                            .after(Duration.ofMillis(5))
                            .thenRun(() -> grant.orElseThrow().release());
                });
                world.time().run(Duration.ofSeconds(1));
            }
            first.getOutcome().thenAccept(grant -> grant.orElseThrow().release());
            world.time().run(Duration.ofSeconds(5));
            assertThat(served).as("order, seed %d", seed).containsExactly(1, 2, 3);
        });
    }
}
