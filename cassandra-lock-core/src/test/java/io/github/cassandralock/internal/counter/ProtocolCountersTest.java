package io.github.cassandralock.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.FleetWorld;
import io.github.cassandralock.internal.simulation.SimulatedAlgorithm;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the algorithms count, in simulated time. The tests would fail if an event were not counted, or counted twice. */
class ProtocolCountersTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static FleetWorld world(SimulatedAlgorithm algorithm) {
        return new FleetWorld(1, false, List.of(algorithm, algorithm));
    }

    private static Grant granted(FleetWorld world, Attempt attempt) {
        world.time().runUntil(() -> attempt.getOutcome().toCompletableFuture().isDone(), MINUTE);
        return attempt.getOutcome()
                .toCompletableFuture()
                .getNow(Optional.empty())
                .orElseThrow();
    }

    static List<SimulatedAlgorithm> algorithms() {
        return List.of(SimulatedAlgorithm.TICKET, SimulatedAlgorithm.QUEUE, SimulatedAlgorithm.SHADOW);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void renewalsThatAreAcknowledgedAreConfirmed(SimulatedAlgorithm algorithm) {
        FleetWorld world = world(algorithm);
        Grant grant = granted(world, world.acquire(world.members().get(0)));
        world.time().run(MINUTE);
        assertThat(grant.isValid()).isTrue();
        assertThat(world.counters().sum(Counted.RENEWAL_CONFIRMED)).isBetween(15L, 60L);
        assertThat(world.counters().sum(Counted.SESSION_LOST)).isZero();
    }

    @Test
    void sessionThatCannotBeRenewedIsCountedAsLostOnce() {
        FleetWorld world = world(SimulatedAlgorithm.TICKET);
        granted(world, world.acquire(world.members().get(0)));
        world.closeSessions(world.members().get(0), Duration.ofSeconds(10));
        world.time().run(Duration.ofSeconds(30));
        assertThat(world.counters().sum(Counted.SESSION_LOST)).isOne();
    }

    @Test
    void crashIsOneDeathAndOneEviction() {
        FleetWorld world = world(SimulatedAlgorithm.TICKET);
        granted(world, world.acquire(world.members().get(0)));
        world.members().get(0).process().kill();
        granted(world, world.acquire(world.members().get(1)));
        assertThat(world.counters().sum(Counted.SESSION_DECLARED_DEAD)).isOne();
        assertThat(world.counters().sum(Counted.SLOT_EVICTED)).isOne();
    }

    @Test
    void handOverBetweenThreadsOfOneProcessIsCounted() {
        FleetWorld world = world(SimulatedAlgorithm.TICKET);
        Grant first = granted(world, world.acquire(world.members().get(0)));
        Attempt next = world.acquire(world.members().get(0));
        first.release();
        granted(world, next);
        assertThat(world.counters().sum(Counted.HANDED_OVER)).isOne();
    }
}
