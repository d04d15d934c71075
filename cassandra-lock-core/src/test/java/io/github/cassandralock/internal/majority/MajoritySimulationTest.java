package io.github.cassandralock.internal.majority;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.Schedules;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The algorithm {@code majority} over correct locks of simulated clusters. Neither two holders at one time, nor a
 * lock that is held again after it was not, nor tokens out of order, nor a process that is not served although a
 * majority is well.
 */
class MajoritySimulationTest {

    private static final Seeds SEEDS = Seeds.of(16);

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "MAJORITY.*")
    void nothingForbiddenHappens(Schedules schedules) {
        assertThat(SEEDS.firstFinding(schedules))
                .as(
                        "the first seed of %s with violations; %s",
                        schedules, Seeds.replay("cassandra-lock-core", getClass(), SEEDS.first()))
                .isEmpty();
    }
}
