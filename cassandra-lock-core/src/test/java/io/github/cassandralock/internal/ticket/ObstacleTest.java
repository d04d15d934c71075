package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.FleetWorld;
import io.github.cassandralock.internal.simulation.SimulatedAlgorithm;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an attempt reports as the reason for which it waits. */
class ObstacleTest {

    private final FleetWorld world =
            new FleetWorld(1, false, List.of(SimulatedAlgorithm.TICKET, SimulatedAlgorithm.TICKET));

    @Test
    void obstacleOfAWaiterIsTheHolderAndForHowLongItWasSeen() {
        world.acquire(world.members().get(0));
        world.time().run(Duration.ofSeconds(1));
        Attempt waiter = world.acquire(world.members().get(1));
        world.time().run(Duration.ofSeconds(10));
        assertThat(waiter.getObstacle())
                .hasValueSatisfying(obstacle -> assertThat(obstacle)
                        .isInstanceOfSatisfying(Obstacle.Taken.class, taken -> {
                            assertThat(taken.who()).contains("simulated");
                            assertThat(taken.atLeast()).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
                        }));
    }

    @Test
    void obstacleOfAWaiterCanBeAnotherThreadOfItsProcess() {
        world.acquire(world.members().get(0));
        world.time().run(Duration.ofSeconds(1));
        Attempt waiter = world.acquire(world.members().get(0));
        world.time().run(Duration.ofSeconds(10));
        assertThat(waiter.getObstacle())
                .hasValueSatisfying(obstacle -> assertThat(obstacle)
                        .isInstanceOfSatisfying(
                                Obstacle.Taken.class,
                                taken -> assertThat(taken.who()).contains("another thread of this process")));
    }

    @Test
    void obstacleOfAWaiterIsTheLastFailureOfTheStore() {
        world.closeSessions(world.members().get(0), Duration.ofMinutes(1));
        Attempt waiter = world.acquire(world.members().get(0));
        assertThat(waiter.getObstacle()).as("before the first answer").isEqualTo(Optional.empty());
        world.time().run(Duration.ofSeconds(3));
        assertThat(waiter.getObstacle())
                .hasValueSatisfying(obstacle -> assertThat(obstacle)
                        .isInstanceOfSatisfying(
                                Obstacle.StoreFails.class,
                                failing -> assertThat(failing.last()).hasMessageContaining("no consensus in time")));
    }
}
